"""The pages in their order, and what an entry says of a page."""
