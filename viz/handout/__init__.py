"""What a teacher takes along: lessons as worksheets and quizzes, and what pupils hand in."""
