"""The frame of every page: navigation, top bar, header, state and lessons."""
