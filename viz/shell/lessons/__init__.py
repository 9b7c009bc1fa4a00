"""Lessons: scenes that lead through the pages, written by teachers and checked on the model."""
