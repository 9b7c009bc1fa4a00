"""A class that answers: its members, its teacher's place, its questions and answers."""
