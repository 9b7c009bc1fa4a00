import re

import pytest

from tests.viz.inputs import CONFIG, sublayer_of
from viz.figures.weights import entropy
from viz.pages.head.formulas import Link, latex_token, links, strongest
from viz.pages.head.numbers import Chain, Teaching, chain


@pytest.fixture
def shown() -> Chain:
    return chain(*sublayer_of("decoder", 1), head=1, query=3)


def written(shown: Chain) -> tuple[Link, ...]:
    keys = ["▁Le", "chat", "▁dort", "▁la", "▁nuit", "."]
    return links(shown, "▁la", keys, 1, CONFIG.heads, strongest(shown))


def test_six_links_in_the_order_of_the_chain(shown: Chain) -> None:
    assert [link.number for link in written(shown)] == [1, 2, 3, 4, 5, 6]


def test_formulas_hold_the_sentence_s_own_numbers(shown: Chain) -> None:
    text = {link.number: " ".join(link.formulas) for link in written(shown)}
    at = strongest(shown)
    assert r"(1 \times 24)\,(24 \times 8) \to 1 \times 8" in text[1]
    assert rf"\mathbf{{{shown.dots[at]:.2f}}}" in text[2]
    assert rf"\frac{{{shown.dots[at]:.2f}}}{{\sqrt{{8}}}}" in text[3]
    assert r"+\,0\ (\text{keys: 4}),\quad -\infty\ (\text{keys: 2})" in text[3]
    assert rf"\mathbf{{{shown.weights[at]:.2f}}}" in text[4]
    assert f"{entropy(shown.weights):.2f}" in text[4]
    assert rf"{shown.weights[at]:.2f}\, v_" in text[5]
    assert r"3 \times 8 = 24" in text[6]


def test_what_the_teacher_changed_is_in_the_formula() -> None:
    changed = chain(*sublayer_of("decoder", 1), 1, 3, Teaching(divide=False, temperature=2.0))
    text = {link.number: " ".join(link.formulas) for link in written(changed)}
    assert r"\sqrt" not in text[3]
    assert "/ 2.0" in text[4]


@pytest.mark.parametrize("token", ["}", "\\end{gathered}", "$$", "a_b^c", "#%&~", "`", "▁it", "é"])
def test_a_token_cannot_end_its_formula(token: str) -> None:
    inside = latex_token(token).removeprefix(r"\text{").removesuffix("}")
    bare = re.sub(r"\\(backslash |char\d+ |[{}$&#%_])", "", inside)
    assert not re.search(r"[\\{}$&#%_^~`]", bare)
