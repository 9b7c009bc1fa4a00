"""The server around the pages: it warms up, sets headers, and refuses some requests."""
