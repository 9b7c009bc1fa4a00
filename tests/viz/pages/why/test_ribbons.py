"""Ribbons are as wide as the products of a table, and no part is too small for its name."""

import re
from base64 import b64decode

import numpy as np
import pytest

from viz.figures.theme import DARK, LIGHT
from viz.pages.why.ribbons import Link, ribbons
from viz.pages.why.sums import Match, Products
from viz.pages.why.words import NORMS, REST

NAMES = ("encoder.4.ffn.out", "encoder.embedding", "encoder.4.self_attn.out", NORMS, REST)


def drawn(values: np.ndarray, query: str = "▁it") -> tuple[str, str]:
    """Draw a table: its HTML, and the SVG in it."""
    match = Match("encoder.4", "encoder.4", 3.5)
    html = ribbons(Link(Products(NAMES, NAMES, values), query, "▁animal", match, "score"), LIGHT)
    source = re.search(r"base64,([^\"]+)", html)
    assert source
    return html, b64decode(source[1]).decode()


def test_a_ribbon_is_as_wide_as_its_product() -> None:
    values = np.zeros((5, 5))
    values[0, 0], values[2, 0], values[1, 3] = 4.0, 2.0, -1.0
    html, svg = drawn(values)
    widths = [float(width) for width in re.findall(r"v([\d.]+)C", svg)]
    assert np.array(widths) / max(widths) == pytest.approx([0.25, 1, 0.5], abs=0.01)
    assert svg.count("4 3") == 1  # the one below zero
    assert svg.count('fill-opacity="0.9"') == 2  # those of layer 5 on both sides
    assert "+3.50" in html
    assert html.count("embedding") == 2


def test_what_matches_most_is_framed_and_each_side_adds_up() -> None:
    values = np.zeros((5, 5))
    values[0, 0], values[2, 0], values[1, 3] = 4.0, 2.0, -1.0
    html, _svg = drawn(values)
    frames = re.findall(r'<u style="top:([\d.]+)%;height:([\d.]+)%">', html)
    assert len(frames) == 2  # one on each side, around both parts of layer 5
    side = html.split('class="side query"')[1].split("between")[0]
    tops = [float(top) for top in re.findall(r'<span style="top:([\d.]+)%', side)]
    top, high = map(float, frames[0])
    assert [top <= at <= top + high for at in tops] == [True, False, True, False, False]
    assert "layer 5 × layer 5" in html
    assert "Each side adds up to <strong>+5.00</strong>." in html


def test_small_products_are_not_drawn_beside_large_ones() -> None:
    values = np.zeros((5, 5))
    values[1, 3], values[3, 1], values[0, 0] = 0.09, 0.11, 0.05
    _html, svg = drawn(values)
    assert svg.count("<path") == 2  # 0.11, and the one that matches most


def test_names_keep_their_distance_and_stand_by_depth() -> None:
    values = np.full((5, 5), 1e-4)
    values[0, 0] = 9.0
    html, _svg = drawn(values)
    side = html.split('class="side query"')[1].split("between")[0]
    tops = [float(top) for top in re.findall(r'<span style="top:([\d.]+)%', side)]
    order = np.argsort(tops)
    assert [NAMES[at] for at in order] == [NAMES[at] for at in (0, 2, 1, 3, 4)]
    assert min(np.diff(np.sort(tops))) >= 10.9
    assert max(tops) < 100


def test_tokens_are_text_and_zeros_draw_nothing() -> None:
    html, svg = drawn(np.zeros((5, 5)), "<b>")
    assert "&lt;b&gt;" in html
    assert "<b>" not in re.sub(r"<b [^>]*>|<b>[+\N{MINUS SIGN}\d]", "", html)
    assert "<path" not in svg
    empty = Products(NAMES, NAMES, np.ones((5, 5)))
    assert DARK.diverging[0][1] in ribbons(
        Link(empty, "a", "b", Match("x", "y", 0.0), "score"), DARK
    )
