"""Paths below that of the app, whether Streamlit or what is around it knows that one."""

import pytest
from starlette.types import Scope

from viz.server import inside as module
from viz.server.inside import inside


def below(base: str, path: str, root: str = "") -> str | None:
    scope: Scope = {"type": "http", "path": path, "root_path": root}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "get_option", lambda _name: base)
        return inside(scope)


@pytest.mark.parametrize("base", ["course/x", "/course/x/"])
@pytest.mark.parametrize(
    ("path", "within"),
    [
        ("/course/x", ""),
        ("/course/x/", "/"),
        ("/course/x/class", "/class"),
        ("/course/xy", None),
        ("/class", None),
        ("/", None),
    ],
)
def test_a_path_is_cut_at_a_slash(base: str, path: str, within: str | None) -> None:
    assert below(base, path) == within
    assert below("", path, root="/course/x") == within


@pytest.mark.parametrize("path", ["/", "/class", "/course/x"])
def test_an_app_that_has_its_host_for_itself_has_all_paths(path: str) -> None:
    assert below("", path) == path
