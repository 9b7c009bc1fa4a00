"""The program as a static site: its own pictures, and its model, without a server."""
