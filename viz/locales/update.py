"""Extract all texts for the catalogues: `python -m viz.locales.update`, with `fr` for a new one."""

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from viz.shared.text import DOMAIN, LOCALES

SOURCES = Path(__file__).parents[1]
KEYWORDS = {"_": None, "_n": (1, 2), "later": None}
WIDTH = 100


def extracted() -> Catalog:
    """Return all texts that pass `_`, `_n` or `later` in the app, each with the files it is in."""
    template = Catalog(project="Headlight", charset="utf-8")
    found = extract_from_dir(SOURCES, [("**.py", "python")], keywords=KEYWORDS)
    for file, _line, message, comments, context in sorted(found, key=lambda one: one[:2]):
        template.add(message, None, [(f"viz/{file}", 1)], (), comments, context=context)
    return template


def written(catalogue: Catalog) -> bytes:
    """Write a catalogue without what changes by itself: line numbers, and texts no longer used."""
    file = BytesIO()
    options = {"include_lineno": False, "ignore_obsolete": True, "sort_by_file": True}
    write_po(file, catalogue, width=WIDTH, **options)
    return file.getvalue()


def update(path: Path, template: Catalog) -> None:
    """Bring a catalogue up to date, or begin it; new and changed texts are left untranslated."""
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
