"""A class that answers: how it begins, follows its teacher, is asked, and ends."""
