"""Recordings as a notebook shows them: HTML in which a "$" begins no formula."""

import re
from collections.abc import Iterable, Sequence
from html import escape

PLAIN = 'class="tex2jax_ignore mathjax_ignore"'
"""The attributes of an element whose text MathJax leaves alone."""

_CELL = "padding:2px 14px 2px 0;text-align:left;vertical-align:top"


def html(text: str) -> str:
    """Escape a text; each "$" has an element of its own, so that no two enclose a formula."""
    return escape(text).replace("$", "<span>$</span>")


def table(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table of cells that are HTML already, under the names of its columns."""

    def row(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="{_CELL}">{cell}</{tag}>' for cell in cells)

    body = "".join(row(cells, "td") for cells in rows)
    return f'<table {PLAIN} style="font-size:14px">{row(map(html, names), "th")}{body}</table>'


def sites_table(sites: Iterable[tuple[str, Sequence[str], Sequence[int], str]]) -> str:
    """Write sites by name, dims, shape and meaning, those of all layers as one pattern."""
    layers: dict[tuple[str, str, str], int] = {}
    for name, dims, shape, meaning in sites:
        size = ", ".join(f"{dim} {count}" for dim, count in zip(dims, shape, strict=True))
        one = re.sub(r"\.\d+\.", ".*.", name), size, meaning
        layers[one] = layers.get(one, 0) + 1
    rows = (
        (f"<code>{html(name)}</code>", str(count) if "*" in name else "", html(size), html(meaning))
        for (name, size, meaning), count in layers.items()
    )
    return table(("site", "layers", "shape", "meaning"), rows)
