"""The whole model in one picture."""

import re

import numpy as np

from model.transformer.config import ModelConfig
from viz.components.miniatures import miniatures
from viz.figures.theme import LIGHT
from viz.pages.about.picture import whole_model

CONFIG = ModelConfig(vocab_size=90, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=3)


def test_every_head_has_its_part_of_its_kinds_image() -> None:
    shapes = {"encoder": (2, 2, 4, 4), "decoder": (3, 2, 5, 5), "cross": (3, 2, 5, 4)}
    pictures = miniatures({kind: np.ones(s) for kind, s in shapes.items()}, LIGHT.sequential)  # pyright: ignore
    html = whole_model(CONFIG, pictures, ("<b>Hi", "Salut"), (4, 5))
    heads = re.findall(r'data-head="(\w+) (\d)\.(\d)"', html)
    assert len(set(heads)) == len(heads) == 2 * 2 + 3 * 2 + 3 * 2
    assert html.count(pictures["cross"]) == 1  # all heads share it
    assert html.count("var(--cross)") == 3 * 2
    assert "100.0000% 50.0000% / 200% 300%" in html  # the second head of the second of three layers
    assert "&lt;b&gt;Hi" in html
    assert "one of 90 pieces" in html
