"""The one table of all recorded tensors: name, dims and a sentence for each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, Self

Kind = Literal["encoder", "decoder", "cross"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")

Stack = Literal["encoder", "decoder"]
STACKS: tuple[Stack, ...] = ("encoder", "decoder")

Sublayer = Literal["self_attn", "cross_attn", "ffn"]
SUBLAYERS: dict[Stack, tuple[Sublayer, ...]] = {
    "encoder": ("self_attn", "ffn"),
    "decoder": ("self_attn", "cross_attn", "ffn"),
}


@dataclass(frozen=True)
class Head:
    """One attention head, which unpacks to its kind, its layer and its number.

    Args:
        kind: "encoder", "decoder" or "cross".
        layer: the layer, from 0.
        head: the head in its layer, from 0.

    >>> recording.score_parts(*Head("encoder", 5, 3), 2, 1).values.ndim
    2

    """

    kind: Kind
    layer: int
    head: int

    def __iter__(self) -> Iterator[Any]:
        """Yield the kind, the layer and the head."""
        return iter((self.kind, self.layer, self.head))

    @classmethod
    def named(cls, name: str) -> Self:
        """Return the head with a name as on screen and in links.

        Args:
            name: a kind, a layer and a number, both counted from 1, such as "encoder 6.4".

        Returns:
            The head, with its layer and number from 0.

        Raises:
            ValueError: this is not the name of a head.

        >>> Head.named("encoder 6.4")
        Head(kind='encoder', layer=5, head=3)

        """
        match = re.fullmatch(r"\s*(\w+)\s+(\d+)\.(\d+)\s*", name, re.ASCII)
        kind = next((kind for kind in KINDS if match and match[1].lower() == kind), None)
        if not match or kind is None or 0 in (int(match[2]), int(match[3])):
            raise ValueError(
                f'a head is named like "encoder 6.4": its kind ({", ".join(KINDS)}), its layer and '
                f"its number in it, both counted from 1; not {name!r}"
            )
        return cls(kind, int(match[2]) - 1, int(match[3]) - 1)


head = Head.named
"""See `Head.named`: `head("encoder 6.4")` is `Head("encoder", 5, 3)`."""


DIMS = {
    "S": "source length",
    "T": "target length",
    "H": "heads",
    "D": "model width",
    "Dk": "head width",
    "F": "feed-forward width",
    "V": "vocabulary",
    "R": "state width",
}


@dataclass(frozen=True)
class Site:
    """A named tensor of the forward pass. `{layer}` in the name stands for each layer."""

    name: str
    dims: tuple[str, ...]
    meaning: str


def _stack(stack: str, n: str) -> list[Site]:
    """List the sites that encoder and decoder have in common; n is the stack's own length."""
    return [
        Site(f"{stack}.mask", (n, n), "True where a query may look at a key"),
        Site(f"{stack}.embedding", (n, "D"), "embedding of each piece, times sqrt(d_model)"),
        Site(f"{stack}.positions", (n, "D"), "sinusoidal encoding of each position"),
        Site(f"{stack}.input", (n, "D"), "embedding plus position: what enters the first layer"),
    ]


def _attention(prefix: str, query: str, key: str, looks: str) -> list[Site]:
    return [
        Site(f"{prefix}.q", ("H", query, "Dk"), f"queries of {looks}"),
        Site(f"{prefix}.k", ("H", key, "Dk"), f"keys of {looks}"),
        Site(f"{prefix}.v", ("H", key, "Dk"), f"values of {looks}"),
        Site(f"{prefix}.scores", ("H", query, key), "q k^T / sqrt(d_k), before the mask"),
        Site(f"{prefix}.weights", ("H", query, key), "softmax of the masked scores: the attention"),
        Site(f"{prefix}.z", ("H", query, "Dk"), "weights times values: the output of each head"),
        Site(f"{prefix}.out", (query, "D"), "all heads side by side, times W_O, plus its bias"),
    ]


def _norm(prefix: str, number: int, n: str, sublayer: str) -> list[Site]:
    return [
        Site(f"{prefix}.sum{number}", (n, "D"), f"x + {sublayer}(x), before the norm"),
        Site(f"{prefix}.norm{number}", (n, "D"), f"LayerNorm(x + {sublayer}(x))"),
    ]


def _feed_forward(prefix: str, n: str) -> list[Site]:
    return [
        Site(f"{prefix}.ffn.before_relu", (n, "F"), "x W1 + b1, at each position alike"),
        Site(f"{prefix}.ffn.hidden", (n, "F"), "max(0, x W1 + b1), at each position alike"),
        Site(f"{prefix}.ffn.out", (n, "D"), "the hidden vector times W2, plus b2"),
    ]


_ENCODER, _DECODER = "encoder.{layer}", "decoder.{layer}"

SITES: tuple[Site, ...] = (
    *_stack("encoder", "S"),
    *_attention(f"{_ENCODER}.self_attn", "S", "S", "source pieces looking at each other"),
    *_norm(_ENCODER, 1, "S", "self-attention"),
    *_feed_forward(_ENCODER, "S"),
    *_norm(_ENCODER, 2, "S", "feed-forward"),
    Site("encoder.memory", ("S", "D"), "output of the encoder, which cross-attention looks at"),
    *_stack("decoder", "T"),
    Site("decoder.cross_mask", ("T", "S"), "True where a target query may look at a source key"),
    *_attention(f"{_DECODER}.self_attn", "T", "T", "target pieces looking at their own past"),
    *_norm(_DECODER, 1, "T", "self-attention"),
    *_attention(f"{_DECODER}.cross_attn", "T", "S", "target pieces looking at the source"),
    *_norm(_DECODER, 2, "T", "cross-attention"),
    *_feed_forward(_DECODER, "T"),
    *_norm(_DECODER, 3, "T", "feed-forward"),
    Site("decoder.logits", ("T", "V"), "score of every piece as the next one"),
)


