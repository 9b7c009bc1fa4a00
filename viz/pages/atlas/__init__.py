"""The atlas: the roles of all heads over a corpus, the evidence, and similar places."""
