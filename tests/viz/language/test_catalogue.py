"""Every catalogue says all that the app says, and loses nothing that a text holds."""

import re
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from tests.emphasis import unseen_emphasis
from viz.language.text import DOMAIN, LOCALES
from viz.language.update import extracted, texts, update

CATALOGUES = sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def identity(message: Message) -> object:
    return tuple(message.id) if isinstance(message.id, list | tuple) else message.id


def kept(text: str) -> list[object]:
    """List what a translation has to hold too: placeholders, formulas, code, Markdown's marks."""
    formulas = Counter(re.findall(r"\$[^$]+\$", text))
    return [
        Counter(re.findall(r"\{[^{}]*\}", re.sub(r"\$[^$]+\$", "", text))),
        formulas,
        Counter(re.findall(r"`[^`]+`", text)),
        Counter(re.findall(r"\]\([^)]*\)|:material/\w+:|:\w+-badge\[", text)),
        len(re.findall(r"\*+", text)),
        text.count("\n- "),
        text.count("|") if text.startswith("|") else 0,
    ]


def lost(message: Message) -> list[str]:
    """List the translations of a message that lost something; a form for one may say "one"."""
    originals = texts(message.id)
    expected = kept(originals[-1])
    return [text for text in texts(message.string) if kept(text) != expected]


@pytest.fixture(scope="module")
def template() -> Catalog:
    return extracted()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
class TestCatalogue:
    def test_it_has_the_texts_of_the_app_and_no_others(self, path: Path, template: Catalog) -> None:
        wanted = {identity(message) for message in template if message.id}
        found = {identity(message) for message in catalogue(path) if message.id}
        assert len(wanted) > 1000
        assert (wanted - found, found - wanted) == (set(), set())

    def test_all_is_translated_and_nothing_fuzzy(self, path: Path) -> None:
        messages = [message for message in catalogue(path) if message.id]
        assert [one.id for one in messages if one.fuzzy or not all(texts(one.string))] == []

    def test_no_placeholder_formula_or_mark_is_lost(self, path: Path) -> None:
        assert [one.id for one in catalogue(path) if one.id and lost(one)] == []

    def test_markdown_sees_all_emphasis(self, path: Path) -> None:
        """Beside Chinese signs a star may be none to Markdown."""
        said = [text for one in catalogue(path) if one.id for text in texts(one.string)]
        with_stars = [text for text in said if "*" in text]
        lines = [re.sub(r"^- ", "", line) for text in with_stars for line in text.split("\n")]
        filled = [re.sub(r"\{[^{}]*\}", "a", line) for line in lines]
        assert [line for line in (*lines, *filled) if unseen_emphasis(line)] == []


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("{count} pieces", "{number} 个词元"),
        ("{count} pieces", "词元"),
        ("by $\\sqrt{d_k}$", "除以 $\\sqrt{d}$"),
        ("run `python -m x`", "运行 python -m x"),
        ("the **query**", "查询"),
    ],
)
def test_what_is_lost_is_found(text: str, translation: str) -> None:
    assert lost(Message(text, translation)) == [translation]


def test_a_new_catalogue_has_every_text_untranslated(tmp_path: Path, template: Catalog) -> None:
    path = tmp_path / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
    update(path, template)
    begun = catalogue(path)
    assert (len(begun), str(begun.locale), begun.num_plurals) == (len(template), "fr", 2)


def test_an_update_keeps_translations_and_drops_what_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
    old, new = Catalog(), Catalog()
    old.add("head", locations=[("a.py", 1)])
    old.add("gone", locations=[("a.py", 1)])
    update(path, old)
    path.write_text(path.read_text("utf-8").replace('"head"\nmsgstr ""', '"head"\nmsgstr "tête"'))
    new.add("head", locations=[("b.py", 7)])
    new.add("layer", locations=[("b.py", 9)])
    update(path, new)
    found = {one.id: one.string for one in catalogue(path) if one.id}
    assert found == {"head": "tête", "layer": ""}
