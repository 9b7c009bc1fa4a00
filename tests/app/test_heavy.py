"""What one visitor asks for is bounded, and big pieces of work go one at a time."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.app.test_decoder_page import chosen, header
from viz.compute.runs import translator
from viz.pages.decoder import scene
from viz.sharing.queue import HEAVY, MOST_WAITING

SMALL = 60
LONG = "The cat sees the dog " * 14


def forced(count: int, pieces: int) -> str:
    """Write branches that force so many pieces each, all different."""
    ids = translator().target_tokenizer.encode("le chat voit le chien et")[: pieces - 1]
    return "_".join("-".join(map(str, [*ids, 100 + number])) for number in range(count))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget that a few branches use up."""
    monkeypatch.setattr(scene, "BUDGET", SMALL)


@pytest.mark.usefixtures("small")
def test_a_link_gets_as_many_branches_as_there_is_time_for_its_own_among_them(
    open_page: OpenPage,
) -> None:
    page = open_page("decoder", sentence="Hello.", branches=forced(40, 5), branch="40")
    sent = header(page)
    free, *others = sent["branches"]
    reading = 3 + len(sent["source"]) / 32  # the start of a branch costs as much as 3 to 7 steps
    looking = 1 + len(sent["source"]) / 128
    costs = [reading + looking * len(branch["steps"]) for branch in (free, *others)]
    assert sum(costs[:1] + costs[2:]) < SMALL <= sum(costs)
    on_screen = sent["branches"][sent["view"]["branch"]]
    assert chosen(on_screen)[4] == 139
    assert sent["problem"] == f"Too much for one page: {40 - len(others)} branches are left out."
    assert page.query_params["branches"].count("_") == len(others) - 1


@pytest.mark.usefixtures("small")
def test_a_wide_beam_costs_more_than_a_narrow_one(open_page: OpenPage) -> None:
    link = {"strategy": "beam", "branches": forced(12, 3), "sentence": "Hello."}
    narrow = header(open_page("decoder", **link, width="1"))
    wide = header(open_page("decoder", **link, width="8"))
    assert len(wide["branches"]) < len(narrow["branches"])


def test_forty_short_branches_have_their_place(open_page: OpenPage) -> None:
    sent = header(open_page("decoder", sentence="Hello.", branches=forced(40, 1), branch="7"))
    assert len(sent["branches"]) == 41
    assert sent["problem"] == ""


def test_who_comes_when_many_wait_is_told_so_and_takes_no_place(open_page: OpenPage) -> None:
    HEAVY._tickets.extend(range(MOST_WAITING + 1))
    try:
        page = open_page("decoder", branches="100")
        assert "Many are waiting" in page.warning[0].value
        assert len(HEAVY._tickets) == MOST_WAITING + 1
    finally:
        HEAVY._tickets.clear()
    assert header(open_page("decoder", branches="100"))["branches"]


def measures(page: AppTest) -> list[str]:
    """List the pieces that the four measures are shown of."""
    return [one.value for one in page.markdown if one.value.startswith("For the piece")]


def test_a_long_sentence_is_measured_word_by_word_only_when_asked(open_page: OpenPage) -> None:
    second = LONG.replace("dog", "cow", 1)
    page = open_page("lab_pairs", sentence=LONG, second=second)
    assert not page.exception
    assert measures(page) == []
    button = next(one for one in page.button if one.label.startswith("Measure it"))
    button.click().run()
    assert len(measures(page)) == 1
    assert len(measures(page.run())) == 1
    assert measures(open_page("lab_pairs")) != []
