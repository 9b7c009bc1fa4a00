import numpy as np
import pytest

from model.recording.recording import Recording
from model.sites.sites import Kind
from model.words import SPECIAL_TOKENS, WORD_START
from tests.sentences import OURS, TIRED_OR_WIDE
from viz.compute import ancestors, cuts, openings, runs, swings
from viz.figures.labels import writing


@pytest.mark.parametrize("sentence", [TIRED_OR_WIDE.first, TIRED_OR_WIDE.second])
def test_a_known_sentence_opens_on_the_head_and_the_token_that_decide(sentence: str) -> None:
    found, swing = openings.opening(sentence), swings.swing()
    assert found.measured
    assert (found.kind, *found.head(found.kind)) == (swing.kind, swing.layer, swing.head)
    recording = runs.run(sentence).recording
    assert recording.source_tokens[found.word] == "▁it"
    assert recording.target_tokens[found.step + 1] in ("il", "elle")


@pytest.mark.parametrize("sentence", [TIRED_OR_WIDE.first, TIRED_OR_WIDE.second])
def test_a_known_sentence_opens_each_kind_at_the_head_whose_arc_the_story_draws(
    sentence: str,
) -> None:
    found = openings.opening(sentence)
    cross, encoder = cuts.heads(TIRED_OR_WIDE)
    assert (cross.kind, encoder.kind) == ("cross", "encoder")
    for head in (cross, encoder):
        assert found.head(head.kind) == (head.layer, head.head)
    weights = runs.run(sentence).recording.attention("cross")[cross.layer, cross.head]
    assert weights[found.step, found.word] > 0.9


def test_every_kind_in_which_a_head_moves_between_the_nouns_opens_on_it() -> None:
    found = openings.opening(TIRED_OR_WIDE.first)
    swings_found = swings.swings()
    assert [swing.moved for swing in swings_found] == sorted(
        (swing.moved for swing in swings_found), reverse=True
    )
    clear = [swing for swing in swings_found if swing.moved >= openings.CLEAR]
    assert clear  # else nothing is tested
    for swing in clear:
        assert found.head(swing.kind) == (swing.layer, swing.head)


@pytest.mark.parametrize(
    "sentence", ["I arrived at the bank after crossing the river.", "The dog sleeps."]
)
def test_another_opens_on_the_head_that_looks_at_the_word_it_writes(sentence: str) -> None:
    found, recording = openings.opening(sentence), runs.run(sentence).recording
    assert not found.measured
    aligned = ancestors.best_aligned()
    assert (found.kind, found.head("cross")) == ("cross", aligned)
    query = recording.target_tokens[found.step]
    assert is_word(query)
    others: tuple[Kind, ...] = ("encoder", "decoder")
    for kind in others:
        layers, heads = recording.attention(kind).shape[:2]
        means = np.array(
            [
                [mean_look(recording, kind, layer, head) for head in range(heads)]
                for layer in range(layers)
            ]
        )
        assert means[found.head(kind)] == pytest.approx(means.max())


def mean_look(recording: Recording, kind: Kind, layer: int, head: int) -> float:
    """Average the strongest weights on a word, one query and one key after another."""
    queries, keys = recording.tokens(kind)
    strongest = []
    for row, query in enumerate(queries):
        looks = [
            float(recording.attention(kind)[layer, head, row, place])
            for place, key in enumerate(keys)
            if is_word(query) and is_word(key) and (kind == "cross" or abs(place - row) > 1)
        ]
        strongest += [max(looks)] if looks else []
    return float(np.mean(strongest)) if strongest else 0.0


def is_word(token: str) -> bool:
    return token not in SPECIAL_TOKENS and any(letter.isalnum() for letter in token)


def test_nothing_opens_without_a_sentence() -> None:
    with pytest.raises(ValueError, match="text"):
        openings.opening("")


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Mary met Tom in Paris.", ("Mary", "Tom", "Paris")),
        ("Tom lives in Boston.", ("Tom", "Boston")),
        ("I was born in 1985.", ("19",)),
    ],
)
def test_the_row_that_is_labelled_as_writing_a_name_looks_at_that_name(
    sentence: str, names: tuple[str, ...]
) -> None:
    """Names are copied: so it shows at once when a picture is off by one word."""
    found, recording = openings.opening(sentence), runs.run(sentence).recording
    weights = recording.attention("cross")[found.head("cross")]
    labels = [writing(recording.target_tokens, row) for row in range(len(weights))]
    for name in names:
        row, key = labels.index(f"writing ·{name}"), recording.source_tokens.index(f"▁{name}")
        assert weights[row].argmax() == key
        assert weights[row, key] > 0.5


def test_a_head_that_mixes_opens_at_a_step_that_begins_a_word() -> None:
    sentences = (
        "The old baker (my neighbour) sold the bread because it was stale.",
        "THE TEACHER GAVE THE CHILDREN A BOOK.",
        *OURS.texts[::12],
    )
    found = [(one, mixing) for one in sentences for mixing in openings.mixing(one)]
    in_cross = [(one, mixing) for one, mixing in found if mixing.kind == "cross"]
    assert len(in_cross) > 2
    for sentence, mixing in in_cross:
        written = (*runs.run(sentence).translation.tokens, "</s>")[mixing.query]
        assert written.startswith(WORD_START)
        assert is_word(written)
