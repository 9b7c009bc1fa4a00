"""The strategies on a Transformer: cached against plain, stepwise against teacher-forced."""

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from model import Beam, Greedy, Sampling, Translator, load_translator
from model.decoding.cached_scorer import CachedScorer
from model.decoding.steps import Choice, Scorer, Strategy
from model.results import Source
from model.transformer.transformer import Transformer
from tests.model.decoding.plain_beam import PlainBeam

STRATEGIES: list[Strategy] = [Greedy(), Beam(3), Sampling(seed=1)]
SENTENCE = "The animal didn't cross the street because it was too tired."
SENTENCES = [
    "I love you.",
    "The cat is black.",
    "She works at the bank.",
    "We have to leave now.",
    "What time is it?",
    "My brother bought a new car yesterday.",
    "The children are playing in the garden.",
    "He did not understand the question.",
    "It is raining today.",
    "They live in a small house near the river.",
    "Can you help me?",
    "The book on the table is mine.",
    "I arrived at the bank after crossing the river.",
    "Her father is a doctor.",
    "This city is very old.",
    "Thinking machines",
    "The quick brown fox jumps over the lazy dog.",
    "You should read this letter.",
    "The train leaves at eight o'clock.",
    SENTENCE,
]


def plain_scorer(model: Transformer, src: Sequence[int]) -> Scorer:
    """Run the whole prefix every time, without a cache."""
    memory, mask = model.encode(torch.tensor([src]))

    def score(prefixes: Tensor) -> Tensor:
        rows = len(prefixes)
        return model.decode(prefixes, memory.expand(rows, -1, -1), mask.expand(rows, -1, -1))[:, -1]

    return score


def both(translator: Translator) -> tuple[Scorer, Scorer]:
    src = translator.source(SENTENCE).ids
    memory, mask = translator.model.encode(torch.tensor([src]))
    return CachedScorer(translator.model, memory, mask), plain_scorer(translator.model, src)


@pytest.mark.parametrize(
    "calls",
    [
        [[[1]], [[1, 9]], [[1, 9, 7]], [[1, 9, 7, 30]]],
        [[[1]], [[1, 9], [1, 8], [1, 7]], [[1, 7, 4], [1, 9, 5], [1, 7, 6]]],
        [[[1, 9, 7]], [[1, 9, 7, 5, 6]]],
        [[[1, 9, 7]], [[1, 8, 7, 5]]],
        [[[1, 9, 7]], [[1, 9, 7]], [[1, 9]]],
        [[[1, 9, 7]], [[1, 9, 7, 5, 6]], [[1, 9, 7]]],
        [[[1, 9, 7]], [[1, 9, 7], [1, 9, 7]]],
        [[[1, 0, 7]], [[1, 0, 7, 0]], [[1, 0, 7, 0, 5]]],
    ],
    ids=[
        *("one by one", "reordered rows", "two at once", "other prefix", "shorter"),
        *("back to the run before", "one twice", "padding"),
    ],
)
def test_cached_scores_are_the_plain_ones(
    translator: Translator, calls: list[list[list[int]]]
) -> None:
    cached, plain = both(translator)
    for call in calls:
        prefixes = torch.tensor(call)
        torch.testing.assert_close(cached(prefixes), plain(prefixes), atol=1e-4, rtol=1e-4)


def decoded(translator: Translator, strategy: Strategy) -> tuple[Source, list[Choice]]:
    source = translator.source(SENTENCE)
    return source, list(translator.choices(source, strategy))


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_translations_are_those_of_the_plain_scorer(
    translator: Translator, strategy: Strategy
) -> None:
    source, choices = decoded(translator, strategy)
    limits = translator.limits(source)
    plain = list(strategy.steps(plain_scorer(translator.model, source.ids), limits))
    assert [choice.chosen.id for choice in choices] == [choice.chosen.id for choice in plain]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_stepwise_probability_is_the_teacher_forced_one(
    translator: Translator, strategy: Strategy
) -> None:
    source, choices = decoded(translator, strategy)
    chosen = torch.tensor([[choice.chosen.id for choice in choices]])  # 1 T
    given = torch.cat([torch.tensor([[translator.tokenizer.begin_id]]), chosen[:, :-1]], dim=1)
    logits = translator.model(torch.tensor([source.ids]), given)  # 1 T V
    log_probs = logits.double().log_softmax(-1).gather(-1, chosen.unsqueeze(-1))
    stepwise = sum(choice.chosen.log_prob for choice in choices)
    assert stepwise == pytest.approx(float(log_probs.sum()), rel=1e-5)
    translation = translator.translate(SENTENCE, strategy)
    assert translation.log_prob == pytest.approx(float(log_probs.sum()), rel=1e-5)


