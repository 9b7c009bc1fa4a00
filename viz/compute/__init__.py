"""The questions that pages ask the model; functions that keep results for all are here."""
