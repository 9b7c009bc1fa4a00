"""The marks that leave slow tests out of the quick run."""

from tests.conftest import HERE, MARKS, QUICK


def test_every_place_with_a_mark_has_tests() -> None:
    """One that moves would otherwise run among the quick ones."""
    places = [HERE / place for place in MARKS]
    assert [place for place in places if not (place.is_file() or [*place.rglob("test_*.py")])] == []


def test_what_is_quick_has_no_mark() -> None:
    assert QUICK == "not linters and not browser and not server and not app and not training"
