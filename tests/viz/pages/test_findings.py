"""Headlines say what the numbers beside them are, in sentences and models of every kind."""

import re
from collections.abc import Iterator
from itertools import cycle, product
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from model import AblateHead, LiftMask
from model.interventions.base import Intervention
from model.learning.descent import Descent
from model.results import Run
from model.sites.sites import Head
from model.training.data.samples import TYPED_SENTENCES
from tests.sentences import EXAMPLES, FIRST_SENTENCE, OURS
from viz.components.alignments import Panel
from viz.compute import atlas, examples, learning, models, pairs, runs, traces
from viz.figures.labels import written_by
from viz.pages.atlas import board_view
from viz.pages.head.chain_view import finding as of_a_head
from viz.pages.lab_pairs import views
from viz.pages.lab_pairs.looks import looks
from viz.pages.learning import born, steps, teacher
from viz.pages.trace.finding import told, where_it_passes
from viz.pages.trace.way import MOSTLY, moves
from viz.pages.two_models.sides import finding as of_two_models
from viz.pages.two_models.verdict import shares
from viz.shell.finding import quoted

SENTENCES = (
    *(EXAMPLES[name] for name in ("too tired", "the bank", "thinking machines")),
    "THE CAT IS SLEEPING.",
    "I dont no wat you meen 🐶!",
    "No.",
)
CHANGES: tuple[tuple[Intervention, ...], ...] = (
    (),
    (AblateHead("encoder", 5, 3),),
    tuple(AblateHead("cross", 4, head) for head in range(8)),
    (LiftMask("decoder"),),
)
PAIRS = (
    (FIRST_SENTENCE, EXAMPLES["too wide"]),
    ("My mother is very tired today.", "My father is very tired today."),
    ("The bag is red because it is new.", "The bag is red because it is old."),
    ("Hello", "I was born in 1985."),
)
DECIDING = Head("encoder", 5, 3)


def hard_runs() -> Iterator[Run]:
    """Yield a run of each hard sentence in every model."""
    for sentence, change in product(SENTENCES, CHANGES):
        yield runs.run(sentence, change)


def every_run() -> Iterator[Run]:
    """Yield the hard runs, and one of each other sentence, in one of the models."""
    yield from hard_runs()
    others = (*OURS.texts, *TYPED_SENTENCES[::8])
    for sentence, change in zip(others, cycle(CHANGES), strict=False):
        yield runs.run(sentence, change)
    with models.using("zh-en"):
        yield from [runs.run(one.text) for one in examples.current().sentences]


def numbers(text: str) -> list[float]:
    return [float(one.replace("\u2212", "-")) for one in re.findall(r"[-\u2212]?\d+\.\d+", text)]


def bold(text: str) -> list[str]:
    return [one.replace("\\", "") for one in re.findall(r"\*\*(.+?)\*\*", text)]


def a_head_gives_its_keys_the_weights_that_are_said(run: Run) -> None:
    random = np.random.default_rng(len(run.source.ids))
    for kind in run.recording.made_by.kinds:
        weights = run.recording.attention(kind)
        layer, head, query = (int(random.integers(size)) for size in weights.shape[:3])
        row, (queries, keys) = weights[layer, head, query], run.recording.tokens(kind)
        said = of_a_head(row, queries[query], keys)
        largest = [float(one) for one in bold(said)]
        assert largest == [round(float(one), 2) for one in -np.sort(-row)[: len(largest)]]
        assert sum(numbers(said)) == pytest.approx(row.sum(), abs=0.02)


def the_heads_of_two_models_look_where_is_said(run: Run) -> None:
    looks_at = run.recording.attention("cross")
    for layer, head in ((0, 0), (4, 2), (5, 1)):
        weights = looks_at[layer % len(looks_at), head]
        keys = run.recording.source_tokens
        panel = Panel("head", "", run.recording.target_tokens, keys, weights)
        said = of_two_models([panel])
        figures = [int(one) for one in re.findall(r"(\d+)%", said)]
        best, end = shares(weights)
        if "each row" in said:
            assert figures == [round(100 * one) for one in (best, end)][: len(figures)]
            assert ("several" in said) <= (figures[0] <= 50)
            continue
        named = [keys[at].strip("▁") == bold(said)[1].strip("·") for at in range(len(keys))]
        assert max(weights.mean(axis=0)[named]) == weights.mean(axis=0).max()
        assert figures == [round(100 * float(weights.mean(axis=0).max()))]
        assert 2 * np.sum(np.array(named)[weights.argmax(axis=1)]) > len(weights)


def test_what_is_said_of_heads_holds_for_every_run() -> None:
    """All runs together do not fit into the memory that pages share: each is there once."""
    for run in every_run():
        a_head_gives_its_keys_the_weights_that_are_said(run)
        the_heads_of_two_models_look_where_is_said(run)


@pytest.mark.parametrize(
    "change", CHANGES[:3], ids=["trained", "one head off", "cross-attention off"]
)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_sentences_write_and_look_as_is_said(
    first: str, second: str, change: tuple[Intervention, ...]
) -> None:
    pair = pairs.pair(first, second, change)
    seen = looks(pair, DECIDING, views.compared_query(pair))
    off = AblateHead("encoder", 5, 3) in change
    said = views.finding(pair, DECIDING, seen, off)
    named = bold(said)
    pieces = [piece.strip("▁") for piece in pair.pieces]
    if not change:
        step, sides = len(pair.prefix) - 1, (pair.first, pair.second)
        for piece, side in zip(pieces, sides, strict=True):
            written = [token.strip("▁") for token in (*side.run.translation.tokens, "</s>")]
            assert piece not in named or piece in written[step]
    if off:
        assert not {look.named[1] for look in seen if look} & set(named)
    if change and pair.decision:
        level = [max(side.likely) / min(side.likely) for side in (pair.first, pair.second)]
        likelier = [piece.strip("▁") for piece in pair.written]
        assert set(named) >= set(pieces if max(level) < views.LEVEL else likelier)


