"""Words on screen: every sentence that a user reads passes through `_()` or `_n()`.

The language belongs to the visitor, not to the process. It is read at every call, so an object that
outlives a visit must not hold the results of these functions. The catalogues are in
`viz/language/locales`.
"""

import gettext
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TypeVar

import streamlit as st
from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from streamlit.runtime.scriptrunner import get_script_run_ctx

LOCALES = Path(__file__).parent / "locales"
DOMAIN = "headlight"
ENGLISH = "en"
"""The language of the sources."""

CHOSEN = "lang"
"""The name of the choice, in the session and in the link."""

Text = TypeVar("Text", bound=str)

_WORD_FIRST = re.compile(r"(?:a )?[a-z]{2}[a-z-]*(?:[ ,:]|$)")

_using: ContextVar[str | None] = ContextVar("language", default=None)


def _(message: str) -> str:
    """Translate a text into the language in force."""
    return _catalogue(language()).gettext(message)


def _n(one: str, many: str, count: int) -> str:
    """Translate `one` or `many` by the count in the language in force; both may hold {count}."""
    return _catalogue(language()).ngettext(one, many, count)


def later(message: Text) -> Text:
    """Mark a text in a table for the catalogue and return it unchanged; `_` translates it later."""
    return message


@cache
def languages() -> dict[str, str]:
    """Return all languages by their codes in links, each named in itself."""
    named = {path.parents[1].name for path in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po")}
    locales = [Locale.parse(name) for name in (ENGLISH, *sorted(named))]
    return {one.language: (one.get_language_name() or one.language).capitalize() for one in locales}


def language_name(code: str) -> str:
    """Return a language's name in the language in force: "French" for "fr"; else the code."""
    return Locale.parse(language()).languages.get(code, code)


def language() -> str:
    """Return the code of the language in force: that of `using`, else the visitor's choice."""
    if name := _using.get():
        return name
    if get_script_run_ctx(suppress_warning=True) is None:
        return ENGLISH
    return str(st.session_state.get(CHOSEN, ENGLISH))


@contextmanager
def using(name: str) -> Iterator[None]:
    """Translate all texts inside into this language; ValueError if there is no such code."""
    if name not in languages():
        raise ValueError(f"there is no language {name!r}; there are: {', '.join(languages())}")
    token = _using.set(name)
    try:
        yield
    finally:
        _using.reset(token)


def path_of(name: str) -> Path:
    """Return the catalogue of a language other than English."""
    return next(LOCALES.glob(f"{name}*/LC_MESSAGES/{DOMAIN}.po"))


@cache
def _catalogue(name: str) -> gettext.NullTranslations:
    """Read a catalogue once, and compile it in memory."""
    if name == ENGLISH:
        return gettext.NullTranslations()
    with path_of(name).open("rb") as file:
        messages = read_po(file)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def capital(text: str) -> str:
    """Return a text with a capital at its beginning; names and formulas stay as they are."""
    return text[0].upper() + text[1:] if _WORD_FIRST.match(text) else text
