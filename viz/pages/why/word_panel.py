"""The view of who wrote a word: its logit, or its lead over another piece, as a sum of parts."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.recording.parts import Parts
from model.recording.recording import Recording
from model.results import Run
from viz.components.recomputed import recomputed
from viz.compute import effects, runs, weights
from viz.figures.figure import show_figure
from viz.figures.labels import kind_names
from viz.figures.theme import KIND_COLOURS, token_text
from viz.language.text import _
from viz.link import address, edits
from viz.pages.why.figures import boards_figure, signed, terms_figure
from viz.pages.why.sums import Terms, head_table, terms
from viz.pages.why.words import part_name
from viz.shell import state
from viz.shell.finding import quoted, say
from viz.shell.heavy import heavy
from viz.shell.lessons.card import lesson_shown
from viz.shell.token_choice import choose_token

CHOICES, MOST = 12, 10
"""The number of likely pieces on offer, and the most bars."""


def word_panel(run: Run) -> None:
    """Draw the choice of a step and two pieces, and the parts of one's lead over the other."""
    recording = run.recording
    label = _("after this piece: which one comes next?")
    colour = KIND_COLOURS["decoder"]
    step = choose_token(label, recording.target_tokens, "decoder", "step", colour)
    piece, other = _pieces(recording, step)
    parts = recording.logit_parts(step, piece, other)
    logits = recording.logits[step]
    recorded = float(logits[piece] - (0 if other is None else logits[other]))
    title, shares = title_of(piece, other), terms(parts, MOST)
    say(finding(piece, other, recorded, shares))
    # Beside a lesson there is room for only one board.
    left, right = (st.container(), st.container()) if lesson_shown() else st.columns([2, 3])
    with left:
        st.markdown(_("**Who wrote it, the largest parts first**"))
        figure = terms_figure(shares, title, state.current_theme())
        show_figure(figure, key="terms", tools=False)
    with right:
        _direct(run, parts)
    recomputed(abs(float(parts.total) - recorded))
    _ablated(step, (piece, other), recorded)
    st.caption(
        _(
            "Direct: what a head wrote into the last vector, through all norms, times the piece's "
            "embedding. What it does by way of later layers is counted there, not here; switching "
            "the head off shows both together. So a head whose link decides the word can have "
            "hardly any direct part. Encoder heads write nothing directly."
        )
    )


def title_of(piece: int, other: int | None) -> str:
    """Return the name of the sum: the logit of a piece, or its lead over another."""
    names = weights.vocabulary("output").tokens
    name = token_text(names[piece])
    if other is None:
        return _("logit of “{piece}”").format(piece=name)
    return _("“{piece}” minus “{other}”").format(piece=name, other=token_text(names[other]))


def finding(piece: int, other: int | None, total: float, shares: Terms) -> str:
    """Say how large the logit or the lead is, which part is the largest, and if it goes against it.

    `total` and `shares` are in logits. Where the largest part has the other sign than the total,
    the largest part with the total's sign follows.
    """
    names = weights.vocabulary("output").tokens
    largest = int(np.abs(shares.values).argmax())
    agreeing = int((np.sign(total) * shares.values).argmax())
    asked = (
        _("How large is the logit of {piece}? **{total}**.")
        if other is None
        else _("How far is {piece} ahead of {other}? **{total}**.")
    )
    sentences = [
        asked.format(
            piece=quoted(names[piece]),
            other="" if other is None else quoted(names[other]),
            total=signed(total),
        )
    ]
    if total * shares.values[largest] >= 0:
        sentences.append(
            _("The largest part: **{part}, {share}**.").format(**_part(shares, largest))
        )
    else:
        sentences += [
            _("The largest part goes against it: **{part}, {share}**.").format(
                **_part(shares, largest)
            ),
            _("The largest part for it: **{part}, {share}**.").format(**_part(shares, agreeing)),
        ]
    return " ".join(sentences)


def _part(shares: Terms, at: int) -> dict[str, str]:
    return {"part": part_name(shares.names[at]), "share": signed(float(shares.values[at]))}


def _pieces(recording: Recording, step: int) -> tuple[int, int | None]:
    """Draw the choice of two of this step's likeliest pieces; the second may be None."""
    likely = [int(id_) for id_ in np.argsort(-recording.logits[step])[:CHOICES]]
    names = weights.vocabulary("output").tokens
    rival = runs.rival(likely[0])
    if rival is not None and rival not in likely:
        likely.append(rival)
    row = st.container(horizontal=True, gap="medium", key="two pieces")
    piece = row.selectbox(
        _("Piece"), likely, format_func=lambda at: token_text(names[at]), width=220
    )
    others: list[int] = [-1, *likely]
    second = row.selectbox(
        _("Minus"),
        others,
        index=others.index(likely[1] if rival is None else rival),
        format_func=lambda at: _("nothing") if at < 0 else token_text(names[at]),
        width=220,
    )
    return piece, None if second < 0 or second == piece else second


def _direct(run: Run, parts: Parts) -> None:
    """Draw the direct part of each head."""
    config = run.recording.config
    size = config.decoder_layers, config.heads
    boards = [
        (_("decoder"), head_table(parts, "self_attn", *size)),
        (_("cross"), head_table(parts, "cross_attn", *size)),
    ]
    st.markdown(_("**Direct: what each head wrote**"))
    figure = boards_figure(boards, _("logits"), state.current_theme())
    show_figure(figure, key="direct", tools=False, wide=True)


def _ablated(step: int, pieces: tuple[int, int | None], recorded: float) -> None:
    """Draw, on demand, the effect of switching off each head."""
    asked = st.toggle(
        _("**Ablation**: switch every head off, one at a time"),
        key="ablate",
        bind=address.BOUND,
        help=_("Runs the model once for every head: a few seconds"),
    )
    if not asked:
        return
    question = state.sentence(), edits.interventions(), step, pieces
    leads = effects.leads_without.known(*question)
    if leads is None:
        with heavy(_("Switching every head off, one at a time")):
            leads = effects.leads_without(*question)
    lost: list[tuple[str, NDArray[np.float64]]] = [
        (str(name).lower(), recorded - leads.by_kind[kind]) for kind, name in kind_names().items()
    ]
    figure = boards_figure(lost, _("logits lost"), state.current_theme())
    show_figure(figure, key="ablated", tools=False, wide=True)
