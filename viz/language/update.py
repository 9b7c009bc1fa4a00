"""Extract all texts for the catalogues: `python -m viz.language.update`, with `fr` for a new one.

They are those of the app's source, what the sites of a model mean, and the words of the cards and
examples of the shipped models.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from model.checkpoints.card import CARD, load_card, read_card
from model.checkpoints.checkpoint import CHECKPOINTS
from model.checkpoints.examples import EXAMPLES, read_examples
from model.sites.sites import RECURRENT_SITES, SITES, SUITS_LAST_STATE
from viz.language.text import DOMAIN, LOCALES

ROOT = Path(__file__).parents[2]
SOURCES = ("model/interventions", "viz")
KEYWORDS = ("_", "_n", "later", "Message")
WIDTH = 100


def extracted() -> Catalog:
    """Return all texts that pass one of `KEYWORDS` in the app, each with the files it is in."""
    template = Catalog(project="Headlight", charset="utf-8")
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        for message in said_by_code(path.read_text(encoding="utf-8")):
            template.add(message, None, [(file, 1)])
    for meaning in (*(site.meaning for site in (*SITES, *RECURRENT_SITES)), SUITS_LAST_STATE):
        template.add(meaning, None, [("model/sites/sites.py", 1)])
    for path in sorted(CHECKPOINTS.glob(f"*/{CARD}")):
        for message in said_by_card(path.parent):
            template.add(message, None, [(f"checkpoints/{path.parent.name}/{CARD}", 1)])
    for path in sorted(CHECKPOINTS.glob(f"*/{EXAMPLES}")):
        for message in said_by_examples(path.parent):
            template.add(message, None, [(f"checkpoints/{path.parent.name}/{EXAMPLES}", 1)])
    return template


def said_by_code(source: str) -> Iterator[str | tuple[str, str]]:
    """Yield the texts of a module in their order, including those inside f-strings."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
            given = [one.value for one in call.args if isinstance(one, ast.Constant)]
            said = [text for text in given if isinstance(text, str)]
            if said and (call.func.id != "Message" or _has_words(said[0])):
                yield (said[0], said[1]) if call.func.id == "_n" else said[0]


def _has_words(text: str) -> bool:
    """Tell whether a message has words besides its values."""
    return any(mark.isalpha() for mark in re.sub(r"\{[^{}]*\}", "", text))


def said_by_card(folder: Path) -> Iterator[str]:
    """Yield the texts in a model's card, head report and table of causes."""
    if "quality" not in read_card(folder):
        return
    card = load_card(folder)
    yield from (*(card.data[name] for name in ("name", "licence", "note")), *card.pronouns)
    yield from (spot["what"] for spot in card.weak_spots)
    yield from (goal["what"] for goal in card.goals)
    if card.heads:
        yield card.heads["tried"]
    if card.causes:
        yield from (row["name"] for row in card.causes.get("pictures", ()))
        yield from card.causes.get("pronouns", ())
        for row in card.causes.get("turned", ()):
            yield row["name"]
            if not row["heads"].startswith("head "):  # a head's number is not translated
                yield row["heads"]


def said_by_examples(folder: Path) -> Iterator[str]:
    """Yield the texts of a model's examples: the phenomenon, and what to look at."""
    examples = read_examples(folder)
    for one in examples.sentences if examples else ():
        yield from (text for text in (one.shows, one.look) if text)


def written(catalogue: Catalog) -> bytes:
    """Write a catalogue without line numbers and without unused texts."""
    file = BytesIO()
    options = {"include_lineno": False, "ignore_obsolete": True, "sort_by_file": True}
    write_po(file, catalogue, width=WIDTH, **options)
    return file.getvalue()


def update(path: Path, template: Catalog) -> None:
    """Update a catalogue, or begin it; new and changed texts are left untranslated."""
    if path.is_file():
        with path.open("rb") as file:
            catalogue = read_po(file)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = Catalog(path.parents[1].name, charset="utf-8", fuzzy=False, header_comment="#")
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    path.write_bytes(written(catalogue))
    left = [one for one in catalogue if one.id and not all(texts(one.string))]
    print(f"{path}: {len(catalogue)} texts, {len(left)} to translate")


def texts(string: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the one text of a message, or all its plural forms; "" where there is none."""
    return (string or "",) if isinstance(string, str | None) else tuple(string)


if __name__ == "__main__":
    known = sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
    begun = [LOCALES / name / "LC_MESSAGES" / f"{DOMAIN}.po" for name in sys.argv[1:]]
    for each in {*known, *begun}:
        update(each, extracted())
