"""Every kind of intervention at work, beside the same written out by hand in numpy.

What stands in `SAMPLES` is tried everywhere: against the formulas, in links, in words, in the parts
of scores and on the page about a head.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product

import numpy as np

from model.interventions import blocks, masks, positions, scale, sharing
from model.interventions.attention import SetAttention, TurnAttention
from model.interventions.base import Intervention
from model.interventions.donors import Donors
from model.interventions.heads import MODES, AblateHead
from model.interventions.patches import PatchActivation
from model.recording.recording import Recording, record
from model.sites.sites import KINDS, STACKS, SUBLAYERS, Kind, Stack
from model.transformer.config import ModelConfig
from tests.model.interventions.by_hand import Array, ByHand, scaled
from tests.model.uneven import uneven

CONFIG = ModelConfig(vocab_size=9, d_model=8, heads=2, d_ff=6, encoder_layers=2, decoder_layers=2)
SOURCE, TARGET = (3, 4, 5, 6, 2), (1, 7, 8, 3)
SOURCE_TOKENS, TARGET_TOKENS = ["▁It", "▁ra", "ins", ".", "</s>"], ["<s>", "▁Il", "▁pleut", "."]

DONOR, DONOR_IDS, DONOR_TARGET = "7", (3, 4, 8, 7, 6, 2), (1, 7, 4, 8, 5)
"""Another sentence, a piece longer: beginning and end are the same, so piece 2 has no partner."""


@dataclass(frozen=True)
class Sample:
    """Interventions, and what they do by hand; `source` has the padding that they add."""

    interventions: tuple[Intervention, ...]
    changed: Callable[[ByHand], ByHand]
    source: tuple[int, ...] = SOURCE


def sees(kind: Kind, query: int, key: int) -> bool:
    """Tell who may look where as long as nothing is changed."""
    return key <= query if kind == "decoder" else key < len(SOURCE)


@cache
def plain() -> ByHand:
    return ByHand(uneven(CONFIG, seed=3, norms=True), sees)


def recorded(*interventions: Intervention) -> Recording:
    tokens = list(SOURCE_TOKENS), list(TARGET_TOKENS)
    return record(plain().model, SOURCE, TARGET, *tokens, interventions, donors=donors())


def donors() -> Donors:
    return Donors(
        plain().model,
        SOURCE,
        {DONOR: DONOR_IDS}.__getitem__,
        {DONOR: DONOR_TARGET}.__getitem__,
    )


def assert_same(
    expected: ByHand, *interventions: Intervention, source: tuple[int, ...] = SOURCE
) -> None:
    """Hold the recorded forward pass against the one by hand, and see that something changed."""
    logits = recorded(*interventions).logits
    np.testing.assert_allclose(logits, expected.logits(source, TARGET), atol=1e-4)
    untouched = plain().logits(SOURCE, TARGET)
    assert not interventions or not np.allclose(logits, untouched, atol=1e-3)


def encoding(place: int) -> Array:
    """Return the encoding of a position, from the paper's formula."""
    angles = place / 10000 ** (np.arange(0, 8, 2) / 8)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()


def one(intervention: Intervention, **changed: object) -> Sample:
    """Sample an intervention that replaces fields of `ByHand`."""
    return Sample((intervention,), lambda model: replace(model, **changed))  # pyrefly: ignore[bad-argument-type]


def moved(intervention: positions.PositionIntervention, at: Callable[[int], Array]) -> Sample:
    """Sample an intervention that gives the pieces of its stack other encodings."""

    def position(stack: str, place: int) -> Array:
        return at(place) if stack == intervention.stack else encoding(place)

    return one(intervention, position=position)


def scored(kind: Kind, by: Callable[[float, int], float]) -> Callable[[Kind, float, int], float]:
    """Return scores that one kind of attention makes in another way of q k and d_k."""
    return lambda other, dot, d_k: (by if other == kind else partial(scaled, other))(dot, d_k)


def left_out(of: type[blocks.SublayerIntervention], word: str) -> list[Sample]:
    """Sample what is left out of or around every sublayer of the last layers."""
    return [
        one(of(stack, 1, sublayer), without=frozenset({f"{word} {stack}.layers.1.{number}"}))
        for stack in STACKS
        for number, sublayer in enumerate(SUBLAYERS[stack], start=1)
    ]


def patched(site: str, position: int, partner: int, head: int | None = None) -> Sample:
    """Sample a vector that is taken from the donor, where it stands at `partner`."""

    def changed(model: ByHand) -> ByHand:
        whole = replace(model, sees=lambda kind, query, key: kind != "decoder" or key <= query)
        theirs = whole.noted(DONOR_IDS, DONOR_TARGET)[site]
        width = slice(None) if head is None else slice(4 * head, 4 * head + 4)

        def put(at: str, array: Array) -> Array:
            if at == site:
                array = array.copy()
                array[position, width] = theirs[partner, width]
            return array

        return replace(model, at=put)

    return Sample((PatchActivation(site, position, DONOR, head),), changed)


