"""What frames every page: navigation, top bar, header, lessons, and the state of the visit."""
