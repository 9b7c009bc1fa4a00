"""The maps of a trace, and the probabilities of the answer above them."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.recording.trace import Part, Trace
from model.sites.sites import Kind
from viz.compute import effects, runs, traces
from viz.effect.near import near_tie
from viz.figures.theme import bare, named, token_text
from viz.language.text import _, later
from viz.link import edits
from viz.link.choice import choose_one
from viz.pages.trace import views
from viz.pages.trace.asking import traced
from viz.pages.trace.explanation import carried, pressing, together, unchanged
from viz.pages.trace.finding import (
    Name,
    names,
    told,
    where_it_passes,
    which_head,
    which_sublayer,
)
from viz.pages.trace.trace_map import Map, Maps, Shown, pressed, trace_map
from viz.shell import state
from viz.shell.finding import say

MAP = "trace map"
BRING, RESTORE = later("bring the other in"), later("restore this one")


def show(residual: Trace, view: str, row: DeltaGenerator) -> None:
    """Draw the maps of a view, with its controls in the row; `residual` is the stream's trace."""
    direction = choose_one(
        _("Direction"),
        (BRING, RESTORE),
        "direction",
        row=row,
        bare=True,
        help=_(
            "Bring in: this sentence runs, one vector is the other's. Restore: the other sentence "
            "runs, one vector is this one's."
        ),
    )
    tokens, prefix = runs.source(state.sentence()).tokens, runs.token_names(residual.decided.prefix)
    part: Part = "sublayer" if view == views.SUBLAYERS else "residual"
    at: tuple[int, int] | None = None
    if view == views.HEADS:
        part, piece = _choose_heads(residual, tokens, row)
        at = piece, len(prefix) - 1
    trace = traced(state.sentence(), residual.donor, part, direction == RESTORE, at)
    changes = frozenset(edits.interventions())
    if at:
        maps = views.head_tables(trace, at, (tokens[at[0]], prefix[at[1]]), changes)
        say(told(which_head(maps, trace.restored)))
        st.caption(together())
    else:
        maps = views.tables(trace, rows_of(trace, tokens), changes)
        if view == views.SUBLAYERS:
            say(told(which_sublayer(trace, tokens)))
        else:
            say(told(where_it_passes(trace, tokens, deciding(residual, state.sentence()))))
        if how := carried(part, trace.restored):
            st.caption(how)
    if caution := near_tie([one.likely for one in answers(trace)]):
        st.caption(caution)
    if edits.interventions():
        st.caption(unchanged())
    _draw(trace, maps, at)


def _choose_heads(residual: Trace, tokens: Sequence[str], row: DeltaGenerator) -> tuple[Part, int]:
    """Draw the choices of a head's part and of a piece, at first the deciding piece of memory."""
    part = choose_one(_("Of each head"), views.OF_HEADS, "carried", row=row, quoted=True, bare=True)
    names = [f"{position + 1}  {token_text(token)}" for position, token in enumerate(tokens)]
    first = views.strongest(residual.encoder[:, -1])
    asked = names, residual.donor
    if st.session_state.get("piece of") != asked:
        st.session_state.update({"piece": first, "piece of": asked})
    piece = row.selectbox(
        _("At this piece"),
        range(len(names)),
        first,
        format_func=names.__getitem__,
        key="piece",
        width=130,
        label_visibility="collapsed",
    )
    return part, int(piece)


def _draw(trace: Trace, maps: Sequence[Map], at: tuple[int, int] | None) -> None:
    def take_press() -> None:
        """Make the pressed cell a change, or undo it."""
        if press := pressed(MAP, maps):
            patch = views.patch_of(trace, press, at)
            if patch in edits.interventions():
                edits.remove_interventions((patch,))
            else:
                edits.set_interventions((*edits.interventions(), patch))

    drawn = Maps(
        maps,
        ends(),
        (words(trace), answers(trace)),
        views.heads_of(trace, maps, at) if at else None,
        views.arrows(trace),
        int(trace.restored),
    )
    trace_map(drawn, MAP, state.current_theme(), None if trace.restored else take_press)
    st.caption(pressing(trace.restored))


def rows_of(trace: Trace, tokens: Sequence[str]) -> dict[Kind, Sequence[str]]:
    """Return the rows of both maps: the source's pieces, and those before the deciding step."""
    prefix, both = runs.token_names(trace.decided.prefix), " / ".join(words(trace))
    return {"encoder": tokens, "decoder": [*prefix[:-1], f"→ {both}"]}


def ends() -> tuple[str, str]:
    """Say what 0 and 1 mean in a map."""
    return _("as in this sentence"), _("as in the other (more: beyond it)")


def titles() -> tuple[str, str, str]:
    """Return the titles of the runs whose answers are shown."""
    return _("In this sentence"), _("In the other"), _("In this one, changed")


def show_answers(trace: Trace) -> None:
    """Draw the probabilities of the answer without maps."""
    shown = Maps(answers=(words(trace), answers(trace)))
    trace_map(shown, "answers", state.current_theme())


def words(trace: Trace) -> tuple[str, str]:
    """Return the two deciding pieces as shown on screen."""
    first, second = (bare(token) for token in runs.token_names(trace.decided.pieces))
    return first, second


def deciding(trace: Trace, sentence: str) -> tuple[Name, Name]:
    """Name the two deciding pieces: a part of a word with the word, if its translation has it."""
    step = len(trace.decided.prefix) - 1
    pieces = runs.token_names(trace.decided.pieces)
    both: list[Name] = [named(token) for token in pieces]
    for side, text in enumerate((sentence, trace.donor)):
        written = runs.run(text).translation
        if written.ids[: step + 1] == (*trace.decided.prefix[1:], trace.decided.pieces[side]):
            both[side] = names(written.tokens)[step]
    return both[0], both[1]


def answers(trace: Trace) -> list[Shown]:
    """Return the answer in both sentences and, if anything is changed, in the changed model."""
    sentence = state.sentence()
    own, other, altered = titles()
    made = [(own, runs.run(sentence).recording), (other, runs.run(trace.donor).recording)]
    if edits.interventions():
        changed = effects.effect(sentence, edits.interventions())
        made.append((altered, changed.forced))
    each = [(title, traces.answer(recording, trace)) for title, recording in made]
    return [Shown(title, (one.first, one.second)) for title, one in each]
