from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from numpy.typing import NDArray

from model.checkpoints.examples import StoryPair
from model.recording.history import CUTS, History, KnownSentence, not_measured
from model.sites.sites import KINDS, Kind
from viz.pages.learning.marks import (
    Mark,
    _weight,
    becomes_cause,
    find_marks,
    looks_before,
    phrases,
    words,
)

TIRED = KnownSentence(
    "The cat slept because it was tired.",
    "Le chat a dormi car il était fatigué.",
    ("a",) * 4,
    ("b",) * 3,
)
WARM = KnownSentence(
    "The cat slept because it was warm.",
    "Le chat a dormi car elle était chaude.",
    ("a",) * 4,
    ("b",) * 3,
)
OTHER = KnownSentence("Thank you.", "Merci.", ("a",) * 4, ("b",) * 3)


def history(
    sentences: tuple[KnownSentence, ...], translations: tuple[tuple[str, ...], ...]
) -> History:
    """A history in which every head looks at the first key."""
    moments = len(translations)
    shapes: dict[Kind, tuple[int, int]] = {"encoder": (4, 4), "decoder": (3, 3), "cross": (3, 4)}
    arrays: dict[tuple[int, Kind], NDArray[np.uint8]] = {}
    for number in range(len(sentences)):
        for kind, (queries, keys) in shapes.items():
            arrays[number, kind] = np.zeros((moments, 2, 2, queries, keys), np.uint8)
            arrays[number, kind][..., 0] = 255
    steps, losses = np.arange(moments), np.ones(moments, np.float32)
    cuts = not_measured(len(steps))
    return History(steps, losses, sentences, translations, MappingProxyType(arrays), cuts)


def texts(marks: tuple[Mark, ...]) -> list[tuple[int, str]]:
    return [(mark.moment, mark.text) for mark in marks if mark.head is None]


def measured(right: Sequence[float], cut: Sequence[float]) -> History:
    """A history of unmeasured moments, then of those with these shares."""
    found = history((OTHER,), (("",),) * (1 + len(right)))
    cuts = not_measured(len(found.steps))
    cuts[1:, CUTS.index("none")], cuts[1:, CUTS.index("link")] = right, cut
    return replace(found, cuts=cuts, runs=(0, 1))


def test_a_link_is_a_cause_from_the_moment_on_that_its_cut_costs_a_quarter() -> None:
    assert becomes_cause(history((OTHER,), (("",),) * 4)) is None  # nothing was measured
    cause = becomes_cause(measured((0.9, 0.75, 0.9), (0.9, 0.625, 0.5)))
    assert cause is not None
    assert (cause.measured, cause.dip, cause.moment) == (1, (2,), 3)
    assert round(cause.points) == 40  # what it costs there, and not what it must cost at least
    assert becomes_cause(measured((0.9, 0.95, 0.9), (0.9, 0.75, 0.8))) is None


@pytest.mark.parametrize(("cut", "trained"), [(0.875, True), (0.25, False)])
def test_a_model_is_trained_for_a_link_that_it_did_without_before(
    cut: float, trained: bool
) -> None:
    known = measured((0.9, 0.9), (cut, 0.375))
    cause = becomes_cause(known)
    assert cause is not None
    assert cause.trained == trained
    earlier = becomes_cause(replace(known, runs=(0,)))  # no run began there: nobody knows
    assert earlier is not None
    assert not earlier.trained


def test_an_apostrophe_ends_a_word() -> None:
    found = words("L'animal, parce qu'il est là !")
    assert found == ["l'", "animal", "parce", "qu'", "il", "est", "là"]
    assert words("L\u2019eau") == ["l'", "eau"]
    assert phrases("L'animal et la rue") == [("l'", "animal"), ("la", "rue")]


def test_the_first_right_article_is_one_with_its_noun() -> None:
    found = find_marks(
        history((TIRED,), (("le le",), ("la chat",), ("il a le chat",), ("Le chat.",))), 0
    )
    assert texts(found) == [(2, "first right article: le chat")]
    short = replace(OTHER, target="L'eau.")
    found = find_marks(history((short,), (("Le eau.",), ("De l'eau.",))), 0)
    assert texts(found) == [(1, "first right article: l'eau")]


def test_the_whole_sentence_is_marked_where_it_is_the_reference() -> None:
    found = find_marks(history((OTHER,), (("Oui.",), ("Merci.",), ("Merci.",))), 0)
    assert texts(found) == [(1, "the whole sentence as the reference has it")]


def test_il_and_elle_need_both_sentences_to_be_right() -> None:
    il, elle = "Le chat, il dort.", "La chat, elle dort."
    moments = ((il, il), (elle, elle), (elle, il), (il, elle), (il, elle))
    known = history((TIRED, WARM, OTHER), tuple((*moment, "") for moment in moments))
    assert (3, "il here, elle in the sentence one word apart") in texts(find_marks(known, 0))
    assert (3, "elle here, il in the sentence one word apart") in texts(find_marks(known, 1))
    assert texts(find_marks(known, 2)) == []


def test_two_sentences_with_the_same_pronoun_are_no_twins() -> None:
    known = history((TIRED, TIRED), (("il", "il"),))
    assert texts(find_marks(known, 0)) == []


