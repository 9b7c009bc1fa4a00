"""Why a head looks there, and which head wrote a word: scores and logits as exact sums."""
