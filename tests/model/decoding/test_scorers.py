"""What both scorers give is what the model gives, and they do not compute a thing twice."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from model.decoding.cached_scorer import CachedScorer
from model.decoding.draft import guess
from model.decoding.edited_scorer import EditedScorer
from model.decoding.known_scorer import KnownScorer
from model.decoding.quick_decoder import QuickDecoder
from model.decoding.sampling import Sampling
from model.decoding.steps import Limits, Scorer
from model.interventions.base import Lengths, Sizes
from model.interventions.compiled import compiled
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, HideSource
from model.recording.recording import record
from model.sites.tap import Edit
from model.transformer.transformer import Transformer

SOURCE, TARGET = [40, 41, 42, 2], [1, 60, 61, 62]
OFF = AblateHead("encoder", 0, 1)


class Counting:
    """A model that counts the pieces that it decodes."""

    def __init__(self, model: Transformer) -> None:
        self.config, self.encode, self.pieces, self._model = model.config, model.encode, 0, model

    def decode(self, tgt: Tensor, *rest: object, **named: object) -> Tensor:
        """Decode, and count: what the cache holds already costs nothing."""
        logits = self._model.decode(tgt, *rest, **named)  # pyrefly: ignore[bad-argument-type]
        self.pieces += max(1, logits.shape[0] * logits.shape[1])
        return logits


def edits_of(model: Transformer, *interventions: AblateHead | HideSource) -> dict[str, Edit]:
    sizes = Sizes(model.config, Lengths(len(SOURCE), len(TARGET)))
    return dict(compiled(interventions, sizes).edits)


def assert_scored(model: Transformer, scorer: Scorer, rows: list[list[int]]) -> None:
    """Hold the logits of rows against those of the model, each row run whole."""
    found = scorer(torch.tensor(rows))
    for row, logits in zip(rows, found, strict=True):
        expected = model.decode(torch.tensor([row]), *model.encode(torch.tensor([SOURCE])))
        torch.testing.assert_close(logits, expected[0, -1], atol=1e-4, rtol=1e-4)


def test_an_edited_encoder_is_what_later_steps_read(model: Transformer) -> None:
    scorer = EditedScorer(model, SOURCE, edits_of(model, OFF))
    found = scorer(torch.tensor([TARGET]))
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    edited, plain = (record(model, SOURCE, TARGET, *names, one) for one in ([OFF], []))
    expected = torch.tensor(edited.logits[-1])
    torch.testing.assert_close(found[0], expected, atol=1e-4, rtol=1e-4)
    assert not torch.allclose(found[0], torch.tensor(plain.logits[-1]), atol=1e-3)


def test_several_prefixes_are_scored_beside_each_other(model: Transformer) -> None:
    scorer = EditedScorer(model, SOURCE, edits_of(model, OFF))
    rows = torch.tensor([[1, 60], [1, 70], [1, 80]])
    found = scorer(rows)
    for row, logits in zip(rows, found, strict=True):
        torch.testing.assert_close(logits, scorer(row[None])[0], atol=1e-4, rtol=1e-4)


def test_a_draft_is_scored_once_as_long_as_it_is_followed(model: Transformer) -> None:
    counting = Counting(model)
    scorer = EditedScorer(counting, SOURCE, {}, TARGET)
    for length in range(1, len(TARGET) + 1):
        assert_scored(model, scorer, [TARGET[:length]])
    assert counting.pieces == len(TARGET)
    scorer(torch.tensor([[1, 99]]))  # in place of 60, so that 61 and 62 may follow
    assert counting.pieces == 2 * len(TARGET)
    scorer(torch.tensor([TARGET, TARGET]))
    assert counting.pieces == 2 * len(TARGET) + 2 * len(TARGET)
    without = Counting(model)
    EditedScorer(without, SOURCE, {})(torch.tensor([TARGET[:2]]))
    assert without.pieces == 2


def test_edits_run_what_may_follow_along(model: Transformer) -> None:
    counting = Counting(model)
    scorer = EditedScorer(counting, SOURCE, {}, TARGET)
    for prefix in ([1, 99, 60], [1, 99, 60, 61], [1, 99, 60, 61, 62]):
        assert_scored(model, scorer, [prefix])
    assert counting.pieces == 5


def test_what_would_see_nothing_is_no_error_until_it_comes(model: Transformer) -> None:
    last = len(TARGET) - 1
    blind = [BlockAttention("decoder", last, key) for key in range(len(TARGET))]
    edits = dict(compiled(blind, Sizes(model.config, Lengths(len(SOURCE), len(TARGET)))).edits)
    drafted, plain = (EditedScorer(model, SOURCE, edits, draft) for draft in (TARGET, ()))
    for length in range(1, last + 1):
        prefix = torch.tensor([TARGET[:length]])
        torch.testing.assert_close(drafted(prefix), plain(prefix), atol=1e-4, rtol=1e-4)
    for scorer in (drafted, plain):
        with pytest.raises(ValueError, match="without any key"):
            scorer(torch.tensor([TARGET]))


def test_edits_that_leave_a_query_nothing_are_refused_in_words(model: Transformer) -> None:
    hidden = edits_of(model, HideSource(0, len(SOURCE) - 1))
    said = "^the interventions leave a query without any key to look at$"
    with pytest.raises(ValueError, match=said):
        EditedScorer(model, SOURCE, hidden)(torch.tensor([TARGET]))


@pytest.fixture
def counted(model: Transformer, monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Count the pieces that quick decoders decode from here on."""
    counting = Counting(model)
    call = QuickDecoder.__call__

    def count(self: QuickDecoder, prefixes: Tensor) -> Tensor:
        logits = call(self, prefixes)
        counting.pieces += logits.shape[0] * logits.shape[1]
        return logits

    monkeypatch.setattr(QuickDecoder, "__call__", count)
    return counting


