"""English that is left on a page in another language."""

import json
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from typing import Any

from babel.messages.pofile import read_po
from streamlit.testing.v1 import AppTest

from tests.app.shown import components, message
from viz.compute import examples, models
from viz.language.text import ENGLISH, languages, path_of
from viz.language.update import texts

WRITTEN = ("markdown", "caption", "info", "warning", "error", "toast", "header", "subheader")
LABELLED = (
    *("button", "text_input", "selectbox", "button_group", "slider", "checkbox", "number_input"),
    *("select_slider", "metric", "expander", "menu_button", "multiselect", "radio"),
    *("download_button", "tab", "page_link", "text_area", "toggle"),
)
SAID = ("words", "texts", "label", "title", "legend", "name", "hint", "note", "lead")
"""What a component's message calls the texts that it is to write."""


def assert_opened(page: AppTest, language: str) -> None:
    """Check that a page shows no error and, in another language, no English that is left."""
    assert not page.exception
    assert not page.error
    if language != ENGLISH:
        assert leftovers(page, language) == []


def leftovers(page: AppTest, language: str) -> list[str]:
    """List the texts of a page with an English word of the interface in them."""
    wanted = _vocabulary(language) - _of_sentences(page)
    return sorted({text for text in _texts(page) if _words(_bare(text)) & wanted})


@cache
def _vocabulary(language: str) -> frozenset[str]:
    """Return the words of the interface in English that its translation does without."""
    with path_of(language).open("rb") as file:
        messages = [one for one in read_po(file) if one.id]
    english = {word for one in messages for text in texts(one.id) for word in _words(_bare(text))}
    kept = {word for one in messages for text in texts(one.string) for word in _words(text)}
    return frozenset(english - kept)


def _of_sentences(page: AppTest) -> set[str]:
    """Return the words of sentences, translations and names of models, which stay as they are."""
    said = [one.proto.body for one in page.get("html") if "bar-said" in one.proto.body]
    own = [
        str(page.session_state[name]) for name in ("second", "cut") if name in page.session_state
    ]
    own += [str(option) for one in page.selectbox if one.key == "known" for option in one.options]
    own += [word for one in components(page) for word in _rivals(message(one))]
    names = [*models.folders(), *languages().values()]
    return _words(" ".join([*map(_bare, said), *own, *_examples(), *names]))


def _rivals(told: Any) -> list[str]:  # noqa: ANN401
    """Return the pieces between which a sentence decides, if a component is told of any."""
    if not isinstance(told, dict):
        return []
    pair = [
        text for card in told.get("cards", ()) if "odds" in card for text, _share in card["odds"]
    ]
    return [*told.get("rivals", []), *pair]


def _examples() -> Iterator[str]:
    """List the sentences of the models' examples."""
    for name in models.folders():
        found = examples.of(name)
        yield from found.texts
        for pair in found.pairs:
            yield from (pair.first, pair.second)


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Za-z]{3,}", text)}


def _bare(text: str) -> str:
    """Take out what is the same in every language: code, formulas, pieces, sentences, brackets."""
    quoted = r"<style.*?</style>|<td.*?</td>|<div[^>]*(?:space:pre|anywhere)[^>]*>.*?</div>"
    quoted += r"|<span.*?</span>|“[^\s”]*”"  # a single word in quotation marks is a piece
    bare = re.sub(quoted, " ", unescape(text), flags=re.DOTALL)
    bare = re.sub(r"`[^`]*`", " ", bare)
    bare = re.sub(r"<[^>]*>|·\S+|^\d+  \S+|\d[^*]*\*\*:orange-background.*", " ", bare)
    bare = re.sub(r"\$[^$]*\$|\uff08[^\uff08\uff09]*\uff09|\{[^{}]*\}", " ", bare)
    return re.sub(r":[a-z-]+\[|:material/\w+:|\]\([^)]*\)", " ", bare)


def _texts(page: AppTest) -> Iterator[str]:
    for kind in WRITTEN:
        yield from (str(getattr(one, "value", "")) for one in page.get(kind))
    for one in page.latex:
        yield from re.findall(r"\\text\{([^{}]*[ -][^{}]*)\}", str(one.value))
    for kind in LABELLED:
        for one in page.get(kind):
            named = (getattr(one, name, "") for name in ("label", "help", "placeholder"))
            yield from (str(name or "") for name in named)
            options = getattr(one.proto, "options", ())
            yield from (str(getattr(option, "content", option)) for option in options)
    # What a figure says is made of its words, which are looked at below, and of pieces.
    quoting = re.compile("bar-said|figure-said")
    yield from (one.proto.body for one in page.get("html") if not quoting.search(one.proto.body))
    for one in page.get("plotly_chart"):
        yield from _of_figure(json.loads(one.proto.spec))
    for table in page.dataframe:
        yield from map(str, table.value.columns)
    for one in components(page):
        yield from _of_component(message(one), inside=False)


def _of_figure(spec: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield the words in a figure: titles, names, notes, what the pointer shows."""
    if isinstance(spec, dict):
        for name, value in spec.items():
            if isinstance(value, str) and name in ("text", "name", "hovertemplate", "label"):
                yield re.sub(r"%\{[^}]*\}", " ", value)
            else:
                yield from _of_figure(value)
    elif isinstance(spec, list):
        for one in spec:
            yield from _of_figure(one)


def _of_component(value: Any, *, inside: bool) -> Iterator[str]:  # noqa: ANN401
    """Yield what stands in a component's message under the names of `SAID`."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _of_component(one, inside=inside or name in SAID)
    elif isinstance(value, list):
        for one in value:
            yield from _of_component(one, inside=inside)
    elif isinstance(value, str) and inside:
        yield value
