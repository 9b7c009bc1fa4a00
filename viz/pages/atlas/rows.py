"""Sentences of the corpus as rows of a list, with links that open them on other pages."""

from collections.abc import Sequence

from model.sites.sites import Head
from viz.compute.atlas import Shown
from viz.figures.labels import Number, writing
from viz.figures.theme import token_text
from viz.language.text import _
from viz.link.to_head import link_to_head
from viz.pages.atlas.evidence_list import Row


def rows_of(shown: Sequence[Shown], head: Head) -> list[Row]:
    """Return a row for each sentence that shows something of a head."""
    return [
        Row(
            one.queries,
            one.keys,
            [(*link, right) for link, right in zip(one.links, one.right, strict=True)],
            [_looking(one, head, query) for query, *_link_ in one.links],
            f"{Number(one.value):.2f}",
            [
                (_("Attention"), _link("attention", one, head)),
                (_("One head"), _link("head", one, head)),
                (_("Where else?"), _link("atlas", one, head)),
            ],
        )
        for one in shown
    ]


def _looking(one: Shown, head: Head, query: int) -> str:
    """Name a query by its token, or in the decoder by what its row writes."""
    return token_text(one.queries[query]) if head.kind == "encoder" else writing(one.queries, query)


def _link(page: str, one: Shown, head: Head) -> str:
    """Return a link to a page with this sentence and head, at the query of its first link."""
    query, key = one.links[0][:2] if one.links else (None, None)
    return link_to_head(page, one.text, head, query, key)
