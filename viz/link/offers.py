"""Links that the browser completes: offers for a head and a token chosen there.

An offer names the page it leads to, the parameters of the address to keep (all of them for None),
and its own parameters. `{layer}` and other names in braces are values that the browser fills in,
from 1 on. It leaves out those it does not know, and an empty value removes a parameter from the
address. `components/javascript/address.js` makes the link and knows no parameter by name.
"""

from collections.abc import Mapping, Sequence

from model.interventions.attention import TurnAttention
from model.interventions.heads import AblateHead
from model.sites.sites import KINDS, Kind
from viz.link import edits
from viz.link.table import ALONG, NAMES

Offer = dict[str, object]

_HEAD = {"kind": "{kind}", "layer": "{layer}", "head": "{head}"}
_LINK = {"word": "{word}", "step": "{step}", "key": "{key}"}
ALIKE = {"atlas": "Where else?"}
"""What a link to the atlas says so that it opens on the search."""


def elsewhere(page: str, keep: Sequence[str] = (), **says: str) -> Offer:
    """Offer another page, with the parameters of all pages and the other ones to `keep`."""
    return {"page": page, "along": [*ALONG, *keep], "says": _known(says)}


def here(**says: str) -> Offer:
    """Offer this page unchanged, except for the parameters of the link."""
    return {"page": "", "along": None, "says": _known(says)}


def _known(says: Mapping[str, str]) -> dict[str, str]:
    if unknown := says.keys() - NAMES:
        raise ValueError(f"not in viz/link/table.py: {', '.join(sorted(unknown))}")
    return dict(says)


def head_offers() -> dict[str, object]:
    """Offer a head's numbers, its similar places, to switch it off or on again, and to turn it.

    All changes in these links are about the sentence beside them, so they need no tie.
    """
    off = edits.of_kind(edits.interventions(), AblateHead)
    return {
        "numbers": elsewhere("head", ("word", "step"), **_HEAD),
        "alike": elsewhere("atlas", tuple(_LINK), **_HEAD, **_LINK, **ALIKE),
        "off": {
            kind: here(**_HEAD, edits=edits.with_piece(f"zero.{kind[0]}.{{layer}}.{{head}}"))
            for kind in KINDS
        },
        "turn": {kind: _turn(kind) for kind in KINDS},
        "on": {
            f"{one.kind} {one.layer + 1} {one.head + 1}": here(**_HEAD, edits=_without(one))
            for one in off
        },
    }


def _turn(kind: Kind) -> Offer:
    """Offer to make a query look at other keys alone, in place of an earlier turn of this kind.

    In cross-attention all heads are turned: one head alone decides nothing there.
    """
    others = edits.replaced(edits.interventions(), TurnAttention, kind=kind)
    heads = "all" if kind == "cross" else "{layer}-{head}"
    turn = f"turn.{kind[0]}.{{query}}.{{keys}}.{heads}"
    return here(**_HEAD, edits="_".join(filter(None, (edits.write_untied(others), turn))))


def other_head_offers(model: str) -> dict[str, object]:
    """Offer the numbers and similar places of a head of another model, which has no changes here.

    `apart` tells that the head is not the one of all pages: the atlas, too, then offers its places.
    """
    return {
        "numbers": elsewhere("head", model=model, **_HEAD),
        "alike": elsewhere("atlas", model=model, **_HEAD, **ALIKE),
        "off": {},
        "on": {},
        "apart": True,
    }


def _without(off: AblateHead) -> str:
    """Write the changes without those that switch a head off in any way."""
    others = edits.replaced(
        edits.interventions(), AblateHead, kind=off.kind, layer=off.layer, head=off.head
    )
    return edits.write_untied(others)


def token_offers(kind: Kind, heads: Mapping[Kind, tuple[int, int]]) -> dict[str, object]:
    """Offer the actions on a token, by its text.

    The text is the sentence's `source` or `target`, with the current head of each kind; the
    translation of another `model`; a `given` one; or one that stands `here` alone.
    """
    to_cross = elsewhere("attention", model="{model}", kind="cross", step="{place}")
    to_given = elsewhere("decoder", given="{given}", branch="1", step="{place}")
    return {
        "source": _own_offers("source", "encoder", heads),
        "target": _own_offers("target", "cross" if kind == "encoder" else kind, heads),
        "model": [("attention", to_cross)],
        "given": [("written", to_given)],
        "here": [("attention", here(step="{place}"))],
    }


def _own_offers(
    side: str, kind: Kind, heads: Mapping[Kind, tuple[int, int]]
) -> list[tuple[str, Offer]]:
    """List the offers of a token of one side; without a head of the kind there are none.

    The last offer for a source takes a whole word: "{first}" to "{last}" of its pieces.
    """
    if kind not in heads:
        return []
    layer, head = heads[kind]
    place, stack = ("word", "encoder") if side == "source" else ("step", "decoder")
    says = {"kind": kind, "layer": str(layer + 1), "head": str(head + 1)}
    says |= {place: "{place}", "sentence": "{sentence}"}
    found = [
        ("attention", elsewhere("attention", **says)),
        ("alike", elsewhere("atlas", **says, **ALIKE)),
        ("layers", elsewhere("layers", **says, stack=stack, layers="one token")),
        ("neighbours", elsewhere("tokens", **says, tokens="neighbours", pieces_of=side)),
    ]
    if side == "source":
        hidden = edits.with_piece("hide.{first}-{last}")
        found.append(("mask", elsewhere("lab_masks", **says, edits=hidden)))
    return found
