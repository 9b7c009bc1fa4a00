"""Links to a head on a page, for a sentence, at a query and the key that it looks at."""

from collections.abc import Sequence

from model.interventions.base import Intervention
from model.sites.sites import Head
from viz.compute import models
from viz.link import address, edits
from viz.link.offers import ALIKE
from viz.link.settings import along
from viz.link.table import parameter


def link_to_head(
    page: str,
    sentence: str,
    head: Head,
    query: int | None = None,
    key: int | None = None,
    changes: Sequence[Intervention] = (),
) -> str:
    """Return a link to a page that shows a head of the model in force on a sentence.

    Query and key are pieces from 0; the query of a decoder's head is the step that it serves. Only
    the atlas takes the key: it then shows where else in the corpus the head looks like this.
    `changes` are the changes in the model on that page.
    """
    query_name = "word" if head.kind == "encoder" else "step"
    values = {
        "sentence": sentence,
        "kind": head.kind,
        "layer": parameter("layer").said(head.layer),
        "head": parameter("head").said(head.head),
    }
    if query is not None:
        values[query_name] = parameter(query_name).said(query)
    if page == "atlas" and query is not None and key is not None:
        values |= {"key": parameter("key", page).said(key), **ALIKE}
    if changes:
        values["edits"] = edits.write(changes, sentence)
    if name := address.parameters().get(models.CHOSEN):
        values[models.CHOSEN] = name
    return address.link(page, [*values.items(), *along()])
