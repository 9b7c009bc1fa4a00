"""The atlas: what every head does over a corpus, with the evidence, and where else it does that."""