def cached(model: Transformer, draft: Sequence[int] = ()) -> CachedScorer:
    return CachedScorer(model, *model.encode(torch.tensor([SOURCE])), draft)


def cost(model: Transformer, counted: Counting, scorer: CachedScorer, rows: list[list[int]]) -> int:
    """Score rows, hold them against the model, and return how many pieces were decoded."""
    before = counted.pieces
    assert_scored(model, scorer, rows)
    return counted.pieces - before


@pytest.mark.parametrize(
    ("rows", "then", "pieces"),
    [
        ([[1, 60], [1, 70]], [[1, 60, 5], [1, 70, 6]], 2),  # each goes on
        ([[1, 60], [1, 70]], [[1, 70, 5], [1, 70, 6], [1, 60, 7]], 3),  # others than before
        ([[1, 60], [1, 70]], [[1, 60, 5], [1, 80, 6]], 6),  # one is new: afresh
        ([[1, 60], [1, 70]], [[1, 80, 5], [1, 90, 6]], 6),  # all are new
        ([[1, 60], [1, 70]], [[1, 60]], 2),  # a shorter one
        ([[1, 60, 61]], [[1, 60, 61], [1, 60, 61]], 2),  # one twice
    ],
)
def test_rows_that_go_on_cost_their_new_pieces_only(
    model: Transformer,
    counted: Counting,
    rows: list[list[int]],
    then: list[list[int]],
    pieces: int,
) -> None:
    scorer = cached(model)
    scorer(torch.tensor(rows))
    assert cost(model, counted, scorer, then) == pieces


@pytest.mark.parametrize(
    ("prefixes", "pieces"),
    [
        ([[*TARGET, 5]], 1),  # goes on after the draft
        ([[*TARGET[:3], 5]], 1),  # parts from it
        ([[*TARGET[:2], 5], [*TARGET[:2], 6]], 2),  # two of them do
        ([[5, 6]], 2),  # has nothing of it
    ],
)
def test_what_parts_from_a_draft_costs_its_new_pieces_only(
    model: Transformer, counted: Counting, prefixes: list[list[int]], pieces: int
) -> None:
    scorer = cached(model, TARGET)
    assert cost(model, counted, scorer, [TARGET[:1]]) == len(TARGET)
    for length in range(2, len(TARGET) + 1):
        assert cost(model, counted, scorer, [TARGET[:length]]) == 0
    assert cost(model, counted, scorer, prefixes) == pieces
    assert cost(model, counted, scorer, [[*row, 7] for row in prefixes]) == len(prefixes)


