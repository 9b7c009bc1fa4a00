"""Figures computed from runs: importance, attribution, minimal pairs."""
