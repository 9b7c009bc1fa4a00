"""Links that the browser completes: offers for a head and a token chosen there.

An offer names the page that it leads to, the parameters of the address to keep (None: all), and its
own parameters. `{layer}` and other names in braces are values that the browser fills in, counted
from 1. The browser leaves out parameters with unknown values, and an empty value removes a
parameter from the address. `components/javascript/address.js` makes the link and knows no parameter
by name.
"""

from collections.abc import Mapping, Sequence

from model.interventions.attention import TurnAttention
from model.interventions.blocks import LeaveOutSublayer, SkipLayer
from model.interventions.heads import AblateHead
from model.sites.sites import KINDS, Kind, Sublayer
from viz.link import edits
from viz.link.table import ALONG, NAMES

Offer = dict[str, object]

_HEAD = {"kind": "{kind}", "layer": "{layer}", "head": "{head}"}
_LINK = {"word": "{word}", "step": "{step}", "key": "{key}"}
ALIKE = {"atlas": "Where else?"}
"""The parameters with which a link to the atlas opens on the search."""


def elsewhere(page: str, keep: Sequence[str] = (), **says: str) -> Offer:
    """Offer another page; the parameters of all pages and those in `keep` go along."""
    return {"page": page, "along": [*ALONG, *keep], "says": _known(says)}


def here(**says: str) -> Offer:
    """Offer this page unchanged, except for the parameters of the link."""
    return {"page": "", "along": None, "says": _known(says)}


def _known(says: Mapping[str, str]) -> dict[str, str]:
    if unknown := says.keys() - NAMES:
        raise ValueError(f"not in viz/link/table.py: {', '.join(sorted(unknown))}")
    return dict(says)


def head_offers() -> dict[str, object]:
    """Offer a head's numbers and similar places, to switch it off or on, and to turn or cut a link.

    With them come the attentions that are left out with all their heads, as "encoder 6".
    All changes in these links are about the sentence beside them, so they are not tied to it.
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
        "cut": {kind: [_cut(kind, "{layer}.{head}"), _cut(kind, "all.all")] for kind in KINDS},
        "on": {
            f"{intervention.kind} {intervention.layer + 1} {intervention.head + 1}": here(
                **_HEAD, edits=_without(intervention)
            )
            for intervention in off
        },
        "leftOut": sorted(
            f"{kind} {change.layer + 1}"
            for change in edits.interventions()
            if isinstance(change, SkipLayer | LeaveOutSublayer)
            for kind in kinds_left_out(change)
        ),
    }


def kinds_left_out(change: SkipLayer | LeaveOutSublayer) -> tuple[Kind, ...]:
    """Return the kinds of attention that an intervention leaves out of its layer."""
    if isinstance(change, SkipLayer):
        return ("encoder",) if change.stack == "encoder" else ("decoder", "cross")
    own: dict[Sublayer, tuple[Kind, ...]] = {
        "self_attn": (change.stack,),
        "cross_attn": ("cross",),
    }
    return own.get(change.sublayer, ())


def _turn(kind: Kind) -> Offer:
    """Offer to turn a query onto other keys, in place of an earlier turn of this kind.

    In cross-attention all heads are turned: one head alone decides nothing.
    """
    changes = edits.replaced(edits.interventions(), TurnAttention, kind=kind)
    heads = "all" if kind == "cross" else "{layer}-{head}"
    turn = f"turn.{kind[0]}.{{query}}.{{keys}}.{heads}"
    return here(**_HEAD, edits="_".join(filter(None, (edits.write_untied(changes), turn))))


def _cut(kind: Kind, place: str) -> Offer:
    """Offer to forbid links, such as "13-9~13-10", in a head, or in all heads of a kind."""
    return here(**_HEAD, edits=edits.with_piece(f"block.{kind[0]}.{place}.{{links}}"))


def other_head_offers(model: str) -> dict[str, object]:
    """Offer the numbers and similar places of a head of another model, without any changes.

    Such a head is `apart`: not the head of all pages. So even the atlas offers its places.
    """
    return {
        "numbers": elsewhere("head", model=model, **_HEAD),
        "alike": elsewhere("atlas", model=model, **_HEAD, **ALIKE),
        "off": {},
        "on": {},
        "apart": True,
    }


def _without(off: AblateHead) -> str:
    """Write all changes but those that switch a head off, in any mode."""
    changes = edits.replaced(
        edits.interventions(), AblateHead, kind=off.kind, layer=off.layer, head=off.head
    )
    return edits.write_untied(changes)


def token_offers(kind: Kind, heads: Mapping[Kind, tuple[int, int]]) -> dict[str, object]:
    """Offer the actions on a token, by its text.

    The text is the sentence's `source` or `target`, with the current head of each kind; another
    `model`'s translation; a `given` translation; or a text that is only `here`.
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
    """List the offers of a token of one side; none without a head of the kind.

    The last offer for a source takes a whole word: its pieces "{first}" to "{last}".
    """
    if kind not in heads:
        return []
    layer, head = heads[kind]
    name, stack = ("word", "encoder") if side == "source" else ("step", "decoder")
    says = {"kind": kind, "layer": str(layer + 1), "head": str(head + 1)}
    says |= {name: "{place}", "sentence": "{sentence}"}
    offers = [
        ("attention", elsewhere("attention", **says)),
        ("alike", elsewhere("atlas", **says, **ALIKE)),
        ("layers", elsewhere("layers", **says, stack=stack, layers="one token")),
        ("neighbours", elsewhere("tokens", **says, tokens="neighbours", pieces_of=side)),
    ]
    if side == "source":
        hidden = edits.with_piece("hide.{first}-{last}")
        offers.append(("mask", elsewhere("lab_masks", **says, edits=hidden)))
    return offers
