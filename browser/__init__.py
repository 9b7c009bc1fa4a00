"""Driving Chromium: the code that the tests and the benchmarks share."""
