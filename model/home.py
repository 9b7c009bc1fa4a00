"""The place of the files that belong to no package: the app, models and settings."""

from pathlib import Path

HOME = Path(__file__).parents[1]
"""The folder with `model/` and `viz/`: the repository, or its copy in a wheel."""
