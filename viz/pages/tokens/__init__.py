"""Words to vectors: how a sentence is cut into pieces, and how its pieces become vectors."""
