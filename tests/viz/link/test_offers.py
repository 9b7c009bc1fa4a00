"""What a head and a token offer, as links that the browser completes."""

import re
from pathlib import Path
from typing import Any

import pytest

from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutSublayer, SkipLayer
from model.interventions.heads import AblateHead
from model.interventions.masks import HideSource
from model.sites.sites import KINDS, Kind
from viz.link import edits, offers
from viz.link.table import ALONG, NAMES

VIZ = Path(__file__).parents[3] / "viz"
HEADS: dict[Kind, tuple[int, int]] = dict.fromkeys(KINDS, (2, 4))


@pytest.fixture(autouse=True)
def changed(monkeypatch: pytest.MonkeyPatch) -> tuple[Intervention, ...]:
    """What is changed in the model: two heads and a layer."""
    heads = AblateHead("cross", 4, 3), AblateHead("cross", 4, 5, "mean")
    changes = (*heads, SkipLayer("encoder", 1))
    monkeypatch.setattr(edits, "interventions", lambda: changes)
    return changes


def said(offer: Any, **values: object) -> dict[str, str]:  # noqa: ANN401
    """Fill in an offer as the browser does."""
    return {
        name: re.sub(r"{(\w+)}", lambda slot: str(values.get(slot[1], slot[0])), text)
        for name, text in offer["says"].items()
    }


def read(text: str) -> set[Intervention]:
    found = edits.read(text, "")
    assert not found.refused
    return set(found.interventions)


@pytest.mark.parametrize("kind", KINDS)
def test_a_head_is_switched_off_beside_what_is_changed(
    changed: tuple[Intervention, ...], kind: Kind
) -> None:
    found: Any = offers.head_offers()
    link = said(found["off"][kind], kind=kind, layer=2, head=7)
    assert read(link.pop("edits")) == {*changed, AblateHead(kind, 1, 6)}
    assert link == {"kind": kind, "layer": "2", "head": "7"}
    assert found["off"][kind]["along"] is None


def test_a_head_that_is_off_is_switched_on_and_the_others_stay_off(
    changed: tuple[Intervention, ...],
) -> None:
    found: Any = offers.head_offers()
    assert set(found["on"]) == {"cross 5 4", "cross 5 6"}
    link = said(found["on"]["cross 5 6"], kind="cross", layer=5, head=6)
    assert read(link["edits"]) == {changed[0], changed[2]}


def test_the_attentions_that_are_left_out_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert offers.head_offers()["leftOut"] == ["encoder 2"]
    changes = SkipLayer("decoder", 1), LeaveOutSublayer("decoder", 4, "cross_attn")
    feed_forward = LeaveOutSublayer("encoder", 0, "ffn")
    monkeypatch.setattr(edits, "interventions", lambda: (*changes, feed_forward))
    assert offers.head_offers()["leftOut"] == ["cross 2", "cross 5", "decoder 2"]


def test_the_numbers_of_a_head_take_the_word_and_the_step_along() -> None:
    found: Any = offers.head_offers()["numbers"]
    assert found["page"] == "head"
    assert found["along"] == [*ALONG, "word", "step"]


def test_where_else_a_head_looks_like_this_takes_the_link_along() -> None:
    found: Any = offers.head_offers()["alike"]
    assert found["page"] == "atlas"
    assert found["along"] == [*ALONG, "word", "step", "key"]
    link = said(found, kind="cross", layer=5, head=3, step=7, key=2)
    head = {"kind": "cross", "layer": "5", "head": "3", "atlas": "Where else?"}
    assert link == {
        **head,
        "step": "7",
        "key": "2",
        "word": "{word}",
    }  # what is unknown is left out


def test_a_token_of_the_source_offers_its_pages_and_to_mask_its_word(
    changed: tuple[Intervention, ...],
) -> None:
    found: Any = offers.token_offers("cross", HEADS)
    names = [name for name, _offer in found["source"]]
    assert names == ["attention", "alike", "layers", "neighbours", "mask"]
    links = [said(offer, place=3, first=3, last=4) for _name, offer in found["source"]]
    for link in links:
        assert link["word"] == "3"
        assert (link["kind"], link["layer"], link["head"]) == ("encoder", "3", "5")
    assert read(links[-1]["edits"]) == {*changed, HideSource(2, 3)}


@pytest.mark.parametrize(("kind", "own"), [("encoder", "cross"), ("decoder", "decoder")])
def test_a_token_of_the_target_is_a_step(kind: Kind, own: str) -> None:
    found: Any = offers.token_offers(kind, HEADS)
    link = said(found["target"][0][1], place=6, sentence="Hi.")
    assert (link["kind"], link["step"]) == (own, "6")
    assert len(found["target"]) == 4


def test_without_a_head_nothing_is_offered_but_of_other_translations() -> None:
    found = offers.token_offers("cross", {})
    assert (found["source"], found["target"]) == ([], [])
    assert all(found[whose] for whose in ("model", "given", "here"))


def test_what_is_not_in_the_table_is_not_offered() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        offers.here(nonsense="1")


def test_no_javascript_builds_query_strings_itself() -> None:
    """One module does, and a script before all modules; both know no parameter by name."""
    sources = {path: path.read_text(encoding="utf-8") for path in VIZ.rglob("*.js")}
    builds = re.compile(r"URLSearchParams|searchParams|location\.search|[?&]\w+=\$?{")
    found = {path for path, text in sources.items() if builds.search(text)}
    first = VIZ / "site" / "assets" / "models.js"
    assert found == {VIZ / "components" / "javascript" / "address.js", first}
    for path in found:
        quoted = set(re.findall(r'"([a-z_]+)"', path.read_text(encoding="utf-8")))
        assert quoted & NAMES == set()
