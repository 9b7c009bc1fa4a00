"""Break it: two sentences that differ in a word, and the heads that notice."""
