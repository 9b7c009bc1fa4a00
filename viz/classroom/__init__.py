"""A class that follows its teacher and answers: members, questions and answers, and their store."""
