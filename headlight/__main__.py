"""The program `headlight`, also as `python -m headlight`; `viz/program.py` says what it does."""

import sys

from headlight.folders import HOME


def main() -> int:
    """Run the program; return its exit status. In its process, the short names are ours."""
    sys.path.insert(0, str(HOME))
    from viz.program import main as program

    return program()


if __name__ == "__main__":
    sys.exit(main())
