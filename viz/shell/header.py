"""The header of every page: title, lead, interventions, and notices."""

import re
from collections.abc import Sequence

import streamlit as st

from model.chinese import simplified, traditional_in
from model.interventions import link_text
from model.results import Run
from viz.compute import examples, models, runs
from viz.language.text import _, capital
from viz.language.wording import escaped
from viz.link import edits
from viz.link.choice import held_choice
from viz.shell import state
from viz.shell.chooser import check_model
from viz.shell.doubts import show_doubts, take
from viz.shell.intervention_words import group_words
from viz.shell.navigation import begin_view, current_page, title_of
from viz.shell.paragraph import choose_sentence
from viz.shell.tray import show_tray

IN_FRONT = 3
"""The views of a page that always stand in its row; one more than these needs no menu."""

_MENU = "more views"


def open_page() -> Run:
    """Draw the header of a page and return the run of the sentence in the box.

    If there is nothing to translate, or the page cannot show the model in force, say so in one
    sentence and end the page.
    """
    entry = current_page()
    top = st.container(horizontal=True, vertical_alignment="bottom", key="page top")
    with top.container(gap=None, width="content", key="page head"):
        st.header(_(entry.heading) if entry.heading else title_of(entry), anchor=False)
        st.markdown(_(entry.lead))
    check_model(entry.takes_recurrent)
    try:
        run = runs.run(state.sentence(), edits.interventions())  # the top bar has stored it
    except ValueError:
        st.info(_("Nothing to translate yet: type a sentence into the box above."))
        st.stop()
    doubted = _notices(run)
    with top:
        # What is doubted stands where the tray is: only of an unchanged model it is said.
        show_tray(run, entry.changes and not doubted)
    return run


def choose_view(views: Sequence[str], page: str, first: str | None = None) -> str:
    """Draw the choice among a page's views and return the chosen one; the link keeps it.

    `views` are the English names of the views, marked with `later`. Before anything is chosen, the
    view is `first`, or the first of `views`. The first of many views stand in a row, with the
    chosen one; the others stand in a menu. `page` names the choice in the link.
    """
    chosen = held_choice(views, page, first)
    in_front = views if len(views) <= IN_FRONT + 1 else views[:IN_FRONT]
    in_row = [view for view in views if view in in_front or view == chosen]
    with st.container(key="view choice", horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            _("View"), in_row, format_func=_named, required=True, key=page,
            label_visibility="collapsed",
        )  # fmt: skip
        if in_menu := [view for view in views if view not in in_row]:
            st.menu_button(
                _("More"), in_menu, format_func=_named, key=_MENU, on_click=_show, args=(page,)
            )
    begin_view(chosen)
    return chosen


def _named(view: str) -> str:
    return capital(_(view))


def _show(page: str) -> None:
    """Show the view that was chosen in the menu."""
    st.session_state[page] = st.session_state[_MENU]


def _words(run: Run, group: link_text.Group) -> str:
    """Describe a group of interventions, escaped: a stranger may have written the sentence."""
    return escaped(group_words(group, run.recording.config, run.source.tokens))


def _refused_notices(run: Run) -> None:
    if refused := edits.refused():
        strange = re.compile(r"[^\w.~-]|~~+", re.ASCII)
        shown = [strange.sub("?", piece)[:40] or "?" for piece in refused]
        pieces = ", ".join(f"`{piece}`" for piece in shown[:8]) + (" …" if len(shown) > 8 else "")
        st.warning(_("Not understood in the link, and left out: {pieces}").format(pieces=pieces))
    if edits.dropped():
        st.info(
            _(
                "The masked words and forbidden links of the last sentence were dropped: they "
                "named places in it."
            )
        )
    if run.left_out and models.is_recurrent(models.in_force()):
        st.warning(
            _(
                "Changes to the model are left out: they are made for a Transformer, and this "
                "model is recurrent."
            )
        )
    elif run.left_out:
        words = [_words(run, group) for group in link_text.groups(run.left_out)]
        left_out = "; ".join(words[:8]) + ("; …" if len(words) > 8 else "")
        st.warning(
            _("Left out, as it does not fit this model or sentence: {interventions}").format(
                interventions=left_out
            )
        )


def _say_if_traditional(sentence: str) -> bool:
    """Offer simplified characters if a sentence has traditional ones; tell whether it has any.

    Characters count only if the model translates from Chinese.
    """
    characters = traditional_in(sentence) if examples.current().source == "zh" else ()
    if not characters:
        return False
    st.info(
        _(
            "Traditional characters, such as {characters}: the model has learned from simplified "
            "ones and hardly knows them."
        ).format(characters="".join(characters[:3]))
    )
    st.button(
        _("Use simplified characters: {sentence}").format(
            sentence=escaped(simplified(sentence)[:60])
        ),
        key="simplify",
        type="tertiary",
        icon=":material/translate:",
        on_click=take,
        args=(simplified(sentence),),
    )
    return True


def _notices(run: Run) -> bool:
    """Say what is to be known of the sentence; tell whether its translation is doubted."""
    _refused_notices(run)
    limit = runs.translator().max_tokens
    doubted = not _say_if_traditional(run.source.text) and show_doubts(run)
    choose_sentence(run.source.text, run.source.cut)
    if run.source.cut:
        st.warning(
            _("The sentence is long: only its first {limit} pieces are used.").format(limit=limit)
        )
    if len(run.recording.target_tokens) >= limit:
        st.warning(_("The translation was stopped at {limit} pieces.").format(limit=limit))
    return doubted
