"""HTML of recordings for notebooks, in which a "$" does not begin a formula."""

import re
from collections.abc import Iterable, Sequence
from html import escape

PLAIN = 'class="tex2jax_ignore mathjax_ignore"'
"""The attributes of an element whose text MathJax leaves alone."""

_CELL = "padding:2px 14px 2px 0;text-align:left;vertical-align:top"


def html(text: str) -> str:
    """Escape a text; each "$" gets an element of its own, so that no two enclose a formula."""
    return escape(text).replace("$", "<span>$</span>")


def table(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write an HTML table with these column headings; the cells of `rows` are already HTML."""

    def row(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="{_CELL}">{cell}</{tag}>' for cell in cells)

    body = "".join(row(cells, "td") for cells in rows)
    return f'<table {PLAIN} style="font-size:14px">{row(map(html, names), "th")}{body}</table>'


def sites_table(sites: Iterable[tuple[str, Sequence[str], Sequence[int], str]]) -> str:
    """Write a table of sites (name, dims, shape, meaning); one row stands for all layers."""
    layers: dict[tuple[str, str, str], int] = {}
    for name, dims, shape, meaning in sites:
        size = ", ".join(f"{dim} {count}" for dim, count in zip(dims, shape, strict=True))
        pattern = re.sub(r"\.\d+\.", ".*.", name), size, meaning
        layers[pattern] = layers.get(pattern, 0) + 1
    rows = (
        (f"<code>{html(name)}</code>", str(count) if "*" in name else "", html(size), html(meaning))
        for (name, size, meaning), count in layers.items()
    )
    return table(("site", "layers", "shape", "meaning"), rows)
