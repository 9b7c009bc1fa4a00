"""The atlas: the roles of every head over a corpus, with the evidence, and a search for more."""
