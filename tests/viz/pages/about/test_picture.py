"""The whole model in one picture."""

import re

import numpy as np

from model.sites.sites import Head
from model.transformer.config import ModelConfig
from viz.components.miniatures import miniatures
from viz.figures.theme import LIGHT
from viz.pages.about.picture import RING, whole_model
from viz.pages.about.tables import known_roles

CONFIG = ModelConfig(vocab_size=90, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=3)


def test_every_head_has_its_part_of_its_kinds_image() -> None:
    shapes = {"encoder": (2, 2, 4, 4), "decoder": (3, 2, 5, 5), "cross": (3, 2, 5, 4)}
    pictures = miniatures({kind: np.ones(s) for kind, s in shapes.items()}, LIGHT.sequential)  # pyrefly: ignore[bad-argument-type]
    html = whole_model(CONFIG, pictures, ("<b>Hi", "Salut"), (4, 5), {})
    heads = re.findall(r'data-head="(\w+) (\d)\.(\d)"', html)
    assert len(set(heads)) == len(heads) == 2 * 2 + 3 * 2 + 3 * 2
    assert html.count(pictures["cross"]) == 1  # all heads share it
    assert html.count("var(--cross)") == 3 * 2
    assert "100.0000% 50.0000% / 200% 300%" in html  # the second head of the second of three layers
    assert "&lt;b&gt;Hi" in html
    assert "one of 90 pieces" in html
    assert RING not in html
    assert html.count("feed-forward 6</span>") == 2  # one bar for all layers of a stack


def test_only_heads_with_a_role_have_a_ring_and_their_names_stand_below() -> None:
    pictures = miniatures({"encoder": np.ones((2, 2, 4, 4))}, LIGHT.sequential)
    roles = {Head("encoder", 1, 0): "its <noun>"}
    html = whole_model(CONFIG, pictures, ("Hi", "Salut"), (4, 5), roles)
    assert html.count(RING) == 2  # the head's, and the one before its name
    assert re.search(rf'data-head="encoder 2.1"[^>]*{re.escape(RING)}', html)
    assert "encoder 2.1: <b>its &lt;noun&gt;</b>" in html


def test_a_head_is_named_by_a_high_score_of_its_card() -> None:
    sure = {"kind": "encoder", "score": "antecedent", "layer": 6, "head": 4, "value": 0.93}
    faint, other = {**sure, "head": 5, "value": 0.3}, {**sure, "score": "end", "head": 1}
    assert known_roles({"best": [faint, sure, other]}) == {
        Head("encoder", 5, 3): "\u201cit\u201d \u2192 its noun"
    }
    assert known_roles(None) == {}