def shared(kind: Kind) -> Sample:
    """Sample both heads looking at the mean of their keys and taking the mean of their values."""
    name = "cross_attn" if kind == "cross" else "self_attn"
    stack = "decoder" if kind == "cross" else kind

    def averaged(site: str, array: Array) -> Array:
        if re.fullmatch(rf"{stack}\.\d\.{name}\.[kv]", site):
            return np.tile((array[:, :4] + array[:, 4:]) / 2, 2)
        return array

    return one(sharing.ShareKeysValues(kind, 2), at=averaged)


def tied(stack: Stack, values: bool) -> Sample:
    """Sample a stack whose keys, and values, are made as its queries are."""

    def projects(name: str) -> str:
        own = rf"({stack}\.layers\.\d\.self_attn)\.{'[kv]' if values else 'k'}"
        return re.sub(own, r"\1.q", name)

    return one(sharing.TieQueries(stack, values), projects=projects)


def looking(kind: Kind, query: int, *weights: float) -> Sample:
    """Sample weights that are set for one query of the last layer's first head."""
    return one(SetAttention(kind, 1, 0, query, weights), rows={(kind, 1, 0, query): weights})


def turned(kind: Kind, query: int, keys: tuple[int, ...], *heads: tuple[int, int | None]) -> Sample:
    """Sample a query that looks evenly at some keys, in a head, in whole layers or in all heads."""
    count = len(TARGET if kind == "decoder" else SOURCE)
    weights = tuple(float(key in keys) / len(keys) for key in range(count))
    rows = {
        (kind, layer, head, query): weights
        for layer, head in product(range(2), range(2))
        if not heads or (layer, None) in heads or (layer, head) in heads
    }
    return one(TurnAttention(kind, query, keys, heads), rows=rows)


def forbidden(kind: Kind) -> list[Sample]:
    """Sample a link that is forbidden in one head, and in all of them."""
    everywhere = frozenset((kind, layer, head, 2, 1) for layer in range(2) for head in range(2))
    return [
        one(
            masks.BlockAttention(kind, 2, 1, layer=0, head=1),
            forbidden=frozenset({(kind, 0, 1, 2, 1)}),
        ),
        one(masks.BlockAttention(kind, 2, 1), forbidden=everywhere),
    ]


