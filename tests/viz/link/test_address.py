"""The link of the page on screen."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from viz.link.address import link, root


def test_a_link_to_a_page_says_its_parameters() -> None:
    said = [("sentence", "It is & was."), ("layer", "3")]
    assert link("head", said) == "head?sentence=It%20is%20%26%20was.&layer=3"
    assert link("head", ()) == "head"


@pytest.mark.parametrize(
    ("path", "shown", "root_of_it"),
    [
        ("", "http://host.test/attention", "http://host.test"),
        ("", "http://host.test", "http://host.test"),
        ("", "http://host.test/course/attention?sentence=x/y", "http://host.test/course"),
        ("course/x", "http://host.test/course/x", "http://host.test/course/x"),
        ("course/x", "http://host.test/course/x/head", "http://host.test/course/x"),
        # Streamlit takes the end of this path for the page of that name.
        ("/course/head/", "http://host.test/course", "http://host.test/course/head"),
        ("course/x", None, ""),
    ],
)
def test_the_address_of_the_app_contains_its_path(
    monkeypatch: pytest.MonkeyPatch, path: str, shown: str | None, root_of_it: str
) -> None:
    monkeypatch.setattr("streamlit.get_option", lambda _name: path)
    monkeypatch.setattr(type(st.context), "url", property(lambda _context: shown))
    assert root() == root_of_it


def scene() -> None:
    """Open the scene that the session asks for, and say where one is."""
    import streamlit as st

    from viz.link import address

    address.arrive(st.session_state.get("scene", "first 1"), [("kind", "encoder"), ("layer", "2")])
    st.text(address.arrival())


def test_a_scene_drops_earlier_choices_once_and_completes_the_link() -> None:
    app = AppTest.from_function(scene)
    app.session_state["chosen"], app.session_state["lang"] = "before", "zh"
    app.query_params["kind"] = "cross"
    app.run()
    assert app.text[0].value == "first 1"
    assert ("chosen" in app.session_state, app.session_state["lang"]) == (False, "zh")
    assert app.query_params == {"kind": "cross", "layer": "2"}
    app.session_state["chosen"] = "here"
    assert app.run().session_state["chosen"] == "here"
    app.session_state["scene"] = "first 2"
    assert "chosen" not in app.run().session_state
