"""Driving Chromium: what the tests and the benchmarks share."""
