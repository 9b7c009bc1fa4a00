"""What has changed lately, as git says it."""

import subprocess
from pathlib import Path

LATELY = 30
"""Commits of the main branch; on another one, all since it left the main branch."""


def changed(root: Path, places: tuple[str, ...]) -> bool:
    """Tell whether something in these places has changed lately, committed or not.

    A text about the sources (`.md`) does not count. It is True where git cannot say, as in a copy
    without a history.
    """
    try:
        since = _since(root)
        among = ("--", *places, ":(exclude)*.md")
        lines = _git(root, "status", "--porcelain", *among)
        return bool(lines or _git(root, "diff", "--name-only", since, "HEAD", *among))
    except (OSError, subprocess.SubprocessError):
        return True


def _since(root: Path) -> str:
    """Return the commit that was the last one before what is new here."""
    head = _git(root, "rev-parse", "HEAD")
    for main in ("origin/main", "main"):
        try:
            base = _git(root, "merge-base", main, "HEAD")
        except subprocess.CalledProcessError:
            continue
        if base != head:
            return base
    return f"HEAD~{LATELY}"


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout.strip()
