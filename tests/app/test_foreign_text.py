"""Text that is not ours is never read as Markdown or HTML, whatever page and widget shows it."""

import re
from collections.abc import Iterable, Iterator, Mapping

import pytest
import streamlit as st
from google.protobuf.message import Message
from streamlit.proto.Markdown_pb2 import Markdown
from streamlit.testing.v1 import AppTest

from model.tokenizer import Segmentation, Tokenizer
from model.words import SPECIAL_TOKENS
from tests.app.conftest import start
from viz.course.pages import FIRST, page_links
from viz.language.wording import escaped
from viz.link.table import CLASSROOM, NAMES
from viz.sharing.kept import SHELF
from viz.shell.in_python import written

HOSTILE = "![x](http://h.test/i.png) $5 and $6 ~~then~~ :red[x] <u>x</u> `x` **x y**"
"""What every piece, every translation and every parameter is made to be."""

# Two words are bold: a page writes single ones so.
READ_AS_MARKDOWN = re.compile(
    r"(?<!\\)!\\?\[x\]\(|(?<!\\)\[x\]\(|(?<!\\)\$[56]|(?<!\\)~~then|(?<!\\):red\[|(?<!\\)\*\*x y"
)
CODE = re.compile(r"(?<!\\)`[^`]*`")
READ_AS_HTML = re.compile(r"<u>")

PLAIN = {
    "Text.body",
    "TextInput.value",
    "TextInput.default",
    "TextInput.placeholder",
    "Selectbox.options",
    "Selectbox.raw_value",
    "MultiSelect.options",
    "Slider.options",
    "BidiComponent.json",
    "BidiComponent.js_content",
    "Code.code_text",
}
"""What a browser shows as plain text, or what goes to our own JavaScript."""

HTML = {"Html.body", "PlotlyChart.spec"}
"""What a browser reads as HTML, and plotly as a few tags of it."""

SENTENCE = "Tom ![x](h) sleeps."
EDITS = "hide.1_hide.3-4_zero.c.5.6_block.c.4.all.2~2"


def strings(message: Message, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a message with the names of the fields that lead to it."""
    for field, value in message.ListFields():
        name = f"{path}.{field.name}"
        for one in [value] if isinstance(value, Message | str) else _several(value):
            if isinstance(one, Message):
                yield from strings(one, name)
            elif isinstance(one, str):
                yield name, one


def _several(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return [*value.values()]
    return value if isinstance(value, Iterable) else ()


def misread(app: AppTest) -> list[tuple[str, str]]:
    """List the texts of a page that a browser would take for more than text, with their fields."""
    found = []
    for node in app._tree:
        proto = getattr(node, "proto", None)
        if not isinstance(proto, Message):
            continue
        for name, text in strings(proto, proto.DESCRIPTOR.name):
            if name.endswith(".id") or name in PLAIN:
                continue
            if isinstance(proto, Markdown) and proto.element_type == Markdown.Type.LATEX:
                assert text.count("$$") == 2  # no piece ends the formula
                continue
            pattern = READ_AS_HTML if name in HTML else READ_AS_MARKDOWN
            text = CODE.sub("", text)
            if hit := pattern.search(text):
                found.append((name, text[max(0, hit.start() - 30) : hit.end() + 20]))
    return found


@pytest.fixture(scope="module")
def hostile() -> Iterator[None]:
    """Every piece and every translation is a hostile text; nothing of it is kept."""

    def token(self: Tokenizer, id_: int) -> str:
        name = self._processor.IdToPiece(int(id_))
        return name if name in SPECIAL_TOKENS else f"\u2581{HOSTILE}"

    def score(self: Tokenizer, id_: int) -> float:
        return float(self._processor.GetScore(int(id_)))

    segmentations, id_of = Tokenizer.segmentations, Tokenizer.id

    def cuts(self: Tokenizer, text: str, count: int) -> list[Segmentation]:
        found = segmentations(self, text, count)
        return [Segmentation((HOSTILE,) * len(one.tokens), one.score) for one in found]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tokenizer, "token", token)
        patch.setattr(Tokenizer, "score", score)
        patch.setattr(Tokenizer, "segmentations", cuts)
        patch.setattr(Tokenizer, "decode", lambda *_: HOSTILE)
        patch.setattr(
            Tokenizer, "id", lambda self, name: 5 if HOSTILE in name else id_of(self, name)
        )
        forget()
        yield
    forget()


def forget() -> None:
    """Empty all caches that hold words."""
    SHELF.remove(lambda _: True)
    st.cache_resource.clear()


def views(app: AppTest, page: str) -> list[dict[str, str]]:
    """List what a link says for each view of a page; nothing where it has none."""
    keys = [one.key for one in app.segmented_control if one.label == "View" and one.key]
    return [{key: view} for key in keys[:1] for view in written()[page]]


PAGES = sorted(page_links() | {FIRST})
ODD = ("Hi", "word " * 60, "🦊", "你好 שלום", "a\x00b\u202e", "½ … ﬁ", ".", "la la la")
"""Sentences, of which each view gets one."""


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("page", PAGES)
def test_nothing_that_is_not_ours_is_read_as_markdown(page: str) -> None:
    """Neither what a link says nor any piece, in any view, and no sentence is too odd."""
    link = dict.fromkeys(NAMES - {"lesson", *CLASSROOM}, HOSTILE)
    app = start(page, **link | {"sentence": SENTENCE, "edits": EDITS})
    assert not app.exception
    assert app.header or page == FIRST
    found = misread(app)
    for at, view in enumerate(views(app, page), PAGES.index(page)):
        app = start(page, sentence=ODD[at % len(ODD)], edits=EDITS, **view)
        assert not app.exception, view
        found += misread(app)
    assert found == []


def test_what_is_escaped_is_read_as_it_was_written() -> None:
    """What a reader of Markdown leaves of an escaped text is the text itself."""
    assert re.sub(r"\\(?=[^\w\s])|\u2060", "", escaped(HOSTILE)) == HOSTILE
    assert escaped("one\n# two") == r"one \# two"
    assert escaped("Je t'aime, dit-il (2 fois).") == "Je t'aime, dit-il (2 fois)."


def test_the_word_that_is_cut_stands_in_the_link_as_it_is_labelled() -> None:
    new = start("tokens", tokens="other cuts", sentence="It costs $5 now", cut=escaped("$5"))
    assert new.session_state["cut"] == "$5"
