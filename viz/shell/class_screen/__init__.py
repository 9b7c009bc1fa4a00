"""A class on screen: how it begins, follows its teacher, is asked questions, and ends."""
