"""Tables of the model's card, with readable names."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.sites.sites import Head
from viz.compute import examples
from viz.figures.table import show_table
from viz.language.sides import side_names
from viz.language.text import _

_LINE = "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent);padding:6px 12px"


def column_names() -> dict[str, str]:
    """Return the names on screen of the card's columns."""
    return {
        "words": _("words"),
        "sentences": _("sentences"),
        "bleu": "BLEU",
        "chrf": "chrF",
        "set": _("kept out of training"),
        "right_pronoun": _("right pronoun, %"),
        "exact": _("whole sentence right, %"),
        "what": _("what"),
        "attention": _("attention"),
        "looks at": _("looks at"),
        "layer": _("layer"),
        "head": _("head"),
        "value": _("value"),
        "goal": _("goal"),
        "reached": _("reached"),
        "where": _("where, or what came out"),
        "link": _("link"),
        "changed": _("word changes when it is cut"),
        "changed_elsewhere": _("when another is cut"),
        "turned": _("becomes another key's word when turned onto it"),
        "likely": _("probability of the word, before and after"),
        "is_cause": _("a cause"),
        "cut": _("what is changed"),
        "turn": _("what is turned onto another"),
        "in": _("in which heads"),
        "becomes": _("becomes the other's word"),
        "pronoun": _("the pronoun changes"),
        "likely_other": _("probability of that word"),
    }


def cut_names(carrier: str) -> dict[str, str]:
    """Return the names on screen of what was cut; `carrier` is the head, such as "6.4"."""
    return {
        "none": _("nothing"),
        "link": _('the link from "it" to both nouns, in all encoder heads'),
        "one_head": _("head encoder {head} alone").format(head=carrier),
        "turn": _("head encoder {head} looks at the other noun instead").format(head=carrier),
        "reads": _('the look at "it" when il or elle is written, in all cross heads'),
        "it": _('the vector at "it" is that of the other sentence'),
        "all but it": _('all vectors but that at "it" are those of the other sentence'),
    }


def _languages() -> dict[str, str]:
    """Return the names of the card's columns that are named by language codes."""
    codes = examples.languages()
    if codes is None:
        return {}
    names = side_names()
    written = _("{target}, as it comes out").format(**names)
    return {codes[0]: names["source"], codes[1]: written}


SURE = 0.6
"""The smallest score of a head, as a mean over the corpus, that gives it a name."""


def known_roles(report: Mapping[str, Any] | None) -> dict[Head, str]:
    """Return what the best heads look at, for the scores of a head report that reach `SURE`."""
    names = {
        "antecedent": _("“it” → its noun"),
        "previous": _("the token before"),
        "next": _("the token after"),
        "aligned_predicted": _("the word it writes next"),
    }
    return {
        Head(best["kind"], best["layer"] - 1, best["head"] - 1): names[best["score"]]
        for best in (report["best"] if report else ())
        if best["score"] in names and best["value"] >= SURE
    }


def looks_at() -> dict[str, str]:
    """Return what each score of the head report is about."""
    return {
        "previous": _("the token before"),
        "same": _("the token itself"),
        "next": _("the token after"),
        "first": _("the first token"),
        "end": _("the end token"),
        "punctuation": _("punctuation"),
        "aligned_given": _("the word aligned with the piece it was given (share of queries)"),
        "aligned_predicted": _("the word aligned with the piece it predicts (share of queries)"),
        "antecedent": _("what 'it' stands for, minus the other noun"),
    }


def said(text: str) -> str:
    """Translate a text of a card; the catalogues hold those of the shipped models."""
    return _(text)


def show(where: DeltaGenerator, rows: Sequence[Mapping[str, object]], link: str = "") -> None:
    """Draw a table of the card with readable names; the column `link` holds addresses."""
    names = column_names()
    named = [{names.get(name, name): value for name, value in row.items()} for row in rows]
    with where:
        show_table(named, link=link)


def show_texts(rows: Sequence[Mapping[str, str]]) -> None:
    """Draw a table of sentences, which wrap; a dataframe would cut them off."""
    names = column_names() | _languages()

    def line(tag: str, cells: Iterable[str]) -> str:
        return "".join(f'<{tag} style="{_LINE};text-align:left">{escape(c)}</{tag}>' for c in cells)

    body = [
        line("th", (names.get(name, name) for name in rows[0])),
        *(line("td", r.values()) for r in rows),
    ]
    table = "".join(f"<tr>{cells}</tr>" for cells in body)
    st.html(
        f'<table style="border-collapse:collapse;width:100%;overflow-wrap:anywhere">{table}</table>'
    )