def test_what_may_follow_is_scored_along(model: Transformer, counted: Counting) -> None:
    scorer = cached(model, TARGET)
    costs = [
        cost(model, counted, scorer, [prefix])
        for prefix in ([1], [1, 61], [1, 61, 62], [1, 61, 60], [1, 61, 60, 61], [1, 61, 60, 7])
    ]
    # 61 brings 62 along; 60 brings 61 and 62; 7 stands in place of 61, before 62.
    assert costs == [4, 2, 0, 3, 0, 2]


@pytest.mark.parametrize(
    ("prefix", "draft", "longest", "guessed"),
    [
        ([1], [1, 5, 6], 9, [5, 6]),  # the draft itself
        ([1], [1, 5, 6, 7, 8, 9, 10, 11], 99, [5, 6, 7, 8, 9, 10, 11]),  # all of it
        ([1, 5], [1, 5, 6], 2, []),  # there is no room
        ([1, 5, 6, 7], [1, 5, 6], 9, []),  # it went on longer
        ([1, 8], [1, 5, 6], 9, [6]),  # a piece in place of its own
        ([1, 5, 8, 9], [1, 5, 6, 7, 2], 9, [2]),  # two of them
        ([8], [1, 5, 6], 9, []),  # nothing of it
        ([1, 6], [1, 5, 6, 7, 8, 9, 10, 11, 12], 99, [7, 8, 9, 10, 11]),  # no more than AHEAD
        ([1, 6], [1, 5, 6, 7, 8, 9], 4, [7, 8]),  # no more than there is room
        ([1, 6], [1, 5, 6, 7, 6, 9], 99, [7, 6, 9]),  # the first of two
        ([1, 7, 6], [1, 5, 6, 7, 6, 9], 99, [9]),  # the one that says more of the same
        ([1, 2, 6], [1, 5, 6], 9, []),  # its last piece
        ([], [1, 5], 9, [1, 5]),
        ([1], [], 9, []),
    ],
)
def test_a_guess_goes_on_where_the_draft_says_the_same(
    prefix: list[int], draft: list[int], longest: int, guessed: list[int]
) -> None:
    assert list(guess(prefix, draft, longest)) == guessed


def test_a_seed_draws_with_all_its_digits() -> None:
    size = 4096
    logits = torch.zeros(1, size)  # every piece is alike, so the draw alone decides
    chosen = next(iter(Sampling(seed=5).steps(lambda _prefixes: logits, Limits(1, 0, 3))))
    generator = torch.Generator().manual_seed(5)
    draw = float(torch.rand((), generator=generator, dtype=torch.float64))
    assert chosen.draw == draw
    assert chosen.chosen.id == int(draw * size)


def test_known_logits_are_given_until_a_prefix_parts_from_the_known_ids() -> None:
    made: list[int] = []

    def afresh() -> Scorer:
        made.append(1)
        return lambda prefixes: prefixes.float()

    logits = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])  # T V
    known = KnownScorer(afresh, (1, 5, 6), logits)
    assert known(torch.tensor([[1]])).tolist() == [[1.0, 2.0]]
    assert known(torch.tensor([[1, 5, 6]])).tolist() == [[5.0, 6.0]]
    assert made == []
    assert known(torch.tensor([[1, 7]])).tolist() == [[1.0, 7.0]]
    assert known(torch.tensor([[1]])).tolist() == [[1.0]]  # it stays with the other scorer
    assert made == [1]
    assert KnownScorer(afresh)(torch.tensor([[1]])).tolist() == [[1.0]]
    assert KnownScorer(afresh, (1, 5), logits)(torch.tensor([[1], [1]])).tolist() == [[1.0]] * 2
