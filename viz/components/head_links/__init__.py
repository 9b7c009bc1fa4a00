"""The links beside the choice of a head: to its numbers, and to switch it off."""

import json
from collections.abc import Mapping
from pathlib import Path

from model.sites.sites import Kind
from viz.components.component import renderer
from viz.language.text import _

ENTRY = Path(__file__).parent / "assets" / "head_links.js"


def head_links(
    kind: Kind, layer: int, head: int, offers: Mapping[str, object], key: str = "head_links"
) -> None:
    """Draw the links of a head, from 0; `offers` are those of viz/link/offers.py."""
    told = {
        "place": {"kind": kind, "layer": layer, "head": head},
        "offers": offers,
        "texts": head_link_texts(),
    }
    renderer("head_links", ENTRY)(
        key=key, data={"told": json.dumps(told, ensure_ascii=False)}, width="content"
    )


def head_link_texts() -> dict[str, str]:
    """Return the texts of the links, for every component that draws such links."""
    return {
        "group": _("The chosen head"),
        "numbers": _("One head by numbers"),
        "alike": _("Where else?"),
        "alikeLong": _("Where else in a corpus does this head look like this?"),
        "off": _("Switch it off"),
        "on": _("Switch it on again"),
    }