def _gates(stack: str, n: str) -> list[Site]:
    """List the tensors that torch's units compute for a state; n is the stack's own length.

    A GRU has the first two gates, an LSTM the next three; both have a candidate.
    """
    return [
        Site(f"{stack}.reset", (n, "R"), "reset gate r: how much of the last state is read"),
        Site(f"{stack}.update", (n, "R"), "update gate z: how much of the last state is kept"),
        Site(f"{stack}.input_gate", (n, "R"), "input gate i: how much is written into the cell"),
        Site(f"{stack}.forget_gate", (n, "R"), "forget gate f: how much of the cell is kept"),
        Site(f"{stack}.output_gate", (n, "R"), "output gate o: how much of the cell is shown"),
        Site(f"{stack}.candidate", (n, "R"), "what is written where nothing is kept"),
        Site(f"{stack}.cell", (n, "R"), "the cell: what an LSTM keeps beside its state"),
    ]


SUITS_LAST_STATE = "e_tj: how well h_j suits s_(t-1)"
"""The meaning of the scores in Bahdanau's model, which looks before it reads the next piece."""

RECURRENT_SITES: tuple[Site, ...] = (
    Site("encoder.embedding", ("S", "D"), "embedding of each piece, times sqrt(d_model)"),
    *_gates("encoder", "S"),
    Site("encoder.memory", ("S", "R"), "h_j: forward and backward state of each source piece"),
    Site("decoder.embedding", ("T", "D"), "embedding of each piece, times sqrt(d_model)"),
    Site("decoder.start", ("R",), "s_0: the first state, made of both directions' last ones"),
    *_gates("decoder", "T"),
    Site("decoder.states", ("T", "R"), "s_t: the state after reading each target piece"),
    Site(f"{_DECODER}.cross_attn.scores", ("H", "T", "S"), "e_tj: how well h_j suits s_t"),
    Site(f"{_DECODER}.cross_attn.position", ("T",), "p_t: where the window is centred, from 0"),
    Site(f"{_DECODER}.cross_attn.window", ("T",), "D: how far from p_t the window reaches"),
    Site(f"{_DECODER}.cross_attn.sigma", ("T",), "width of the bell around p_t, D / 2"),
    Site(f"{_DECODER}.cross_attn.gaussian", ("H", "T", "S"), "the bell around p_t, 0 outside"),
    Site(f"{_DECODER}.cross_attn.weights", ("H", "T", "S"), "alpha_tj: the attention"),
    Site(f"{_DECODER}.cross_attn.context", ("T", "R"), "c_t: what the step gets of the source"),
    Site("decoder.attended", ("T", "D"), "tanh(W [c_t; s_t]): what the next piece is read from"),
    Site("decoder.logits", ("T", "V"), "score of every piece as the next one"),
)
"""The sites of a recurrent model; one without attention has `context`, but no other such site."""


def check_kind(kind: str) -> None:
    """Raise ValueError when there is no such kind of attention."""
    check_choice("kind", kind, KINDS)


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Raise ValueError when a value is not one of the choices."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def check_place(name: str, value: int, count: int) -> None:
    """Raise ValueError unless a value is from 0 to `count` - 1; the message also counts from 1."""
    if not isinstance(value, Integral) or not 0 <= value < count:
        from_one = f", not {value + 1}" if isinstance(value, Integral) else ""
        raise ValueError(
            f"{name} must be 0 to {count - 1}, not {value!r}; "
            f"counted from 1, as on screen, 1 to {count}{from_one}"
        )


def attention_site(kind: Kind, layer: int, part: str) -> str:
    """Return the site of a part of attention: ("cross", 2, "q") gives decoder.2.cross_attn.q.

    Raises ValueError when there is no such kind, as `mask_site` and `attention_inputs` do.
    """
    check_kind(kind)
    stack = "encoder" if kind == "encoder" else "decoder"
    sublayer = "cross_attn" if kind == "cross" else "self_attn"
    return f"{stack}.{layer}.{sublayer}.{part}"


def mask_site(kind: Kind) -> str:
    """Return the site of the mask of a kind of attention, which holds in all its layers."""
    check_kind(kind)
    return "decoder.cross_mask" if kind == "cross" else f"{kind}.mask"


def attention_inputs(kind: Kind, layer: int) -> tuple[str, str]:
    """Return the sites that attention reads: that of its queries' x and that of its keys' x."""
    check_kind(kind)
    if kind == "cross":
        return f"decoder.{layer}.norm1", "encoder.memory"
    site = stack_output(kind, layer - 1)
    return site, site


def stack_output(stack: Stack, layer: int) -> str:
    """Return the site of the residual stream after a layer of a stack; layer -1 gives the input."""
    return f"{stack}.input" if layer < 0 else f"{stack}.{layer}.norm{len(SUBLAYERS[stack])}"
