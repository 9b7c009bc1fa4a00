"""The head on which Masks opens, and why it is that one."""

import numpy as np

from model.interventions.masks import HideSource
from tests.app.conftest import OpenPage
from tests.app.shown import components, head_picked, message
from tests.sentences import FIRST_SENTENCE
from viz.compute import effects, runs
from viz.pages.lab_masks import masks


def test_masks_open_on_the_head_from_which_most_would_be_hidden(open_page: OpenPage) -> None:
    run = runs.run(FIRST_SENTENCE)
    words = tuple(HideSource(*word.span) for word in masks.words(run.source.tokens))
    effects.changes_alone(FIRST_SENTENCE, words)
    page = open_page("lab_masks")
    first = head_picked(page)
    assert first["kind"] == "cross"
    told = {one.proto.component_name: message(one) for one in components(page)}
    assert not np.array(told["mask_board"]["masked"]).any()  # what would be is not drawn as what is
    assert told["mask_board"]["words"]["query"] == "query: after reading …"
    assert not any("the masked words" in one.value for one in page.caption)
    page.button(key="experiment 1").click().run()
    assert head_picked(page) == first
    told = {one.proto.component_name: message(one) for one in components(page)}
    hidden = np.array(told["mask_board"]["masked"])
    assert int(hidden.any(axis=0).sum()) == 1
    said = "\n".join(one.value for one in (*page.markdown, *page.caption))
    assert f"Hatched: **{hidden.sum()} of {hidden.size} links** are hidden" in said
    assert "is shown, as it looks most at the masked words" in said
    named = open_page("lab_masks", kind="encoder", layer="2", head="3")
    assert head_picked(named) == {"kind": "encoder", "layer": "2", "head": "3"}
    told = {one.proto.component_name: message(one) for one in components(named)}
    assert told["mask_board"]["words"]["query"] == "query: who is looking"
