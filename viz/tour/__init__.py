"""A tour of the program as a static site: its own pictures, recorded, without a server."""
