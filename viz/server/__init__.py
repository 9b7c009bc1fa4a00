"""The server around the pages: warm-up, headers, and refused requests."""
