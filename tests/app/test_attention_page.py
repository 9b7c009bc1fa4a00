from typing import Any

from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.shown import components, message
from tests.sentences import FIRST_SENTENCE


def header(page: AppTest) -> dict[str, Any]:
    """Read the header of the message that the explorer gets."""
    return message(components(page)[0])


def test_it_shows_the_first_sentence(open_page: OpenPage) -> None:
    page = open_page("attention")
    assert not page.exception
    sent = header(page)
    assert sent["sentence"] == FIRST_SENTENCE
    assert "".join(sent["source"]["tokens"][:2]) == "▁The▁animal"
    assert sent["target"]["tokens"][0] == "<s>"
    assert len(sent["target"]["predicted"]) == len(sent["target"]["tokens"])


def test_all_layers_and_heads_of_every_kind_are_sent(open_page: OpenPage) -> None:
    kinds = header(open_page("attention", sentence="Thinking machines"))["kinds"]
    assert set(kinds) == {"encoder", "decoder", "cross"}
    assert all(kind["layers"] >= 1 and kind["heads"] >= 1 for kind in kinds.values())
    assert kinds["cross"]["keys"] == kinds["encoder"]["keys"]
    assert kinds["cross"]["queries"] == kinds["decoder"]["queries"]


def test_a_rerun_sends_the_same_message(open_page: OpenPage) -> None:
    page = open_page("attention")
    before = components(page)[0].proto.bytes
    page.run()
    assert components(page)[0].proto.bytes == before


def test_long_input_is_cut_with_a_notice_and_still_drawn(open_page: OpenPage) -> None:
    page = open_page("attention", sentence="word " * 1000)
    assert not page.exception
    assert "128" in page.warning[0].value
    assert len(header(page)["source"]["tokens"]) == 128


def test_another_page_and_back(open_page: OpenPage) -> None:
    page = open_page("attention")
    assert not page.exception
    assert header(page)["kinds"]
