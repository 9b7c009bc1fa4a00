"""A list of sentences, each with the links of one head, and links to other pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from viz.components.component import renderer
from viz.figures.theme import KEY, QUERY, key_axis, query_axis, token_text
from viz.language.text import _

_MAIN = Path(__file__).parent / "assets" / "evidence.js"


@dataclass(frozen=True)
class Row:
    """A sentence: its tokens as queries and as keys, and the links between them.

    A link has its query and its key, from 0, its weight, and True if it is right. `looking` names
    the query of each link. `value` is written before the sentence; `opens` are pairs of a page's
    name on screen and its link.
    """

    queries: Sequence[str]
    keys: Sequence[str]
    links: Sequence[tuple[int, int, float, bool]]
    looking: Sequence[str]
    value: str
    opens: Sequence[tuple[str, str]]


def evidence_list(rows: Sequence[Row], apart: bool, key: str) -> None:
    """Draw sentences; with `apart`, queries and keys are on two lines, else on one line."""
    renderer("evidence_list", _MAIN)(
        key=key,
        data={
            "rows": [
                {
                    "queries": [token_text(token) for token in row.queries],
                    "keys": [token_text(token) for token in row.keys],
                    "links": [[q, k, round(weight, 3), right] for q, k, weight, right in row.links],
                    "looking": list(row.looking),
                    "value": row.value,
                    "opens": [list(link) for link in row.opens],
                }
                for row in rows
            ],
            "apart": apart,
            "colours": {"query": QUERY, "key": KEY},
            "words": {
                "query": query_axis(),
                "key": key_axis(),
                "weight": _("weight"),
                "other": _("dashed: looks somewhere else"),
            },
        },
    )
