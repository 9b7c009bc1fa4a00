"""The choice of texts in the browser, from the numbers of a story."""

import json
import subprocess
from typing import Any

import pytest

from viz.components.component import classic
from viz.pages.story.story_picture import ENTRY
from viz.pages.story.story_picture.texts import words

RIGHT = [[0.93, 0.01], [0.02, 0.92]]
OTHERS = [[0.01, 0.1], [0.01, 0.1]]
"""The probabilities of the likeliest other piece: in the unchanged model, and after a change."""

SCRIPT = classic(ENTRY.parent / "wording.js")


def called(function: str, *given: object) -> Any:  # noqa: ANN401
    """Call a function of the module in Node."""
    call = f"console.log(JSON.stringify(headlight().{function}(...{json.dumps(given)})))"
    done = subprocess.run(
        ["node", "-e", SCRIPT + call], capture_output=True, check=False, text=True
    )
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("after", "effect"),
    [
        ([[0.92, 0.01], [0.02, 0.9]], "nothing"),
        ([[0.45, 0.4], [0.4, 0.45]], "toss-up"),
        ([[0.51, 0.17], [0.44, 0.19]], "first"),  # a third is left over, and it leans
        ([[0.9, 0.02], [0.88, 0.03]], "first"),  # always il: right in one of two
        ([[0.6, 0.3], [0.8, 0.1]], "first"),
        ([[0.45, 0.4], [0.8, 0.1]], "partly"),  # always il, but less so in one
        ([[0.02, 0.9], [0.03, 0.88]], "second"),
        ([[0.01, 0.9], [0.9, 0.01]], "round"),
        ([[0.6, 0.1], [0.1, 0.6]], "partly"),
        ([[0.2, 0.001], [0.001, 0.2]], "partly"),  # both fall, the choice stays
        ([[0.013, 0.0001], [0.0001, 0.011]], "elsewhere"),  # another piece is likelier
        ([[0.45, 0.4], [0.0001, 0.011]], "elsewhere"),  # in one of the sentences
    ],
)
def test_an_effect_is_named(after: list[list[float]], effect: str) -> None:
    likely = [[RIGHT[n], after[n]] for n in range(2)]
    assert called("effectOfCut", likely, OTHERS, 1) == effect


def test_a_choice_that_is_unsure_from_the_start_is_not_judged() -> None:
    unsure = [[0.026, 0.0], [0.029, 0.0]], [[0.0, 0.968], [0.0, 0.967]]
    assert called("effectOfCut", unsure, OTHERS, 1) == "unsure"
    story = told([[side[0]] * 4 for side in unsure])
    story["words"] |= {"kinds": {"encoder": "encoder"}}
    other = {"layer": 0, "head": 0, "weight": 0.5, "likely": [0.015, 0.0]}
    story["arcs"][0] |= {"also": [[other, other], []], "keySide": "source"}
    also = called("alsoSaid", story, 0, 0)
    assert also == "2 other heads look at *it*, too."


def told(likely: object, *, keys: tuple[int, int] = (0, 1), trained: bool = True) -> dict[str, Any]:
    arc = {
        "kind": "encoder",
        "layer": 5,
        "head": 3,
        "querySide": "source",
        "keys": keys,
        "onKeys": [[[0.9, 0.0]], [[0.0, 0.9]]],
        "also": [[], []],
    }
    return {
        "words": words(shipped=True),
        "arcs": [arc],
        "source": [{"texts": ["it", "it"]}, {"texts": ["tired", "wide"]}],
        "carried": 1,
        "sentences": ["first", "second"],
        "pairs": [{"first": "first", "second": "second"}],
        "likely": likely,
        "others": [side * 2 for side in OTHERS],
        "pieces": ["il", "elle"],
        "trained": trained,
    }


def test_the_caution_says_what_cutting_was_measured_to_do() -> None:
    alone = [[0.8, 0.1], [0.1, 0.7]]
    cut = [[0.45, 0.4], [0.4, 0.45]]
    likely = [[RIGHT[n], alone[n], RIGHT[n], cut[n]] for n in (0, 1)]
    caution = called("worded", told(likely))["words"]["caution"]
    assert "encoder 6.4 (layer 6, head 4) moves the most weight" in caution
    assert "*il* goes from 93.0% to 80.0%" in caution
    assert "*elle* from 92.0% to 70.0%" in caution
    assert "to 45.0% and 45.0%" in caution
    assert "for this model the link is a cause. It was trained for that: " in caution
    assert caution.endswith("it had to find both words equally likely.")
    same = called("worded", told(likely, keys=(1, 1)))["words"]["caution"]
    assert same.endswith("for this model the link is a cause.")
    untrained = called("worded", told(likely, trained=False))["words"]["caution"]
    assert untrained.endswith("for this model the link is a cause.")


