"""A class that answers: how it begins, follows its teacher, is asked, and what is left of it."""
