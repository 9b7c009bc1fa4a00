"""What surrounds every page: navigation, header, sentence box, state and links."""
