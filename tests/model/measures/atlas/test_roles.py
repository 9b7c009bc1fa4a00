"""Roles on made-up attention: what each role gets is known beforehand."""

import numpy as np
import pytest

from model.measures.atlas.roles import Grammar, Sentence, even, masks_of, masses
from model.sites.sites import Kind

SOURCE = ["▁The", "▁cat", "▁did", "n", "'", "t", "▁eat", "▁it", ".", "</s>"]
TARGET = ["<s>", "▁Le", "▁chat", "▁ne", "▁l", "'", "a", "▁pas", "▁mangé", "."]
NOTHING = Sentence("", (), 0)


def on(kind: Kind, keys: dict[int, int], default: int | None = None) -> np.ndarray:
    """Attention (1, 1, Q, K) of which each query gives all to one key."""
    queries = len(SOURCE if kind == "encoder" else TARGET)
    width = len(TARGET if kind == "decoder" else SOURCE)
    weights = np.zeros((1, 1, queries, width))
    for query in range(queries):
        key = keys.get(query, query if default is None else default)
        weights[0, 0, query, min(key, width - 1)] = 1
    return weights


def score(kind: Kind, role: str, weights: np.ndarray, sentence: Sentence = NOTHING) -> float:
    links = frozenset({(1, 1)})
    masks, _ = masks_of(kind, (SOURCE, TARGET), sentence, links)
    found = dict(masks)
    sums, counts = masses(weights, [found[role]])  # pyrefly: ignore[bad-index]
    return float(sums.item() / counts.item())


@pytest.mark.parametrize(
    ("kind", "role", "step"),
    [
        ("encoder", "previous", -1),
        ("encoder", "next", 1),
        ("encoder", "same", 0),
        ("decoder", "previous", -1),
        ("decoder", "same", 0),
    ],
)
def test_a_head_that_looks_at_a_neighbour_has_that_role_alone(
    kind: Kind, role: str, step: int
) -> None:
    keys = {query: max(query + step, 0) for query in range(10)}
    weights = on(kind, keys)
    assert score(kind, role, weights) == 1
    others = {"previous", "next", "same"} - {role} - ({"next"} if kind == "decoder" else set())
    assert all(score(kind, other, weights) <= 0.12 for other in others)


def test_the_first_key_the_end_and_marks_are_columns() -> None:
    assert score("encoder", "first", on("encoder", {}, 0)) == 1
    assert score("cross", "end", on("cross", {}, 9)) == 1
    assert score("encoder", "punctuation", on("encoder", {}, 8)) == 1
    assert score("encoder", "end", on("encoder", {}, 8)) == 0


def test_where_only_one_key_is_seen_nothing_is_chosen() -> None:
    masks, _ = masks_of("decoder", (SOURCE, TARGET), NOTHING)
    assert not masks["first"][0].any()
    assert not masks["same"][0].any()
    assert masks["first"][1:, 0].all()


def test_alignment_tells_what_was_given_from_what_is_predicted() -> None:
    # The word "cat", piece 1, translates "chat", piece 1 of the target: row 1 predicts it.
    assert score("cross", "aligned_predicted", on("cross", {1: 1}, 9)) == 1
    assert score("cross", "aligned_given", on("cross", {1: 1}, 9)) == 0
    assert score("cross", "aligned_given", on("cross", {2: 1}, 9)) == 1


def test_pas_looks_for_its_ne() -> None:
    masks, _ = masks_of("decoder", (SOURCE, TARGET), NOTHING)
    assert np.argwhere(masks["ne"]).tolist() == [[6, 3]]  # "pas" is written from row 6
    plain, _ = masks_of("decoder", (SOURCE, ["<s>", "▁pas", "▁mal"]), NOTHING)
    assert not plain["ne"].any()


def test_grammar_is_read_by_words_and_held_against_the_other_noun() -> None:
    grammar = (
        Grammar("subject", 3, (1,)),
        Grammar("antecedent", 4, (1,), (3,), ("a",)),
    )
    known = Sentence("The cat didn't eat it.", grammar, 6)
    masks, against = masks_of("encoder", (SOURCE, TARGET), known)
    assert np.argwhere(masks["subject"]).tolist() == [[6, 1]]
    assert np.argwhere(masks["antecedent"]).tolist() == [[7, 1]]
    assert np.argwhere(against["antecedent"]).tolist() == [[7, 6]]
    cross, other = masks_of("cross", (SOURCE, TARGET), known)
    assert np.argwhere(cross["antecedent"]).tolist() == [[5, 1]]  # "a" is written from row 5
    assert np.argwhere(other["antecedent"]).tolist() == [[5, 6]]


def test_grammar_of_a_text_that_is_cut_into_other_words_counts_for_nothing() -> None:
    known = Sentence("", (Grammar("subject", 3, (1,)),), 7)
    assert "subject" not in masks_of("encoder", (SOURCE, TARGET), known)[0]


def test_even_attention_has_the_role_by_chance() -> None:
    masks, _ = masks_of("decoder", (SOURCE, TARGET), NOTHING)
    weights = np.tril(np.ones((10, 10)))
    weights /= weights.sum(1, keepdims=True)
    for role in ("previous", "first", "ne"):
        sums, _ = masses(weights[None, None], [masks[role]])
        assert sums.item() == pytest.approx(even("decoder", masks[role]))
