"""The sublayer of a head as recorded, and the picture of its chain."""

from collections.abc import Sequence
from contextlib import suppress

from model.recording.recording import Recording
from model.results import Run
from model.sites.sites import Head, attention_site
from model.words import find_word, words_of
from viz.compute import examples
from viz.pages.head import numbers
from viz.pages.head.head_chain.payload import ChainPicture
from viz.pages.head.numbers import Chain, Projection, Recorded, Sublayer


def read(recording: Recording, view: Head) -> tuple[Sublayer, Recorded]:
    """Return the input and the weights of the head's sublayer, and the model's own results."""

    def site(part: str) -> str:
        return attention_site(view.kind, view.layer, part)

    def projection(part: str) -> Projection:
        stack, layer, name = site(part).split(".", 2)
        return Projection(*recording.weights.linear(f"{stack}.layers.{layer}.{name}"))

    x, source, allowed = recording.reads(view.kind, view.layer)
    q, k, v, out = (projection(name) for name in ("q", "k", "v", "out"))
    queries = q(x).reshape(len(x), recording.config.heads, -1).swapaxes(0, 1)  # H T Dk

    def edit(part: str, array: numbers.Floats) -> numbers.Floats:
        return recording.edited(site(part), array, *([queries] if part in ("k", "v") else []))

    factors = recording.score_factors(view.kind, view.layer)
    heads = recording.config.heads
    sublayer = Sublayer(x, source, q, k, v, out, allowed, heads, edit, factors)
    parts = ("q", "k", "v", "scores", "weights", "z", "out")
    return sublayer, Recorded(*(recording[site(part)] for part in parts))


def picture(run: Run, view: Head, sublayer: Sublayer, shown: Chain, query: int) -> ChainPicture:
    """Return the data of the chain's picture."""
    queries, keys = run.recording.tokens(view.kind)
    own = [each.slice(view.head, sublayer.heads) for each in (sublayer.q, sublayer.k, sublayer.v)]
    return ChainPicture(
        queries,
        keys,
        query,
        view.head,
        sublayer.heads,
        "encoder" if view.kind == "encoder" else "decoder",
        "decoder" if view.kind == "decoder" else "encoder",
        shown.allowed,
        {
            "x": shown.x,
            "source": sublayer.source,
            "q": shown.q,
            "k": shown.k,
            "v": shown.v,
            "dots": shown.dots,
            "scores": shown.scores,
            "weights": shown.weights,
            "z": shown.z,
            "concat": shown.concat,
            "out": shown.out,
        },
        {
            **{f"w_{name}": each.weight for name, each in zip("qkv", own, strict=True)},
            "w_o": sublayer.out.weight,
        },
        shown.divisor,
        shown.temperature,
        shown.changed,
        nouns(keys),
    )


def nouns(keys: Sequence[str]) -> tuple[int, ...]:
    """Return the places of the two words that decide in the first page's story, () without both.

    Where both stand among the keys, as animal and street do, one asks how far the other is behind.
    """
    story = examples.current().story
    with suppress(ValueError):
        return tuple(
            find_word(words_of(keys), word).first for word in (story.source if story else ())
        )
    return ()
