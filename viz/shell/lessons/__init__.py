"""Lessons: scenes that lead through the pages, written by teachers, measured by the model."""
