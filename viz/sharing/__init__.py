"""One server for all visitors: they take turns and share stored results."""
