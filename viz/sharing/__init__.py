"""One server for all visitors: whose turn it is, and what is kept for everybody."""