def near(stack: Stack, size: int) -> Callable[[ByHand], ByHand]:
    """Let the pieces of a stack see no further than half of a window."""

    def seen(kind: Kind, query: int, key: int) -> bool:
        return sees(kind, query, key) and (kind != stack or abs(query - key) <= size // 2)

    return lambda model: replace(model, sees=seen)


PADDED = Sample(
    (masks.PadSource(8), masks.LiftMask("encoder"), masks.LiftMask("cross")),
    lambda model: replace(model, sees=lambda kind, q, k: kind != "decoder" or sees(kind, q, k)),
    (*SOURCE, 0, 0, 0),
)

SAMPLES: dict[type[Intervention], Sequence[Sample]] = {
    masks.LiftMask: [
        one(
            masks.LiftMask("decoder"),
            sees=lambda kind, q, k: kind == "decoder" or sees(kind, q, k),
        ),
        PADDED,
    ],
    masks.InvertMask: [
        one(
            masks.InvertMask(),
            sees=lambda kind, q, k: (
                k > q or q == k == len(TARGET) - 1 if kind == "decoder" else sees(kind, q, k)
            ),
        )
    ],
    masks.Window: [
        *(
            Sample((masks.Window(stack, size),), near(stack, size))
            for stack, size in product(STACKS, (1, 3))
        ),
        Sample(
            (masks.Window("encoder", 3), masks.PadSource(8)),
            near("encoder", 3),
            (*SOURCE, 0, 0, 0),
        ),
    ],
    masks.PadSource: [PADDED],
    masks.HideSource: [
        one(
            masks.HideSource(1, 2),
            sees=lambda kind, q, k: sees(kind, q, k) and (kind == "decoder" or k not in (1, 2)),
        )
    ],
    masks.BlockAttention: [sample for kind in KINDS for sample in forbidden(kind)],
    AblateHead: [
        one(AblateHead(kind, 1, 0, mode), off={(kind, 1, 0): mode})
        for kind, mode in product(KINDS, MODES)
    ],
    scale.Unscale: [
        one(scale.Unscale(kind), score=scored(kind, lambda dot, _: dot)) for kind in KINDS
    ],
    scale.ScaleScores: [
        one(
            scale.ScaleScores(kind, factor),
            score=scored(kind, lambda dot, d_k, factor=factor: factor * dot / d_k**0.5),
        )
        for kind, factor in product(KINDS, (0.5, 0.0, -2.0))
    ],
    scale.ClampScores: [
        one(
            scale.ClampScores(kind, limit),
            score=scored(
                kind, lambda dot, d_k, limit=limit: max(-limit, min(dot / d_k**0.5, limit))
            ),
        )
        for kind, limit in product(KINDS, (0.05, 0.5))
    ],
    sharing.TieQueries: [tied(stack, values) for stack in STACKS for values in (False, True)],
    sharing.ShareKeysValues: [shared(kind) for kind in KINDS],
    positions.ScalePositions: [
        moved(positions.ScalePositions("encoder", 0.0), lambda place: 0 * encoding(place)),
        moved(positions.ScalePositions("decoder", 0.5), lambda place: 0.5 * encoding(place)),
    ],
    positions.ShiftPositions: [
        moved(positions.ShiftPositions(stack, -3), lambda place: encoding(place - 3))
        for stack in STACKS
    ],
    positions.ShufflePositions: [
        moved(
            positions.ShufflePositions("encoder", 4),
            lambda place: encoding(positions.shuffled(len(SOURCE), 4).tolist()[place]),
        )
    ],
    positions.RepeatPosition: [
        moved(positions.RepeatPosition(stack, 1), lambda place: encoding(place - (place == 2)))
        for stack in STACKS
    ],
    positions.HoldPosition: [
        moved(positions.HoldPosition(stack), lambda place: encoding(0 * place)) for stack in STACKS
    ],
    blocks.LeaveOutSublayer: left_out(blocks.LeaveOutSublayer, "sublayer"),
    blocks.LeaveOutResidual: left_out(blocks.LeaveOutResidual, "residual"),
    blocks.LeaveOutNorm: left_out(blocks.LeaveOutNorm, "norm"),
    blocks.SkipLayer: [
        one(blocks.SkipLayer(stack, 0), without=frozenset({f"layer {stack}.layers.0"}))
        for stack in STACKS
    ],
    blocks.LeaveOutReLU: [
        one(
            blocks.LeaveOutReLU(stack, layer),
            linear_only=frozenset({f"{stack}.layers.{layer}.ffn"}),
        )
        for stack, layer in product(STACKS, range(2))
    ],
    blocks.ZeroUnit: [
        Sample(
            tuple(blocks.ZeroUnit(stack, 0, unit) for unit in range(CONFIG.d_ff)),
            partial(replace, zeroed={f"{stack}.layers.0.ffn": tuple(range(CONFIG.d_ff))}),
        )
        for stack in STACKS
    ],
    SetAttention: [
        looking("encoder", 2, 0.25, 0.0, 0.5, 0.0, 0.25),
        looking("decoder", 2, 0.5, 0.5, 0.0),
        looking("cross", 3, 0.0, 0.0, 0.0, 1.0, 0.0),
    ],
    TurnAttention: [
        turned("encoder", 2, (1,)),
        turned("encoder", 4, (0, 3), (1, 0)),
        turned("decoder", 2, (0, 1), (0, None)),
        turned("decoder", 3, (3,), (0, 1), (1, None)),
        turned("cross", 3, (1, 2), (0, None), (1, None)),
        turned("cross", 0, (0, 2, 3), (1, 1)),
        Sample(
            (TurnAttention("encoder", 2, (1, 3)), masks.HideSource(1, 1)),
            lambda model: replace(
                model,
                sees=lambda kind, q, k: sees(kind, q, k) and (kind == "decoder" or k != 1),
                rows=dict.fromkeys(
                    (("encoder", layer, head, 2) for layer, head in product(range(2), range(2))),
                    (0.0, 0.0, 0.0, 1.0, 0.0),
                ),
            ),
        ),
        Sample(
            (TurnAttention("cross", 1, (0, 2)), masks.BlockAttention("cross", 1, 2)),
            lambda model: replace(
                model,
                rows=dict.fromkeys(
                    (("cross", layer, head, 1) for layer, head in product(range(2), range(2))),
                    (1.0, 0.0, 0.0, 0.0, 0.0),
                ),
            ),
        ),
    ],
    PatchActivation: [
        patched("encoder.memory", 3, 4),
        patched("encoder.input", 4, 5),
        patched("encoder.0.norm1", 3, 4),
        patched("encoder.1.norm2", 4, 5),
        patched("encoder.1.self_attn.out", 0, 0),
        patched("encoder.0.ffn.out", 3, 4),
        *(patched(f"encoder.1.self_attn.{part}", 3, 4, head=1) for part in ("q", "k", "v", "z")),
        patched("encoder.1.self_attn.z", 3, 4),
        patched("decoder.input", 2, 2),
        patched("decoder.0.norm3", 3, 3),
        *(patched(f"decoder.1.cross_attn.{part}", 2, 2, head=0) for part in ("q", "z")),
        *(patched(f"decoder.1.cross_attn.{part}", 3, 4, head=0) for part in ("k", "v")),
        patched("decoder.0.self_attn.k", 2, 2, head=1),
        patched("decoder.1.norm1", 3, 3),
    ],
}
