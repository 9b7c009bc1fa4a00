"""The training data of a run: sentence pairs as files, as ids and as batches."""
