"""Alignment learned from the texts alone, on a made-up language with a known dictionary."""

import random

from model.measures.atlas.aligning import align


def made_up(count: int) -> tuple[list[tuple[list[str], list[str]]], list[list[int]]]:
    """Sentences whose words are translated one by one and partly exchanged, and the answer."""
    rng = random.Random(0)
    pairs, answers = [], []
    for _ in range(count):
        source = [f"w{rng.randrange(40)}" for _ in range(rng.randint(3, 8))]
        order = list(range(len(source)))
        at = rng.randrange(len(source) - 1)
        order[at : at + 2] = order[at + 1], order[at]
        pairs.append((source, [source[n].upper().replace("W", "x") for n in order]))
        answers.append(order)
    return pairs, answers


def test_words_that_always_come_together_are_linked() -> None:
    pairs, answers = made_up(300)
    found = align(pairs)
    right = total = 0
    for links, order, (source, _) in zip(found, answers, pairs, strict=True):
        for s, t in links:
            total += 1
            right += source[s] == source[order[t]]
    assert total > 0.8 * sum(map(len, answers))
    assert right / total > 0.97


def test_more_pairs_teach_what_one_pair_cannot() -> None:
    pairs, _ = made_up(300)
    asked = [(["w1", "w2"], ["x2", "x1"])]
    assert align(asked, pairs) == [frozenset({(0, 1), (1, 0)})]


def test_case_is_ignored_and_nothing_gives_nothing() -> None:
    assert align([]) == []
    assert align([(["A"], ["B"]), (["a"], ["b"])]) == [frozenset({(0, 0)})] * 2
    assert align([([], ["b"]), (["a"], [])]) == [frozenset(), frozenset()]
