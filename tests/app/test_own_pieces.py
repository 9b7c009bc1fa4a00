"""A model whose target has pieces of its own: pages name them by their own vocabulary."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.learning.recipe import Recipe
from model.results import Translation
from model.translator import Translator
from model.words import words_of
from tests.app.conftest import OpenPage
from tests.app.shown import components, message
from tests.fixtures.marian_folder import SENTENCES
from viz.compute import learning, models, pairs, runs, weights
from viz.compute.runs import Subject
from viz.server.arguments import CHECKPOINT, name_models
from viz.shell.lessons import measures

SENTENCE = "The quick fox."


@pytest.fixture(scope="module", autouse=True)
def _named(apart: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHECKPOINT, "")
        name_models(["--checkpoint", str(apart)])
        yield


@pytest.fixture
def loaded() -> Translator:
    """The model; its two sides have other pieces, and the target has more."""
    translator = runs.translator()
    sizes = [len(side) for side in translator.tokenizers]
    assert translator.config.target_vocab_size == sizes[1] != sizes[0]
    return translator


@pytest.fixture(scope="module")
def names() -> list[str]:
    """The pieces of the target by id, read from the file."""
    path = models.folder_of("apart") / "target_vocab.json"
    ids = json.loads(path.read_text(encoding="utf-8"))
    return sorted(ids, key=ids.__getitem__)


def test_a_pair_names_its_beginning_and_both_pieces(names: list[str]) -> None:
    found = pairs.pair(SENTENCES[0], SENTENCES[1])
    assert found.decision is not None
    assert found.prefix == tuple(names[id_] for id_ in found.decision.prefix)
    assert found.pieces == (names[found.decision.first], names[found.decision.second])
    assert tuple(found.first.recording.target_tokens) == found.prefix


def test_the_same_translation_parts_where_its_pronoun_is_swapped(loaded: Translator) -> None:
    """The two texts are cut as the target is."""
    text = "il était fatigué."
    run = replace(runs.run(SENTENCE), translation=Translation(text, (), (), 0.0))
    found = pairs._decision((run, run))
    ids = [loaded.target_tokenizer.encode(one) for one in (text, text.replace("il ", "elle "))]
    assert found is not None
    step = len(found.prefix) - 1
    assert (found.first, found.second) == (ids[0][step], ids[1][step])


def test_a_training_example_is_named_and_smoothed_by_the_target(names: list[str]) -> None:
    found = learning.example(SENTENCE, "il était fatigué.", 0.1, True)
    assert found.target_tokens == tuple(names[id_] for id_ in found.target_ids)
    assert found.input_tokens == tuple(names[id_] for id_ in found.input_ids)
    assert found.probabilities.shape[1] == len(names)
    assert found.smoothing.other == pytest.approx(0.1 / len(names))
    assert learning.floors(np.array([0.1]))[0] == pytest.approx(found.smoothing.floor)


def test_rows_that_are_fed_are_named_by_the_target(names: list[str]) -> None:
    fed = learning.fed(SENTENCE, "il était fatigué.", 1.0, 0)
    found = learning.example(SENTENCE, "il était fatigué.", 0.1, True)
    assert [row.reference for row in fed.rows] == list(found.target_tokens)
    best = found.probabilities.argmax(axis=1)
    assert [row.said for row in fed.rows] == [names[id_] for id_ in best]


def test_steps_of_descent_end_in_the_target_s_words(loaded: Translator, names: list[str]) -> None:
    found = learning.descent(SENTENCE, "il était fatigué.", Recipe(steps=1, rate=0.01))
    ids = loaded.pair_ids(SENTENCE, "il était fatigué.")[1]
    assert found.input_tokens == tuple(names[id_] for id_ in ids[:-1])
    assert found.moments[0].translation == loaded.translate(SENTENCE).text


def test_what_the_decoder_scores_are_the_target_s_pieces(names: list[str]) -> None:
    scored, read = weights.vocabulary("output"), weights.vocabulary("source")
    assert scored.tokens == tuple(names)
    assert len(scored.embedding) == len(names) != len(read.embedding)
    recording = runs.run(SENTENCE).recording
    matrix, bias = weights.output_layer()
    last = recording.stream("decoder")[-1]
    np.testing.assert_allclose(last @ matrix.T + bias, recording.logits, rtol=0, atol=1e-4)


def test_a_lesson_measures_a_piece_of_the_target(names: list[str]) -> None:
    recording = runs.run(SENTENCE).recording
    word = words_of(recording.target_tokens[1:])[-1]
    powers = np.exp(recording.logits[word.first].astype(np.float64))
    chance = powers[names.index(recording.target_tokens[word.first + 1])] / powers.sum()
    found = measures.measure(f"probability of {word.text}", Subject(SENTENCE))
    assert found == pytest.approx(chance, rel=1e-4)


def test_the_decoder_page_lists_the_target_s_pieces(open_page: OpenPage, names: list[str]) -> None:
    page = open_page("decoder", sentence=SENTENCE)
    sent = next(
        message(one) for one in components(page) if one.proto.component_name == "step_decoder"
    )
    assert sent["vocabulary"] == len(names)
    for step in sent["branches"][0]["steps"]:
        assert all(name == names[id_] for id_, name, _log_prob in step["top"])