def test_a_cut_that_leans_to_a_word_names_it() -> None:
    likely = [[RIGHT[n], RIGHT[n], RIGHT[n], [0.51, 0.17]] for n in (0, 1)]
    caution = called("worded", told(likely))["words"]["caution"]
    assert caution.endswith(
        "*il* is the likelier in both: without the link the model cannot tell them apart."
    )


def test_other_heads_that_look_there_are_counted_with_what_cutting_each_alone_does() -> None:
    likely = [[RIGHT[n]] * 4 for n in (0, 1)]
    given = told(likely)
    given["arcs"][0] |= {"keySide": "source", "query": 0}
    quiet = [{"layer": 4, "head": n, "likely": [0.92 - n / 100, 0.02]} for n in (0, 1, 2)]
    given["arcs"][0]["also"] = [quiet, []]
    said = called("alsoSaid", given, 0, 0)
    assert said.startswith("3 other heads look at *it*, too.")
    assert "between 90.0% and 92.0%, from 93.0%: none of them alone is a cause" in said
    assert called("worded", given)["words"]["caution"].endswith(said)
    assert called("alsoSaid", given, 0, 1) == ""
    given["arcs"][0]["also"][0].append({"layer": 5, "head": 1, "likely": [0.3, 0.4]})
    assert "encoder 6.2 alone moves it most, to 30.0%" in called("alsoSaid", given, 0, 0)


def test_without_a_change_it_is_only_said_where_the_head_looks() -> None:
    caution = called("worded", told([RIGHT[:1], RIGHT[1:]], keys=(1, 1)))["words"]["caution"]
    assert "gives the word that differs the most weight" in caution
    assert caution.endswith("That is where it looks, not yet why the model decides.")


def test_sentences_go_by_the_arc_and_the_word_that_is_carried() -> None:
    table = words(shipped=True)
    likely = [[RIGHT[0]] * 4, [RIGHT[1]] * 4]
    for keys, form in (((0, 1), "source2"), ((1, 1), "source1")):
        worded = called("worded", told(likely, keys=keys))
        (arc,) = worded["arcs"]
        assert arc["reading"] == table["reading"][form]  # pyrefly: ignore[bad-index]
        assert arc["said"] == table["forbidden"][form]  # pyrefly: ignore[bad-index]
        assert arc["saidAll"] == table["forbiddenAll"][form]  # pyrefly: ignore[bad-index]
        assert arc["name"] == arc["turnsIn"] == "encoder 6.4"
        assert worded["carry"]["label"] == table["carry"]["differs"]  # pyrefly: ignore[bad-index]
    assert called("worded", {**told(likely), "carried": None})["carry"] is None


def test_the_first_line_says_which_noun_is_masculine_and_which_feminine() -> None:
    likely = [[RIGHT[0]] * 4, [RIGHT[1]] * 4]
    given = told(likely)
    given["source"] = [{"texts": [word, word]} for word in ("animal", "street", "it")]
    given["carried"] = None
    given["arcs"][0] |= {"keySide": "source", "keys": [0, 1], "query": 2}
    said = called("worded", given)["words"]["promise"]
    assert "“it” is: “animal” is masculine, il; “street” is feminine, elle." in said
    given["pieces"] = ["elle", "il"]
    assert "“street” is masculine" in called("worded", given)["words"]["promise"]
    for other in ({"pieces": ["he", "she"]}, {"sentences": ["first", "own"]}):
        assert called("worded", given | other)["words"]["promise"] == words(shipped=True)["promise"]
    given |= {"source": [{"texts": ["他", "她"]}, {"texts": ["自己", "自己"]}], "carried": 1}
    given["pieces"] = ["He", "She"]  # the bars are of what differs first, and the lead says so
    promise = called("worded", given)["words"]["promise"]
    assert "“自己” says neither “his” nor “her”: English takes that from “他” or “她”." in promise
    assert "what differs first, He or She." in promise
    own = given | {"sentences": ["first", "own"]}
    assert called("worded", own)["words"]["promise"] == words(shipped=True)["promise"]
