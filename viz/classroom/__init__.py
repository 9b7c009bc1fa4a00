"""A class that answers: who is in it, where its teacher is, what was asked and answered."""
