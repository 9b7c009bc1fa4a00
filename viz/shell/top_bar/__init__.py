"""The top bar, always in view: the name, the sentence, its translation, and the tools."""

from html import escape

import streamlit as st

from model.results import Run
from viz.compute import examples, familiarity, runs
from viz.course.entry import PageEntry
from viz.figures.theme import LIGHT
from viz.language.sides import side_names
from viz.language.text import CHOSEN, _, language, languages
from viz.language.wording import no_words
from viz.link import address, edits
from viz.shell import state
from viz.shell.chooser import choose_model
from viz.shell.class_screen.seat import asked_for
from viz.shell.class_screen.start import class_button
from viz.shell.heavy import shown
from viz.shell.top_bar.example_list import example_list
from viz.shell.top_bar.far import mark
from viz.shell.top_bar.flash import Said, said
from viz.shell.top_bar.paper import paper
from viz.shell.top_bar.target_language import choose_language
from viz.shell.top_bar.tools import top_bar_tools

_SWITCH = "language switch"

LONG = 75
"""Texts with more characters than this are written smaller, in three lines instead of two."""


def show_top_bar(home: st.Page, entry: PageEntry) -> None:
    """Draw the top bar of a page, and read the focus and the interventions from the link.

    Words flash when they change on a page, but not on the way to another page. The container "bar
    settings" holds what concerns the whole app: the model, the language and the class.
    """
    theme = state.current_theme()
    colours = (
        f":root {{--bar-ground: {theme.background}; --bar-line: {theme.grid}; "
        f"--bar-text: {theme.text}; "
        f"--bar-on-primary: {theme.background}; "
        f"--bar-contrast: {'contrast(1.15)' if theme is LIGHT else 'none'}; "
        f"--bar-print: {'none' if theme is LIGHT else 'invert(1) hue-rotate(180deg)'}}}"
    )
    st.html(f"<style>{colours}</style>")
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", wrap=False, key="top bar"
    ):
        with st.container(key="bar name", width="content"):
            st.page_link(home, label="Headlight", icon=":material/flashlight_on:")
        run = None
        if entry.has_box:
            run = _sentences(entry.link)
        else:
            st.space("stretch")
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            gap="small",
            wrap=False,
            width="content",
            key="bar settings",
        ):
            choose_model()
            _switch_language()
            if not asked_for():
                class_button(entry)
        with st.container(key="bar tools place", width="content"):
            sentence = state.sentence() if entry.has_box else None
            top_bar_tools(entry.link, sentence, paper(entry, run))


def _switch_language() -> None:
    """Draw the menu of languages; its button bears the name of the language in force."""
    names = languages()
    st.menu_button(
        names[language()],
        list(names),
        format_func=names.__getitem__,
        key=_SWITCH,
        icon=":material/translate:",
        type="tertiary",
        help=_("Language of the pages"),
        on_click=_take_language,
    )


def _take_language() -> None:
    st.session_state[CHOSEN] = st.session_state[_SWITCH]


def _sentences(page: str) -> Run | None:
    """Draw the sentence, which is edited in place, its translation, and the menu of examples.

    Return the run of the sentence; None if there is nothing to translate.
    """
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", wrap=False, key="bar sentences"
    ):
        source = st.container(key="bar source", gap=None)
        target = st.container(key="bar target", gap=None)
        with source:
            st.text_input(
                _("Sentence to translate"),
                state.first_sentence(),
                key="sentence",
                bind=address.BOUND,
                label_visibility="collapsed",
                placeholder=_placeholder(),
            )
            state.open_page_state(page)
        with target:
            codes = examples.languages() or ("", "")
            run = _run()
            translation = run.translation.text or no_words() if run else ""
            trained = runs.run(state.sentence()).translation.text if run else ""
            words = trained if run and run.translation.text else translation
            texts = said(page, codes, state.sentence(), translation, words)
            far = mark(familiarity.far(state.sentence())) if run else ""
            as_trained = trained if translation != trained else ""
            st.html(_text(texts.target, opens=True, as_trained=as_trained) + far)
        # A text field does not wrap: until it is edited, the words lie in front of it.
        source.html(_text(texts.source))
    with st.container(key="examples", width="content"):
        example_list(examples.current())
    choose_language()
    return run


def _placeholder() -> str:
    """Return the placeholder of the box; it names the source language if that is known."""
    if examples.languages() is None:
        return _("A sentence, then Enter")
    return _("A sentence in {source}, then Enter").format(**side_names())


def _run() -> Run | None:
    """Return the run of the sentence with the interventions; None if there is no sentence."""
    try:
        with shown(_("Translating, and recording every layer")):
            return runs.run(state.sentence(), edits.interventions())
    except ValueError:
        return None


def _text(said_: Said, opens: bool = False, as_trained: str = "") -> str:
    """Return a text of the bar as HTML; a touch or Tab shows all of a long one if it `opens`.

    `as_trained` is what the trained model writes, if it is another text: the tooltip says it, too.
    """
    title = said_.text
    if as_trained:
        title += "\n" + _("As trained: {text}").format(text=as_trained)
    is_long = len(said_.text) > LONG
    long, opened = " long" if is_long else "", ' tabindex="0"' if opens and is_long else ""
    return (
        f'<div class="bar-said{long}" lang="{said_.language}" title="{escape(title)}"'
        f"{opened}>{said_.html}</div>"
    )
