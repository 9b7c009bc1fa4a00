"""Words to vectors: how the sentence is cut, neighbours, a map."""
