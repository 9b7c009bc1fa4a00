"""Files for teachers: lessons as worksheets and quizzes, slides, and what pupils hand in."""
