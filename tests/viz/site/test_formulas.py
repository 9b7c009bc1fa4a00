"""The formulas of the site are the app's, and all of them can be drawn as MathML."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import viz.site
from model.sites.sites import KINDS, Head
from tests.sentences import TIRED_OR_WIDE
from viz.components.component import classic
from viz.compute import runs
from viz.figures.labels import query_name
from viz.figures.theme import token_text
from viz.figures.weights import entropy
from viz.language.text import languages, using
from viz.pages.head import formulas, numbers
from viz.pages.head.numbers import Chain, Teaching
from viz.pages.head.reading import read
from viz.site.words import formula_words

ASSETS = Path(viz.site.__file__).parent / "assets"
TEACHING = (Teaching(), Teaching(divide=False), Teaching(temperature=2.5))


def chains() -> list[tuple[Chain, Head, int, list[str], list[str]]]:
    """Return chains of every kind, in the model's own formula and in others."""
    recording = runs.run(TIRED_OR_WIDE.first).recording
    found = []
    for kind in KINDS:
        queries, keys = (list(side) for side in recording.tokens(kind))
        for place, teaching in enumerate(TEACHING):
            view, query = Head(kind, place, 2 * place), 3 + place
            chain = numbers.chain(*read(recording, view), view.head, query, teaching)
            found.append((chain, view, query, queries, keys))
    return found


def told(chain: Chain, view: Head, query: int, queries: list[str], keys: list[str]) -> list[Any]:
    """Return what the page knows of a chain: its header, and its numbers by name."""
    names = ("x", "q", "k", "dots", "scores", "weights", "z", "concat", "out")
    arrays = {name: np.asarray(getattr(chain, name)) for name in names}
    header = {
        "queries": [token_text(token) for token in queries],
        "keys": [token_text(token) for token in keys],
        "query": query,
        "queryStack": "encoder" if view.kind == "encoder" else "decoder",
        "head": view.head,
        "heads": 8,
        "allowed": chain.allowed.tolist(),
        "divisor": chain.divisor,
        "temperature": chain.temperature,
        "changed": chain.changed,
        "entropy": [0, entropy(chain.weights)],
    }
    listed = {
        name: {"shape": list(array.shape), "values": array.astype(float).ravel().tolist()}
        for name, array in arrays.items()
    }
    return [header, listed]


def in_node(code: str, given: object) -> Any:  # noqa: ANN401
    """Run code with both modules in Node, and return what it makes of `given`."""
    modules = "".join(
        f"const {{ {name} }} = (() => {{ {classic(ASSETS / file)} return headlight(); }})();\n"
        for name, file in (("formulaLinks", "formulas.js"), ("mathOf", "mathml.js"))
    )
    read_in = 'const given = JSON.parse(require("node:fs").readFileSync(0, "utf8"));\n'
    ran = subprocess.run(
        ["node", "-e", f"{modules}{read_in}console.log(JSON.stringify({code}));"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(ran.stdout)


DRAWN = "given.map((latex) => mathOf(latex, (name, children, rest = {}) => [name, children, rest]))"
"""What draws formulas as lists: a name, the children and the attributes."""


def texts(node: Any) -> str:  # noqa: ANN401
    """Join all texts of a formula."""
    return node if isinstance(node, str) else "".join(map(texts, node[1]))


@pytest.mark.parametrize("code", list(languages()))
def test_every_link_of_a_chain_has_the_same_formulas(code: str) -> None:
    with using(code):
        expected = []
        for chain, view, query, queries, keys in chains():
            at = formulas.strongest(chain)
            name = query_name(view.kind, queries, query)
            links = formulas.links(chain, name, keys, view.head, 8, at)
            expected.append(
                [
                    {"title": one.title, "text": one.text, "formulas": list(one.formulas)}
                    for one in links
                ]
            )
        given = [formula_words(), [told(*one) for one in chains()]]
    found = in_node(
        "given[1].map(([header, arrays]) => formulaLinks(given[0], header, arrays))", given
    )
    assert found == expected


def test_every_formula_becomes_mathml_with_all_of_its_numbers() -> None:
    all_of_them = [
        latex
        for chain, view, query, queries, keys in chains()
        for link in formulas.links(
            chain, queries[query], keys, view.head, 8, formulas.strongest(chain)
        )
        for latex in link.formulas
    ]
    drawn = in_node(DRAWN, all_of_them)
    for latex, math in zip(all_of_them, drawn, strict=True):
        assert math[0] == "math"
        digits = [one for one in texts(math) if one.isdigit()]
        assert digits == [one for one in latex if one.isdigit()]


def test_a_fraction_a_sum_and_scripts_have_their_elements() -> None:
    (math,) = in_node(DRAWN, [r"\alpha_j = \frac{e^{s_j}}{\sum_{m=1}^{8} e^{s_m}}"])
    names = re.findall(r'\["(m\w+)"', json.dumps(math))
    assert {"msub", "mfrac", "munderover", "msup"} <= set(names)


@pytest.mark.parametrize("text", ["{}", "a}b", r"\frac", "$x$ & 1%", "`~^_#", "<b>"])
def test_a_strange_piece_stays_a_text(text: str) -> None:
    (math,) = in_node(DRAWN, [rf"q_{{{formulas.latex_token(text)}}}"])
    assert texts(math) == f"q{text}"


@pytest.mark.parametrize("latex", [r"\unknown{x}", "a}", "{a", "a ? b"])
def test_what_is_not_understood_is_refused(latex: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        in_node(DRAWN, [latex])
