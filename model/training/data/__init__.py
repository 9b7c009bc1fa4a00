"""What a run learns from: sentence pairs as files, as ids and as batches."""
