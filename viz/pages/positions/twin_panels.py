"""The views of twins that differ only in their positions: learned, rotary, and longer texts."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.results import Run
from model.transformer.config import Positions
from viz.components.recomputed import recomputed
from viz.compute import positions, runs
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.table import show_table
from viz.figures.theme import KEY, QUERY, key_axis, query_axis
from viz.language.text import _
from viz.language.wording import escaped, listed
from viz.link import address
from viz.link.choice import choose_number, choose_one
from viz.pages.positions import formulas
from viz.pages.positions.learned import agreement, by_distance, learned_figure
from viz.pages.positions.longer import Curves, longer_figure
from viz.pages.positions.rotary import Turned, rotary_figure
from viz.pages.positions.table import sinusoids
from viz.shell import state
from viz.shell.token_choice import choose_key, choose_token

ROWS = 64
"""The number of positions that are drawn of the tables."""


def kind_names() -> dict[Positions, str]:
    """Return the names of the kinds of positions on screen."""
    return {"sinusoid": _("sinusoids"), "learned": _("learned"), "rotary": _("rotary")}


def show_learned(_run: Run) -> None:
    """Draw a table that was learned beside the sinusoids of its twin."""
    name = positions.twins()["learned"]
    learned, seen = positions.table(name), positions.measured(name).longest_pair
    given = sinusoids(np.arange(ROWS), learned.shape[1], 10000, "interleaved")
    st.markdown(
        _(
            "Dashed: no sentence of training was longer, {seen} positions. What lies beyond was "
            "never trained."
        ).format(seen=seen)
    )
    sizes = np.abs(learned[:seen]).mean(axis=1)  # of each position's numbers
    usual = float(np.median(sizes))
    if sizes[-1] < usual / 2:
        st.markdown(
            _(
                "Sentences that long are rare: the numbers of the last of these positions have a "
                "mean size of {last:.2f}; the median of all positions is {usual:.2f}."
            ).format(last=Number(float(sizes[-1])), usual=Number(usual))
        )
    figure = learned_figure(given, learned[:ROWS], seen, state.current_theme())
    show_figure(figure, "learned-picture", wide=True)
    st.markdown(
        _(
            "Nobody told this table what order is. Neighbours in it have a cosine of "
            "**{near:.2f}**, positions ten apart **{far:.2f}** (sinusoids: {near_given:.2f} and "
            "{far_given:.2f}). Over all pairs of the {seen} positions that training saw, the two "
            "pictures correlate to **{alike:.2f}**."
        ).format(
            near=Number(by_distance(learned, seen, 1)),
            far=Number(by_distance(learned, seen, 10)),
            near_given=Number(by_distance(given, seen, 1)),
            far_given=Number(by_distance(given, seen, 10)),
            seen=seen,
            alike=Number(agreement(given, learned, seen)),
        )
    )
    with st.expander(_("What am I looking at?")):
        _explain_twins()
        st.markdown(
            _(
                "Learned positions are a matrix of weights, one row a position, added to the "
                "embedding as the sinusoids are. They begin as random numbers. A row learns only "
                "from sentences that reach it: no sentence of training had more than {seen} "
                "positions, so what lies beyond is still what it began with."
            ).format(seen=seen)
        )


def show_rotary(run: Run) -> None:
    """Draw a query and a key of this sentence, turned by their positions."""
    name = positions.twins()["rotary"]
    recording = positions.recorded(name, run.source.text)
    tokens, config = recording.source_tokens, recording.config
    with st.container(key="choices rotary"):
        m = choose_token(query_axis(), tokens, "encoder", "rotary query", QUERY)
        n = choose_key(key_axis(), tokens, "encoder", max(m - 1, 0), KEY)
        columns = st.columns(3)
        heads = [str(head) for head in range(1, config.heads + 1)]
        head = int(choose_one(_("Head of layer 1"), heads, "rotary_head", row=columns[0])) - 1
        pair = columns[1].slider(
            _("Pair of dims"), 0, config.d_k // 2 - 1, 2, key="pair", bind=address.BOUND
        )
        with columns[2]:
            by = choose_number(_("Move both on by k"), range(65), "k", 0)
    q, k = (recording.part("encoder", 0, part)[head] for part in "qk")
    turned = Turned.back(q[m], k[n], m, n)
    show_figure(rotary_figure(turned, pair, by, state.current_theme()), "rotary-picture", wide=True)
    own = float(recording["encoder.0.self_attn.scores"][head, m, n])
    here = turned.score(m + by, n + by)
    st.markdown(
        _(
            "Query at position {m}, key at {n}: the score is **{here:.3f}**. Move both on, and "
            "both arrows turn by the same angle: the score stays. Only their distance counts."
        ).format(m=m + by, n=n + by, here=Number(here))
    )
    recomputed(abs(here - own))
    with st.expander(_("What am I looking at?")):
        _explain_twins()
        st.markdown(
            _(
                "Rotary positions add nothing to the embedding. In every self-attention each pair "
                "of dims of a query or key is turned, by the position times the angle of that "
                "pair: the rotation of “shift by k”, for the vectors of the model instead of the "
                "encoding. Early pairs turn fast, late ones slowly. The score of two words then "
                "depends on the words and on how far apart they are, and on nothing else:"
            )
        )
        st.latex(formulas.rotary())


def show_longer(_run: Run) -> None:
    """Draw the twins' results on texts and rows of letters longer than any in training."""
    by_label = {kind_names()[kind]: name for kind, name in positions.twins().items()}
    if beside := positions.recurrent():
        by_label[_("none: recurrent")] = beside
    measured = {label: positions.measured(name) for label, name in by_label.items()}
    first = next(iter(measured.values()))
    curves = {label: _curves(model) for label, model in measured.items()}
    limits = first.longest_pair, first.longest_row
    st.markdown(
        _(
            "How small models do on texts longer than any in training (grey): left texts to "
            "translate, right rows of letters to copy."
        )
    )
    figure = longer_figure(curves, *limits, state.current_theme())
    show_figure(figure, "longer-picture", wide=True)
    inside = max(row.high for row in first.lengths if row.high <= first.longest_pair)
    last, twins = first.lengths[-1], measured.values()
    copied = first.longest_row, first.copies[-1].letters
    show_table(
        {
            _("positions"): [*measured],
            _("steps"): [_steps(name) for name in by_label.values()],
            _("loss, to {inside} pieces").format(inside=inside): [
                f"{_loss(twin, inside):.2f}" for twin in twins
            ],
            _("loss, {low} to {high}").format(low=last.low, high=last.high): [
                f"{_loss(twin, last.high):.2f}" for twin in twins
            ],
            _("BLEU on test, greedy"): [_bleu(name) for name in by_label.values()],
            **{
                _("{count} letters").format(count=count): [
                    f"{_right(twin, count):.1%}" for twin in twins
                ]
                for count in copied
            },
        },
    )
    if beside:
        *others, own = twins
        _say_recurrent(own, others, copied)
    with st.expander(_("What am I looking at?")):
        _explain_twins()
        st.markdown(
            _(
                "In training no side of a pair had more than {pair} pieces, those that begin and "
                "end it included, and no row of letters more than {row}; what is grey is beyond "
                "that. Texts are short pairs of the dev "
                "set in a row, {texts} of each length; the loss is that of the translation by "
                "people. Rows are random letters, so that only positions say which comes next: "
                "the share is of letters that stand at their place. It has been said that "
                "sinusoids suit lengths that training did not see: here it is tried, with three "
                "small models and one seed each."
            ).format(pair=first.longest_pair, row=first.longest_row, texts=first.texts)
        )


