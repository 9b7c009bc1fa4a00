"""The place of the files that belong to no package: the app, models and settings.

In a checkout they are beside the packages `model` and `viz`; installed, in a folder `headlight`.
"""

from pathlib import Path

_BESIDE = Path(__file__).parents[1]
_INSTALLED = _BESIDE / "headlight"
HOME = _INSTALLED if _INSTALLED.is_dir() else _BESIDE
