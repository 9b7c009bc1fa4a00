"""The bar of a class at the foot of every page, in which its teacher asks questions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.sites.sites import KINDS, Kind
from model.words import Word
from viz.classroom.place import room
from viz.classroom.question import Question
from viz.classroom.store import Full
from viz.compute import runs
from viz.course.entry import PageEntry
from viz.figures.labels import kind_names
from viz.language.text import _
from viz.link import focus
from viz.link.settings import cover, covered
from viz.link.table import CLASSROOM
from viz.shell import state
from viz.shell.class_screen import asking
from viz.shell.class_screen.class_link import class_link
from viz.shell.class_screen.seat import Seat
from viz.shell.class_screen.start import close_dialog, dialog, open_dialog, opened, show_code
from viz.shell.cover import ask as hide

_STYLE = (Path(__file__).parent / "bar.css").read_text(encoding="utf-8")


def class_bar(seat: Seat, entry: PageEntry) -> None:
    """Draw the bar: how a visitor takes part in the class, and the teacher's tools."""
    theme = state.current_theme()
    colours = (
        f":root {{--bar-ground: {theme.background}; --bar-line: {theme.grid}; "
        f"--class-edge: {theme.text}}}"
    )
    st.html(f"<style>{colours}\n{_STYLE}</style>")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="class bar"):
        class_link(seat, str(st.session_state.get(CLASSROOM[1], "")), _draw_again)
        if seat.leads and not seat.state.over:
            _tools(seat)
    if covered() and not (seat.leads and seat.state.number):  # a question has a cover of its own
        hide(_("Predict first: your teacher shows what is covered later."))
    if seat.leads:
        show_code(seat)
        if opened("ask"):
            dialog(_("Ask the class"), lambda: _ask(seat, entry))


def _draw_again() -> None:
    """Do nothing: after this callback, the script runs and reads where the class is."""


def _tools(seat: Seat) -> None:
    _tool(_("Code"), "code", "qr_code_2", lambda: open_dialog("code"))
    _tool(_("Ask the class"), "ask", "front_hand", lambda: open_dialog("ask"))
    if covered():
        _tool(_("Uncover the page"), "cover", "visibility", lambda: cover(False))
    else:
        _tool(_("Cover the page"), "cover", "visibility_off", lambda: cover(True))
    _tool(_("Bring all back"), "gather", "group_add", lambda: room().gather(seat.code))
    with st.popover(_("More"), icon=":material/more_horiz:", type="tertiary", key="class more"):
        shut = seat.state.shut
        _tool(
            _("Open the entrance") if shut else _("Close the entrance"),
            "shut",
            "lock_open" if shut else "lock",
            lambda: room().shut(seat.code, not shut),
        )
        st.divider()
        st.markdown(
            _("In the end you see all questions and answers, and can save them. Nobody joins then.")
        )
        _tool(_("End the class"), "end", "stop_circle", lambda: room().finish(seat.code))


def _tool(label: str, key: str, icon: str, on_click: Callable[[], None]) -> None:
    st.button(
        label, key=f"class {key}", icon=f":material/{icon}:", type="tertiary", on_click=on_click
    )


@dataclass(frozen=True)
class _Sort:
    """A sort of question: its name, and a function that draws the choices for it.

    That function returns another one, which makes the question once it is asked.
    """

    name: str
    draw: Callable[[PageEntry], Callable[[], Question]]


def _ask(seat: Seat, entry: PageEntry) -> None:
    """Draw the choice of a question about the page on screen, and the button that asks it.

    The page is covered meanwhile, as the projector might show the answer.
    """
    sorts = _sorts(entry)
    if not sorts:
        st.info(_("There is nothing to ask here: open a page that shows the sentence."))
        return
    hide(_("Covered while you choose: the page may show the answer."))
    names = {name: sort.name for name, sort in sorts.items()}
    chosen = st.radio(
        _("Question"), list(names), format_func=names.__getitem__, key="ask sort", horizontal=True
    )
    make = sorts[chosen].draw(entry)
    if st.button(_("Ask all"), type="primary", icon=":material/front_hand:", key="ask all"):
        try:
            room().ask(seat.code, make())
        except Full:
            st.warning(_("This class has been asked as many questions as it can keep."))
        except ValueError:
            st.warning(_("There is nothing to ask here: the translation is not that long."))
        else:
            close_dialog()
            st.rerun()


def _sorts(entry: PageEntry) -> dict[str, _Sort]:
    try:
        config = runs.run(state.sentence()).recording.made_by
    except ValueError:
        return {}
    sorts: dict[str, _Sort] = {}
    if entry.link == asking.DECODER:
        sorts["next"] = _Sort(_("What will it write next?"), _next)
    if entry.has_box and config.kinds:
        sorts["word"] = _Sort(_("Where will it look?"), _where)
        sorts["head"] = _Sort(_("Which head?"), _which)
    return sorts


def _next(entry: PageEntry) -> Callable[[], Question]:
    ways = {False: _("one of the five likeliest pieces"), True: _("in their own words")}
    own = st.radio(
        _("They answer"), list(ways), format_func=ways.__getitem__, key="ask words", horizontal=True
    )
    return lambda: asking.next_piece(entry, own)


def _where(entry: PageEntry) -> Callable[[], Question]:
    kind, queries, _keys = _kind()
    config = runs.run(state.sentence()).recording.made_by
    shown = state.shown_head(config)
    first = shown if shown.kind == kind else state.Head(kind, *focus.opening().head(kind))
    left, right = st.columns(2)
    layer = _number(left, _("Layer"), config.layers(kind), first.layer, f"ask layer {kind}")
    head = _number(right, _("Head"), config.heads, first.head, f"ask head {kind}")
    query = _word(_("Query: who is looking"), queries, _asking(kind, queries), f"ask query {kind}")
    return lambda: asking.where(entry, kind, layer, head, query)


def _which(entry: PageEntry) -> Callable[[], Question]:
    kind, queries, keys = _kind()
    query = _word(_("Query: who is looking"), queries, _asking(kind, queries), f"ask query {kind}")
    layer, head = focus.opening().head(kind)
    most = int(asking.word_weights(kind, layer, head, query).argmax())
    key = _word(_("Key: who is looked at"), keys, min(most, len(keys) - 1), f"ask key {kind}")
    return lambda: asking.which_head(entry, kind, query, key)


def _kind() -> tuple[Kind, list[Word], list[Word]]:
    """Draw the choice of a kind of attention; return it, its queries' words and its keys' words."""
    config = runs.run(state.sentence()).recording.made_by
    names, shown = kind_names(), state.shown_head(config).kind
    kinds: Sequence[Kind] = [kind for kind in KINDS if kind in config.kinds]
    kind = st.radio(
        _("Attention"),
        kinds,
        index=kinds.index(shown),
        format_func=names.__getitem__,
        key="ask kind",
        horizontal=True,
    )
    return kind, *asking.sides(kind)


def _asking(kind: Kind, queries: Sequence[Word]) -> int:
    """Return the index, among the words of the queries, of the word in focus on the page."""
    piece = focus.query(kind, queries[-1].last + 1)
    return next(at for at, word in enumerate(queries) if piece <= word.last)


def _number(column: DeltaGenerator, label: str, count: int, first: int, key: str) -> int:
    return column.selectbox(
        label, range(count), index=first, format_func=lambda at: str(at + 1), key=key
    )


def _word(label: str, words: Sequence[Word], first: int, key: str) -> Word:
    at = st.selectbox(
        label, range(len(words)), index=first, format_func=lambda at: words[at].text, key=key
    )
    return words[at]
