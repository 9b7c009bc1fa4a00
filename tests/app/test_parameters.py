"""An empty parameter of a link means the default of its control."""

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import shown
from viz.link import table
from viz.link.address import TEXTS

NAMES = sorted(table.NAMES - {"sentence"})


@pytest.mark.parametrize(
    ("page", "view"),
    [
        ("attention", {}),
        ("decoder", {}),
        ("tokens", {"tokens": "map"}),
        ("positions", {"positions": "curves"}),
        ("recurrent", {"ancestors": "all models"}),
        ("lab_scale", {"break": "positions side by side"}),
    ],
)
def test_an_empty_parameter_means_the_default(
    open_page: OpenPage, page: str, view: dict[str, str]
) -> None:
    empty = dict.fromkeys((name for name in NAMES if name not in TEXTS), "")
    said = open_page(page, **{**empty, **view})
    assert not said.exception
    usual = open_page(page, **view)
    parameters = [name for name in NAMES if name in usual.session_state]
    assert shown(said, parameters) == shown(usual, parameters)
