"""The program `headlight`, also as `python -m headlight`; `viz/program.py` says what it does."""

import sys

from headlight.folders import HOME


def main() -> int:
    """Run the program and return its exit status; here the names `model` and `viz` mean ours."""
    sys.path.insert(0, str(HOME))
    from viz.program import main as program

    return program()


if __name__ == "__main__":
    sys.exit(main())
