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
            example.queries,
            example.keys,
            [(*link, right) for link, right in zip(example.links, example.right, strict=True)],
            [_looking(example, head, query) for query, *_link_ in example.links],
            f"{Number(example.value):.2f}",
            [
                (_("Attention"), _link("attention", example, head)),
                (_("One head"), _link("head", example, head)),
                (_("Where else?"), _link("atlas", example, head)),
            ],
        )
        for example in shown
    ]


def _looking(example: Shown, head: Head, query: int) -> str:
    """Return the token of a query, or in the decoder words for what its row writes."""
    return (
        token_text(example.queries[query])
        if head.kind == "encoder"
        else writing(example.queries, query)
    )


def _link(page: str, example: Shown, head: Head) -> str:
    """Return a link to a page with this sentence and head, at the query of its first link."""
    query, key = example.links[0][:2] if example.links else (None, None)
    return link_to_head(page, example.text, head, query, key)
