"""The formulas of one head's chain, in LaTeX, with the sentence's own numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz.figures.theme import token_text
from viz.figures.weights import entropy
from viz.language.formula import in_formula
from viz.language.text import _
from viz.pages.head.numbers import Chain


@dataclass(frozen=True)
class Link:
    """A link of the chain: its number, its title, and its formulas, one below the other."""

    number: int
    title: str
    text: str
    formulas: tuple[str, ...]


def latex_token(token: str) -> str:
    """Write a token as text inside a formula; no token can end the text or the formula."""
    return in_formula(token_text(token))


def links(
    chain: Chain, query: str, keys: Sequence[str], head: int, heads: int, shown: int
) -> tuple[Link, ...]:
    """Write the six links for one query; `shown` is the key, from 0, whose score is worked out."""
    return (
        _project(chain),
        _dot(chain, query, keys[shown], shown),
        _scale(chain, shown),
        _softmax(chain, keys[shown], shown),
        _mix(chain, keys),
        _concat(chain, head, heads),
    )


def strongest(chain: Chain) -> int:
    """Return the key, from 0, with the largest weight."""
    return int(np.argmax(chain.weights))


def texts() -> dict[str, str]:
    """Return the words of the formulas; the site has the same."""
    return {
        "projected": _(
            "The query's vector x becomes q; every key's vector becomes k and v. The biases b are "
            "this model's own: the paper's formula has none."
        ),
        "project": _("Project"),
        "compare": _("Compare: q · k"),
        "compared": _("How well does each key match? Multiply number by number and add up."),
        "scaled": _(
            "More dimensions spread the products: for independent q and k of variance 1, that of "
            "q · k is d_k. Dividing by its root makes it 1 again, whatever d_k is."
        ),
        "plain": _(
            "Without the division the scores are √d_k times as large, which sharpens the softmax."
        ),
        "changed": _("An intervention changes these scores after the division."),
        "scale": _("Scale and mask"),
        "shares": _("Scores become shares that sum to 1. Entropy says how spread out they are."),
        "most": _("at most"),
        "mix": _("Mix the values"),
        "mixed": _("The output of this head is the average of the values, weighted by the shares."),
        "concat": _("Concat and W_O"),
        "joined": _("All heads' z stand side by side; one more matrix mixes them into the output."),
        "own": _("z of this head"),
        "output": _("output"),
        "keys": _("keys: {count}"),
    }


def _project(chain: Chain) -> Link:
    width, narrow, keys = chain.x.size, chain.q.size, len(chain.k)
    own = rf"(1 \times {width})\,({width} \times {narrow}) \to 1 \times {narrow}"
    others = rf"({keys} \times {width})\,({width} \times {narrow}) \to {keys} \times {narrow}"
    text = texts()["projected"]
    size = rf"\lVert x \rVert = {_n(_norm(chain.x))},\quad \lVert q \rVert = {_n(_norm(chain.q))}"
    return Link(
        1,
        texts()["project"],
        text,
        (r"q = x W_Q + b_Q", own, r"k_j = x_j W_K + b_K", r"v_j = x_j W_V + b_V", others, size),
    )


def _dot(chain: Chain, query: str, key: str, at: int) -> Link:
    terms = chain.q * chain.k[at]
    first = " ".join(
        rf"{'+' if at and value >= 0 else ''}{_n(value)}" for at, value in enumerate(terms[:3])
    )
    return Link(
        2,
        texts()["compare"],
        texts()["compared"],
        (
            rf"q_{{{latex_token(query)}}} \cdot k_{{{latex_token(key)}}} = q \cdot k_{{{at + 1}}}",
            rf"= \sum_{{i=1}}^{{{chain.q.size}}} q_i\,k_{{{at + 1},i}}",
            rf"= {first} + \dots",
            rf"= \mathbf{{{_n(chain.dots[at])}}}",
        ),
    )


def _scale(chain: Chain, at: int) -> Link:
    hidden = int((~chain.allowed).sum())
    divided = chain.divisor != 1
    below = rf"\sqrt{{{chain.q.size}}}" if divided else "1"
    factor = chain.q.size**0.5 / chain.divisor
    times = rf" \cdot {_n(factor)}" if divided and not np.isclose(factor, 1) else ""
    text = texts()["scaled"] if divided else texts()["plain"]
    if chain.changed:
        text = texts()["changed"]
    seen = len(chain.allowed) - hidden
    change = rf" = {_n(chain.divided[at])} \to" if chain.changed else " ="
    return Link(
        3,
        texts()["scale"],
        text,
        (
            rf"s_{{{at + 1}}} = \frac{{{_n(chain.dots[at])}}}{{{below}}}{times}"
            rf"{change} \mathbf{{{_n(chain.scores[at])}}}",
            rf"+\,0\ ({_keys(seen)}),\quad -\infty\ ({_keys(hidden)})",
        ),
    )


def _softmax(chain: Chain, key: str, at: int) -> Link:
    over = "" if chain.temperature == 1 else rf" / {_n(chain.temperature, 1)}"
    spread = entropy(chain.weights)
    most = float(np.log(max(1, int(chain.allowed.sum()))))
    return Link(
        4,
        "softmax",
        texts()["shares"],
        (
            rf"\alpha_j = \frac{{e^{{s_j{over}}}}}{{\sum_m e^{{s_m{over}}}}}",
            rf"\alpha_{{{at + 1}}} = \mathbf{{{_n(chain.weights[at])}}}"
            rf":\ {latex_token(key)}",
            r"H = -\sum_j \alpha_j \ln \alpha_j",
            rf"= {_n(spread)},\quad {in_formula(texts()['most'])}\ {_n(most)}",
        ),
    )


def _mix(chain: Chain, keys: Sequence[str]) -> Link:
    best: list[int] = np.argsort(-chain.weights, kind="stable")[:2].tolist()
    terms = " + ".join(rf"{_n(chain.weights[at])}\, v_{{{latex_token(keys[at])}}}" for at in best)
    first = rf"z = ({', '.join(_n(value) for value in chain.z[:3])}, \dots)"
    return Link(
        5,
        texts()["mix"],
        texts()["mixed"],
        (r"z = \sum_j \alpha_j\, v_j", rf"= {terms} + \dots", first),
    )


def _concat(chain: Chain, head: int, heads: int) -> Link:
    width, narrow = chain.concat.size, chain.z.size
    return Link(
        6,
        texts()["concat"],
        texts()["joined"],
        (
            rf"[z^1; \dots; z^{{{heads}}}]: {heads} \times {narrow} = {width}",
            rf"z^{{{head + 1}}}:\ {in_formula(texts()['own'])}",
            rf"{in_formula(texts()['output'])} = [z^1; \dots; z^{{{heads}}}]\, W_O + b_O",
            rf"\lVert {in_formula(texts()['output'])} \rVert = {_n(_norm(chain.out))}",
        ),
    )


def _keys(count: int) -> str:
    return in_formula(texts()["keys"].format(count=count))


def _n(value: float, digits: int = 2) -> str:
    """Write a number; a negative zero is zero."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _norm(vector: np.ndarray) -> float:
    return float(np.linalg.norm(vector))
