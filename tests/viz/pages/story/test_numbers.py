"""The story's words: what stands for what in both sentences, and what a head gives to a word."""

from types import MappingProxyType
from typing import cast

import numpy as np
import pytest

from model.measures.minimal_pairs import Slot, align
from model.recording.recording import Recording
from model.sites.sites import Kind, attention_site
from model.words import Word, words_of
from tests.sentences import TIRED_OR_WIDE
from tests.viz.inputs import CONFIG
from viz.compute.cuts import ArcHead, Cuts
from viz.compute.pairs import Pair
from viz.pages.story.numbers import (
    ShownWord,
    _in_its_word,
    _shown,
    _slot_of,
    _versions,
    _weights,
    story,
)

FIRST = ["▁the", "▁an", "imal", "▁was", "▁ti", "red"]
SECOND = ["▁the", "▁an", "imal", "▁was", "▁very", "▁wi", "de", "."]


def aligned() -> tuple[list[Word], list[Word], list[Slot]]:
    one, other = words_of(FIRST), words_of(SECOND)
    return one, other, align([word.text for word in one], [word.text for word in other])


def test_words_stand_beside_each_other_with_their_pieces() -> None:
    one, other, slots = aligned()
    assert _shown(slots, one, other) == (
        ShownWord(("the", "the"), True, ((0, 0), (0, 0))),
        ShownWord(("animal", "animal"), True, ((1, 2), (1, 2))),
        ShownWord(("was", "was"), True, ((3, 3), (3, 3))),
        ShownWord(("tired", "very wide."), True, ((4, 5), (4, 7))),
    )
    assert [word.changes for word in _shown(slots, one, other)] == [False] * 3 + [True]


def test_a_word_that_only_one_sentence_has_leaves_the_other_empty() -> None:
    one, other = words_of(["▁a", "▁b", "."]), words_of(["▁a", "."])
    slots = align([word.text for word in one], [word.text for word in other])
    assert _shown(slots, one, other)[1] == ShownWord(("b", ""), True, ((1, 1), None))
    assert _shown(slots, one, other)[2].spaced is False
    turned = align([word.text for word in other], [word.text for word in one])
    assert _shown(turned, other, one)[1] == ShownWord(("", "b"), True, (None, (1, 1)))


def test_the_slot_of_a_word_is_found_from_either_sentence() -> None:
    one, other, slots = aligned()
    assert [_slot_of(slots, one, word, 0) for word in one] == [0, 1, 2, 3]
    assert [_slot_of(slots, other, word, 1) for word in other] == [0, 1, 2, 3, 3, 3]


@pytest.mark.parametrize(
    ("step", "piece", "name"),
    [
        (0, "▁il", "il"),
        (1, "▁cro", "cro(chu)"),
        (2, "chu", "(cro)chu"),
        (3, "▁", "\N{OPEN BOX}(Zoé)"),
        (1, "▁plein", "plein"),
        (9, "</s>", "</s>"),
    ],
)
def test_a_piece_is_named_with_the_rest_of_its_word(step: int, piece: str, name: str) -> None:
    tokens = ["▁il", "▁cro", "chu", "▁", "Z", "oé"]
    assert _in_its_word(piece, tokens, step) == name


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_words_first_piece_asks_and_all_its_pieces_are_looked_at(kind: Kind) -> None:
    """In the decoder row t writes piece t, and the begin token stands before the keys."""
    one, other, slots = aligned()
    size = len(SECOND) + 1
    weights = np.random.default_rng(0).uniform(size=(3, size, size)).astype(np.float32)
    arrays = MappingProxyType({attention_site(kind, 0, "weights"): weights})
    arrays = {**arrays, **{attention_site(kind, n, "weights"): weights + n for n in (1, 2)}}
    recording = Recording(CONFIG, (), (), [], [], (), MappingProxyType(arrays))
    asked = ArcHead(kind, 1, 2)
    found = _weights(recording, asked, (other, other), (slots, slots), 1)
    later = int(kind == "decoder")
    head = weights[2].astype(float) + 1
    spans = [(0, 0), (1, 2), (3, 3), (4, 7)]
    expected = [
        [head[row, first + later : last + later + 1].sum() for first, last in spans]
        for row, _last in spans
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    # A word that the first sentence alone has neither asks nor is looked at in the second.
    short = words_of(["▁the", "▁an", "imal"])
    cut = align([word.text for word in one], [word.text for word in short])
    missing = _weights(recording, asked, (short, short), (cut, cut), 1)
    assert not missing[2:].any()
    assert not missing[:, 2:].any()


def test_translations_that_do_not_part_tell_no_story() -> None:
    class Same:
        decision = None

    with pytest.raises(ValueError, match=r"^both translations are the same: there is no story"):
        story(cast(Pair, Same()), TIRED_OR_WIDE, cast(Cuts, None))


def test_a_changed_translation_is_a_version_with_as_many_words() -> None:
    own = [words_of(["▁il", "▁est", "▁fort"]), words_of(["▁elle", "▁est", "▁for", "te"])]
    tired, wide = ("▁il", "▁est", "▁fort"), ("▁elle", "▁est", "▁for", "te")
    written = ((tired, wide, ("▁il", "▁dort")), (wide, ("▁elle", "▁est", "▁fort"), wide))
    versions, numbers = _versions(own, written)
    assert numbers == ((0, 2, None), (1, 3, 1))
    assert [place for place, _words in versions] == [0, 1]
    slots = align([word.text for word in own[0]], [word.text for word in own[1]])
    shown = _shown(slots, own[0], own[1], versions)
    assert [word.texts for word in shown] == [
        ("il", "elle", "elle", "elle"),
        ("est",) * 4,
        ("fort", "forte", "forte", "fort"),
    ]