@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_answer_goes_where_is_said(first: str, second: str, restored: bool) -> None:
    found = traces.trace(first, second, restored=restored)
    tokens = runs.source(first).tokens
    said = told(where_it_passes(found, tokens, ("a", "b")))
    share = np.nan_to_num(moves(found.encoder, found.restored))
    if "moves from" not in said:
        return
    _words, start, end = bold(said)
    rows = [tokens.index(f"▁{word}") for word in (start, end)]
    layers = [int(number) for number in re.findall(r"\d+", said)]
    assert share[rows[0], layers[0] - 1] >= MOSTLY  # before these layers the one holds it
    assert (share[rows[1], layers[-1] :] >= MOSTLY).all()  # after them the other
    assert share[rows[1], layers[-1] - 1] < MOSTLY
    assert (share[:, layers[0] : layers[-1]] < MOSTLY).all()  # and in between none


@pytest.mark.parametrize("target", [None, "reference", "Bonjour tout le monde.", "L'animal n'a."])
def test_teacher_forcing_and_the_own_words_cost_what_is_said(target: str | None) -> None:
    known = {one.text: one.reference for one in OURS.sentences}
    wanted = known[FIRST_SENTENCE] if target == "reference" else target
    taught, mixed = (learning.fed(FIRST_SENTENCE, wanted, ratio, 0) for ratio in (1.0, 0.0))
    said = teacher.parting(taught, mixed)
    if mixed.parted is None:
        assert not numbers(said)
        return
    rows = mixed.rows[mixed.parted :]
    pieces = sorted({row.due for row in rows})  # each counts once, in both
    own = [min(row.loss for row in rows if row.due == piece) for piece in pieces]
    costs = own, [taught.rows[piece].loss for piece in pieces]
    assert numbers(said) == [round(float(np.mean(one)), 2) for one in costs]
    never = [row.reference for row in taught.rows if row.due not in {one.due for one in mixed.rows}]
    assert ("In no row due" in said) == bool(never)
    assert all(quoted(piece) in said for piece in never)
    assert f"row {mixed.parted + 1}." in said


@pytest.mark.parametrize("more", ["", " Oui.", "."])
def test_the_own_words_part_from_a_reference_that_ends_elsewhere(more: str) -> None:
    own = runs.run(FIRST_SENTENCE).translation.text
    wanted = own + more if more != "." else own.removesuffix(".")
    taught, mixed = (learning.fed(FIRST_SENTENCE, wanted, ratio, 0) for ratio in (1.0, 0.0))
    assert mixed.parted is None
    assert ("never part" in teacher.parting(taught, mixed)) == (not more)


def test_training_says_what_the_cut_of_a_link_costs() -> None:
    history = learning.history()
    assert history is not None
    for number, _sentence in enumerate(history.sentences):
        said = born.finding(history, number)
        right, cut = history.cuts[:, :2].T  # as it is, and with the link cut
        for points in re.findall(r"(\d+) points", said):
            (step,) = re.findall(r"\*\*step ([\d,]+)\*\* cutting", said)
            at = history.steps.tolist().index(int(step.replace(",", "")))
            assert int(points) == round(100 * float(right[at] - cut[at]))


@pytest.mark.parametrize("texts", ["ab", "aa", "ac", "abc", "bb", "ba"])
def test_steps_say_when_the_translation_turns(texts: str) -> None:
    """The letter b is what should come out."""
    moments = [SimpleNamespace(loss=4.0 - at, translation=one) for at, one in enumerate(texts)]
    said = steps.finding(cast(Descent, SimpleNamespace(moments=moments)), "b")
    assert numbers(said) == [4.0, 5.0 - len(texts)]
    step = re.search(r"step (\d+)", said)
    moved = texts != texts[0] * len(texts)
    assert bool(step) == moved
    if step:
        assert texts[int(step[1])] != texts[int(step[1]) - 1]
        assert ("should come out" in said) == (texts[int(step[1])] == "b")


def test_the_atlas_counts_the_heads_with_a_habit() -> None:
    found = atlas.atlas(())
    cells = {kind: board_view._cells(found, (), kind) for kind in found.kinds}
    heads = [cell for rows in cells.values() for row in rows for cell in row]
    said = board_view._finding(cells)
    count, useful, resting, none = map(int, re.findall(r"\d+", said))
    roles = [cell.role for cell in heads]
    assert count == len(heads) == useful + resting + none
    assert none == roles.count(board_view._NONE)
    assert resting == sum(map(board_view._rests, roles))


def test_a_query_of_the_decoder_is_named_by_what_it_writes() -> None:
    run = runs.run("My little sister ate all the chocolate cookies.")
    weights = run.recording.attention("cross")[4, 2]  # T S
    queries, keys = run.recording.tokens("cross")
    for row in range(len(queries)):
        said = of_a_head(weights[row], queries[row], keys, written_by(queries, row))
        written = (*run.translation.tokens, "</s>")[row]
        assert said.startswith(f"To write {quoted(written)}, it takes")
