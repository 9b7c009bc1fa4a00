"""The server around the pages: warm-up, headers, and the requests that are refused."""