def _say_recurrent(
    recurrent: positions.Measured, twins: Sequence[positions.Measured], letters: tuple[int, int]
) -> None:
    """Say how a model without positions copies rows, as long as in training and longer."""
    best = [max(_right(twin, count) for twin in twins) for count in letters]
    own = [_right(recurrent, count) for count in letters]
    st.markdown(
        _(
            "The recurrent model needs no positions: it reads one piece after the other, and looks "
            "back at all of them. Of rows of {seen} letters it puts **{own:.1%}** in their place, "
            "the best Transformer {best:.1%}; of rows of {more}, **{own_more:.1%}** against "
            "{best_more:.1%}."
        ).format(
            seen=letters[0],
            own=own[0],
            best=best[0],
            more=letters[1],
            own_more=own[1],
            best_more=best[1],
        )
    )


def _curves(measured: positions.Measured) -> Curves:
    lengths, copies = measured.lengths, measured.copies
    return Curves(
        [row.low for row in lengths],
        [row.high for row in lengths],
        [row.loss for row in lengths],
        [row.bleu for row in lengths],
        [row.letters for row in copies],
        [row.right for row in copies],
        [row.whole for row in copies],
    )


def _loss(measured: positions.Measured, high: int) -> Number:
    return Number(next(row.loss for row in measured.lengths if row.high == high))


def _bleu(name: str) -> str:
    """Return the BLEU of a twin from its card; "" for one without a card."""
    card = runs.card_of(name)
    return f"{card.bleu('test'):.1f}" if card else ""


def _steps(name: str) -> str:
    """Return the number of steps that a model learned, from its card; "" for one without a card."""
    card = runs.card_of(name)
    return f"{card.steps_in_all:,}" if card else ""


def _right(measured: positions.Measured, letters: int) -> Number:
    return Number(next(row.right for row in measured.copies if row.letters == letters))


def _explain_twins() -> None:
    names = listed(escaped(name) for name in positions.twins().values())
    st.markdown(
        _(
            "Three small models ({names}) learned from the same sentences, with the same seed and "
            "number of steps. They differ in nothing but how they know where a word stands."
        ).format(names=names)
    )
