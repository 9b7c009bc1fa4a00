"""More cases of a test than a run of all looks at."""

import pytest
from _pytest.mark.structures import ParameterSet


def nightly(*cases: object) -> list[ParameterSet]:
    """Mark cases of `parametrize` for the night; a tuple holds the values of several names."""
    values = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*several, marks=pytest.mark.nightly) for several in values]