def test_forcing_a_whole_translation_judges_it(translator: Translator) -> None:
    """Teacher forcing: ranks and probabilities are those of the recorded logits."""
    tokenizer = translator.tokenizer
    given = "L'animal dort."
    ids = tokenizer.encode(given)
    steps = list(translator.steps(SENTENCE, forced=(*ids, tokenizer.end_id)))
    logits = torch.tensor(translator.record(SENTENCE, given).logits)  # T V
    for step, row, id_ in zip(steps, logits, (*ids, tokenizer.end_id), strict=True):
        assert step.forced
        assert step.chosen.id == id_
        assert step.rank == row.argsort(descending=True).tolist().index(id_) + 1
        assert step.chosen.probability == pytest.approx(float(row.softmax(0)[id_]), abs=1e-5)
        assert step.alternatives[0].id == int(row.argmax())


def test_a_given_translation_may_be_longer_than_a_free_one(translator: Translator) -> None:
    ids = translator.tokenizer.encode("dort. " * 12)
    source = translator.source("The cat")
    assert len(ids) > translator.limits(source).max_length
    steps = list(translator.steps("The cat", forced=ids[:50]))
    assert [step.chosen.id for step in steps] == ids[:50]


def test_forcing_stops_at_the_models_limit(translator: Translator) -> None:
    steps = list(translator.steps("The cat", forced=[5] * 500))
    assert len(steps[-1].prefix) + 1 == translator.max_tokens


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_steps_and_translate_agree(translator: Translator, strategy: Strategy) -> None:
    steps = list(translator.steps(SENTENCE, strategy))
    translation = translator.translate(SENTENCE, strategy)
    chosen = tuple(step.chosen.token for step in steps if step.chosen.token != "</s>")
    assert chosen == translation.tokens
    total = math.fsum(math.log(step.chosen.probability) for step in steps)
    assert total == pytest.approx(translation.log_prob)


def test_tree_wins_with_the_translation(translator: Translator) -> None:
    source = translator.source(SENTENCE)
    tree = Beam(3).search(translator.scorer(source), translator.limits(source))
    kept = [id_ for id_ in tree.prefix(tree.winner)[1:] if id_ != translator.tokenizer.end_id]
    assert tuple(kept) == translator.translate(SENTENCE, Beam(3)).ids


@pytest.mark.parametrize("typed", ["", "   ", "\u0007", "▁", "+", "+zzzz"])
def test_a_piece_that_cannot_be_forced_says_so(translator: Translator, typed: str) -> None:
    with pytest.raises(ValueError, match="there is no"):
        translator.forced_ids(typed)


def test_forced_text_becomes_pieces(translator: Translator) -> None:
    tokenizer = translator.tokenizer
    assert list(translator.forced_ids("chat")) == tokenizer.encode("chat")
    assert translator.forced_ids("▁chat") == translator.forced_ids(" chat")
    assert translator.forced_ids("</s>") == (tokenizer.end_id,)
    inside = next(
        id_
        for id_ in range(len(tokenizer))
        if tokenizer.token(id_).isalpha() and len(tokenizer.token(id_)) > 1
    )
    assert translator.forced_ids("+" + tokenizer.token(inside)) == (inside,)


@pytest.fixture(scope="module")
def trained() -> Translator:
    return load_translator("en-fr")


@pytest.mark.parametrize("sentence", SENTENCES)
@torch.inference_mode()
def test_beam_scores_are_those_of_a_plain_search(trained: Translator, sentence: str) -> None:
    source, tokenizer = trained.source(sentence), trained.tokenizer
    plain = PlainBeam(plain_scorer(trained.model, source.ids), 4, 0.6, tokenizer.end_id)
    expected, score = plain.search(tokenizer.begin_id, trained.limits(source).max_length)
    tree = Beam(4, 0.6).search(trained.scorer(source), trained.limits(source))
    assert tree.nodes[tree.winner].score == pytest.approx(score, abs=1e-4)
    assert tree.prefix(tree.winner) == expected


@pytest.mark.parametrize(("pieces", "longest"), [(3, 16), (20, 50), (27, 64), (40, 64)])
def test_a_translation_has_room_for_twice_its_source_and_ten_pieces(
    translator: Translator, pieces: int, longest: int
) -> None:
    """The model has 64 positions."""
    source = Source("", (5,) * pieces, ("a",) * pieces, cut=False)
    assert translator.limits(source).max_length == longest