def test_the_head_that_looks_at_the_token_before_is_named() -> None:
    known = history((OTHER,), (("",), ("",), ("",)))
    arrays = dict(known.arrays)
    decoder = arrays[0, "decoder"].copy()
    decoder[1:, 1, 0] = 0
    for query in (1, 2):
        decoder[1:, 1, 0, query, query - 1] = 255
    arrays[0, "decoder"] = decoder
    # Looking at the first of three keys is looking at the one before in half of the rows.
    for kind in ("encoder", "decoder"):
        arrays[0, kind][0] = arrays[0, kind][0] // 3
    found = find_marks(
        History(
            known.steps,
            known.dev_loss,
            known.sentences,
            known.translations,
            MappingProxyType(arrays),
            known.cuts,
        ),
        0,
    )
    (mark,) = [mark for mark in found if mark.head]
    assert mark.moment == 1
    assert mark.head == ("decoder", 1, 0)
    assert mark.text == "a head that looks at the token before: decoder 2.1"


def test_both_pronouns_are_named_where_a_sentence_has_both() -> None:
    both = replace(TIRED, target="Il dit qu'elle dort.")
    known = history((both, WARM), (("", ""),))
    assert texts(find_marks(known, 0)) == []  # no twin: it has both


def test_of_two_kinds_the_earlier_head_is_named() -> None:
    known = history((OTHER,), (("",), ("",)))
    arrays = {key: values.copy() for key, values in known.arrays.items()}
    begins: dict[Kind, int] = {"encoder": 1, "decoder": 0}
    for kind, moment in begins.items():
        arrays[0, kind][:] = 0
        for query in range(1, arrays[0, kind].shape[-1]):
            arrays[0, kind][moment:, 0, 1, query, query - 1] = 255
    found = find_marks(replace(known, arrays=MappingProxyType(arrays)), 0)
    assert [(mark.moment, mark.head) for mark in found if mark.head] == [(0, ("decoder", 0, 1))]
    arrays[0, "encoder"][0] = arrays[0, "encoder"][1]  # at once in both: the encoder's is named
    found = find_marks(replace(known, arrays=MappingProxyType(arrays)), 0)
    assert [(mark.moment, mark.head) for mark in found if mark.head] == [(0, ("encoder", 0, 1))]


def test_the_token_before_is_below_the_diagonal() -> None:
    weights = np.zeros((2, 3, 3), np.uint8)
    weights[0, 1, 0], weights[0, 2, 1] = 255, 51
    assert looks_before(weights) == pytest.approx([0.6, 0.0])
    assert looks_before(np.zeros((5, 1, 1), np.uint8)).tolist() == [0] * 5


def test_marks_stand_in_the_order_of_the_moments() -> None:
    found = find_marks(history((TIRED,), (("Le chat",), (TIRED.target,), ("",))), 0)
    assert [mark.moment for mark in found] == sorted(mark.moment for mark in found)


def test_a_head_that_tells_what_it_stands_for_looks_at_the_right_noun_in_both() -> None:
    story = StoryPair("I pet it", "I warm it", "it", ("cat", "mat"), ("chat", "tapis"))
    shared = ("▁cat", "▁mat", "▁it", "</s>")
    one, two = (
        replace(TIRED, source=story.first, source_tokens=shared),
        replace(WARM, source=story.second, source_tokens=shared),
    )
    known = history((one, two), (("il", "elle"),) * 3)
    arrays = {key: values.copy() for key, values in known.arrays.items()}
    for number in range(2):
        arrays[number, "encoder"][:, :, :, 2] = 255, 0, 0, 0  # everywhere at the cat
    moved = replace(known, arrays=MappingProxyType(arrays))
    assert found_from_it(moved, 0, story) == []
    arrays[1, "encoder"][2, 1, 0, 2] = 0, 200, 0, 55
    (mark,) = found_from_it(moved, 0, story)
    assert (mark.moment, mark.head) == (2, ("encoder", 1, 0))
    assert "at cat here, at mat in" in mark.text
    assert mark.text == (
        "a head that looks from it at cat here, at mat in the sentence one word apart: encoder 2.1"
    )
    assert (mark.short, mark.cell) == ("looks", (2, 0, 0))
    cuts = not_measured(3)
    cuts[:, CUTS.index("none")], cuts[:, CUTS.index("link")] = 0.9, (0.9, 0.5, 0.5)
    flags = [one for one in find_marks(replace(moved, cuts=cuts), 0, story) if one.told]
    names = [(0, "trained for it"), (1, "matters"), (2, "looks")]
    assert [(one.moment, one.short) for one in flags] == names
    assert flags[1].text == "cutting the link from it costs 40 points"
    assert not any(one.told for one in find_marks(replace(moved, cuts=cuts), 0, None))
    (other,) = found_from_it(moved, 1, story)
    assert "at mat here, at cat in" in other.text
    assert found_from_it(moved, 0, None) == []
    third = replace(
        moved,
        sentences=(*moved.sentences, OTHER),
        translations=(("", "", ""),) * 3,
        arrays={**arrays, **{(2, kind): arrays[0, kind] for kind in KINDS}},
    )
    assert found_from_it(third, 2, story) == []
    np.testing.assert_allclose(_weight(moved, 1, "it", "mat")[2], [[0, 0], [200 / 255, 0]])
    np.testing.assert_allclose(_weight(moved, 0, "it", "cat"), 1)
    assert not _weight(moved, 1, "it", "it").any()
    assert found_from_it(moved, 0, replace(story, source=("cat", "dog"))) == []
    assert found_from_it(moved, 0, replace(story, second="I sell it")) == []
    assert found_from_it(moved, 0, replace(story, asks="")) == []
    arrays[1, "encoder"][2, 1, 0, 2] = 0, 100, 0, 155  # another word does not count
    assert found_from_it(moved, 0, story) == []


def found_from_it(known: History, sentence: int, story: StoryPair | None) -> list[Mark]:
    return [mark for mark in find_marks(known, sentence, story) if mark.short == "looks"]
