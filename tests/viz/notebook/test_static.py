"""Figures of a notebook where nothing runs: on GitHub, in a PDF, as plain text."""

import base64
import re
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest

from model.results import Alternative, Step
from model.translator import load_translator
from tests.fixtures.explorer_recordings import heads, recording
from viz.notebook import decoder, explorer, heatmap
from viz.notebook.static import MOST
from viz.notebook.steps import Steps

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_explorer_leaves_a_picture_and_a_table_of_the_head_on_which_it_opens() -> None:
    made = explorer(recording())
    svg, html, plain = made._repr_svg_(), made._repr_html_(), repr(made)
    kind, layer, head = re.fullmatch(r"(\w+) (\d)\.(\d)", texts(svg)[0]).groups()  # pyrefly: ignore[missing-attribute]
    weights = made.recording.weights(kind)[int(layer) - 1, int(head) - 1]  # pyrefly: ignore[bad-argument-type]
    static, frame = html.split("<iframe")
    assert "<script" not in static
    image = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', static)
    assert base64.b64decode(image[0]).decode() == svg
    shares = [f"{row.max():.2f}" for row in weights]
    assert [line.split()[-1] for line in plain.splitlines()[1:]] == shares
    assert re.findall(r"<td[^>]*>(\d\.\d\d)</td>", static) == shares
    assert frame.count("</iframe>") == 1


def test_of_a_long_text_only_the_beginning_is_drawn_unasked() -> None:
    count = MOST + 9
    made = explorer.from_arrays(encoder=heads(1, 2, count, count, 1), source=["a"] * count)
    assert f"{MOST} of {count} queries" in " ".join(texts(made._repr_svg_()))
    assert len(repr(made).splitlines()) == MOST + 1
    assert len(texts(made.svg(kind="encoder"))) > 2 * count


@pytest.fixture(scope="module")
def steps() -> Steps:
    return decoder(load_translator(), "The cat is sleeping.", shown=3)


def test_steps_are_the_same_as_table_picture_and_text(steps: Steps) -> None:
    written = " ".join(texts(steps._repr_svg_()))
    html = unescape(re.sub(r"<[^>]+>", " ", steps._repr_html_()))
    for number, step in enumerate(steps.steps, start=1):
        shown = step.alternatives[:3]
        line = repr(steps).splitlines()[number]
        for form in (line, written, html):
            for one in (step.chosen, *shown):
                assert f"{one.probability:.1%}" in form
                assert one.token.replace("▁", "·") in form
    assert not re.search("object at", repr(steps))


def test_dollars_in_tokens_begin_no_formula() -> None:
    dollar = Alternative("$x", 1, 0.5)
    steps = Steps((Step((), dollar, (dollar, dollar), False, 1),) * 2, 5)
    made = explorer.from_arrays(encoder=np.full((1, 1, 2, 2), 0.5), source=["$a", "b$"])
    static = made._repr_html_().split("<iframe")[0]
    for html in (steps._repr_html_(), static):
        assert html.count("<span>$</span>") == html.count("$") > 1
        assert "mathjax_ignore" in html
    drawn = heatmap([[0.5, 0.5]], ["$a"], ["$b", "c$"], "$ and $").to_json()
    assert "$" not in drawn
    assert "&#36;b" in drawn


def test_a_figure_says_in_a_few_words_what_it_is() -> None:
    svg = explorer(recording()).svg()
    assert repr(svg) == f"<SVG of {len(svg):,} characters>"
    assert str(svg).startswith("<svg")
