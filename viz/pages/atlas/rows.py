"""Sentences of the corpus as rows of a list, each with links that open it on other pages."""

from collections.abc import Sequence

from model.sites.sites import Head
from viz.compute import models
from viz.compute.atlas import Shown
from viz.figures.labels import Number
from viz.language.text import _
from viz.link import address
from viz.link.settings import along
from viz.link.table import parameter
from viz.pages.atlas.evidence_list import Row


def rows_of(shown: Sequence[Shown], head: Head) -> list[Row]:
    """Return a row for each sentence."""
    return [
        Row(
            one.queries,
            one.keys,
            [(*link, right) for link, right in zip(one.links, one.right, strict=True)],
            f"{Number(one.value):.2f}",
            [
                (_("Attention"), _link("attention", one, head)),
                (_("One head"), _link("head", one, head)),
                (_("Where else?"), _link("atlas", one, head)),
            ],
        )
        for one in shown
    ]


def _link(page: str, one: Shown, head: Head) -> str:
    """Return a link to a page that shows a sentence in a head, at its first query that matters."""
    place = "word" if head.kind == "encoder" else "step"
    said = {
        "sentence": one.text,
        "kind": head.kind,
        "layer": parameter("layer").said(head.layer),
        "head": parameter("head").said(head.head),
    }
    if one.links:
        said[place] = parameter(place).said(one.links[0][0])
        if page == "atlas":
            said |= {"key": parameter("key", page).said(one.links[0][1]), "atlas": "Where else?"}
    if name := address.parameters().get(models.CHOSEN):
        said[models.CHOSEN] = name
    return address.link(page, [*said.items(), *along()])
