import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import Recording
from model.checkpoints.examples import StoryPair
from model.measures.swing import Swing
from model.sites.sites import KINDS, Kind
from tests.app.conftest import MAIN
from tests.app.shown import components
from tests.sentences import TIRED_OR_WIDE
from viz.compute import pairs, runs, swings
from viz.pages.story.numbers import story


def told() -> dict[str, Any]:
    """Open the first page and read what the browser gets."""
    page = AppTest.from_file(str(MAIN), default_timeout=240).run()
    assert not page.exception
    assert not page.warning
    sent = components(page)[0].proto
    return json.loads(json.loads(sent.json)["text"])


def recorded(sentence: str) -> Recording:
    """Record a sentence anew, without the app's caches."""
    return runs.translator().record(sentence)


def texts(words: list[dict[str, Any]], number: int) -> str:
    return "".join(" " * word["spaced"] + word["texts"][number] for word in words).strip()


def test_the_first_page_tells_both_sentences_and_their_translations() -> None:
    sent = told()
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        assert texts(sent["source"], number) == sentence
        assert texts(sent["target"], number) == runs.translator().translate(sentence).text
    assert sent["source"][sent["switch"]]["texts"] == ["tired", "wide"]
    assert sent["source"][sent["query"]]["texts"] == ["it", "it"]
    assert ["il", "elle"] in [word["texts"] for word in sent["target"]]
    assert [sent["source"][noun]["texts"][0] for noun in sent["nouns"]] == ["animal", "street"]


def test_its_weights_are_those_of_the_named_head_in_a_fresh_recording() -> None:
    sent = told()
    kind, place = sent["head"]["name"].split()
    layer, head = (int(part) - 1 for part in place.split("."))
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        recording = recorded(sentence)
        row = recording.source_tokens.index("▁it")
        weights = recording.attention(kind)[layer, head, row]
        shown = sent["weights"][number][sent["query"]]
        for noun, piece in zip(sent["nouns"], ("▁animal", "▁street"), strict=True):
            assert shown[noun] == pytest.approx(
                weights[recording.source_tokens.index(piece)], abs=1e-4
            )


def test_no_other_head_moves_more_from_one_noun_to_the_other() -> None:
    """Brute force over all heads that look at the source from the step or from "it"."""
    found = swings.swing(TIRED_OR_WIDE)
    first, second = recorded(TIRED_OR_WIDE.first), recorded(TIRED_OR_WIDE.second)
    animal, street = (first.source_tokens.index(piece) for piece in ("▁animal", "▁street"))
    rows = {
        "cross": (first.target_tokens.index("il") - 1, second.target_tokens.index("elle") - 1),
        "encoder": (first.source_tokens.index("▁it"),) * 2,
    }
    for kind, (one, other) in rows.items():
        before, after = first.attention(kind)[:, :, one], second.attention(kind)[:, :, other]  # pyright: ignore
        moved = np.minimum(
            before[..., animal] - after[..., animal], after[..., street] - before[..., street]
        )
        assert found.moved >= moved.max() - 1e-5
    assert found.kind in KINDS
    assert found.moved > 0.5


def test_the_chances_of_both_pronouns_are_the_models() -> None:
    sent = told()
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        recording = recorded(sentence)
        row = recording.target_tokens.index(("il", "elle")[number]) - 1
        logits = recording.logits[row].astype(np.float64)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        ids = [runs.translator().tokenizer.id(piece) for piece in ("il", "elle")]
        assert sent["likely"][number] == pytest.approx(chances[ids], abs=1e-5)


def test_the_story_has_no_sentence_box_and_no_plotly() -> None:
    page = AppTest.from_file(str(MAIN), default_timeout=240).run()
    assert not page.text_input
    assert not page.get("plotly_chart")


def test_two_sentences_that_part_in_nothing_tell_no_story() -> None:
    same = StoryPair("The cat.", "The cat.", "it", ("cat", "dog"), ("chat", "chien"))
    assert pairs.pair(same.first, same.second).decision is None
    with pytest.raises(ValueError, match="no head decides"):
        swings.swing(same)


def test_nouns_that_are_not_there_are_named() -> None:
    wrong = StoryPair(
        TIRED_OR_WIDE.first, TIRED_OR_WIDE.second, "it", ("cat", "dog"), ("chat", "chien")
    )
    with pytest.raises(ValueError, match="no word 'cat'"):
        swings.swing(wrong)


@pytest.mark.parametrize(
    ("kind", "query", "key", "nouns"),
    [
        ("encoder", "it", "animal", ("source", "source")),
        ("decoder", "il", "rue", ("target", "target")),
        ("cross", "il", "street", ("target", "source")),
    ],
)
def test_a_head_of_any_kind_can_tell_the_story(
    kind: Kind, query: str, key: str, nouns: tuple[str, str]
) -> None:
    """Another checkpoint may decide in the encoder: the same words, other sides."""
    pair = pairs.pair(TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)
    found = story(pair, TIRED_OR_WIDE, Swing(kind, 3, 2, (1, 0), (0, 1)))
    assert (found.query_side, found.key_side) == nouns
    words = {"source": found.source, "target": found.target}
    assert words[found.query_side][found.query].texts[0] == query
    keys = [word.texts[0] for word in words[found.key_side]]
    recording = recorded(TIRED_OR_WIDE.first)
    queries, tokens = recording.tokens(kind)
    row = queries.index("▁it") if kind == "encoder" else queries.index("il") - 1
    expected = recording.attention(kind)[3, 2, row, tokens.index("▁" + key)]
    assert found.weights[0, found.query, keys.index(key)] == pytest.approx(expected, abs=1e-5)


def test_lessons_of_the_model_in_use_come_first_and_others_name_theirs() -> None:
    own = [lesson["scenes"] for lesson in told()["lessons"]]
    assert ", with zh-en" in own[-1]
    assert not any("with" in scenes for scenes in own[:-1])
    page = AppTest.from_file(str(MAIN), default_timeout=240)
    page.query_params["model"] = "zh-en"
    sent = components(page.run())[0].proto
    chinese = [one["scenes"] for one in json.loads(json.loads(sent.json)["text"])["lessons"]]
    assert "with" not in chinese[0]
    assert all(scenes.endswith(", with en-fr") for scenes in chinese[1:])
