"""One head's sublayer as the model has it, and the picture of its chain."""

from viz.compute import weights
from viz.compute.runs import Run
from viz.pages.head import numbers
from viz.pages.head.head_chain.payload import ChainPicture
from viz.pages.head.numbers import Chain, Projection, Recorded, Sublayer
from viz.shell.scale import unscaled
from viz.shell.state import View


def read(run: Run, view: View) -> tuple[Sublayer, Recorded]:
    """Collect the input of the chosen sublayer, its weights, and the model's own results."""

    def part(name: str) -> numbers.Floats:
        return run.recording.part(view.kind, view.layer, name)

    def projection(name: str) -> Projection:
        return Projection(*weights.projection(view.kind, view.layer, name))

    x, source, allowed = run.recording.reads(view.kind, view.layer)
    q, k, v, out = (projection(name) for name in ("q", "k", "v", "out"))
    divides = view.kind not in unscaled(run.recording.interventions)
    sublayer = Sublayer(x, source, q, k, v, out, allowed, run.recording.config.heads, divides)
    parts = ("q", "k", "v", "scores", "weights", "z", "out")
    return sublayer, Recorded(*(part(name) for name in parts))


def picture(run: Run, view: View, sublayer: Sublayer, shown: Chain, query: int) -> ChainPicture:
    """Collect the picture of the chain."""
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
    )
