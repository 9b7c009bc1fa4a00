"""One head, step by step: from x to W_O for one query, with every number."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.compute import runs
from viz.compute.runs import Run
from viz.pages.head import numbers
from viz.pages.head.formulas import Link, links, strongest
from viz.pages.head.head_chain import ChainPicture, head_chain, score_products
from viz.pages.head.numbers import Chain, Projection, Recorded, Sublayer, Teaching
from viz.shared.text import _
from viz.shared.theme import QUERY
from viz.shared.token_row import token_row
from viz.shared.weights import entropy
from viz.shell import state
from viz.shell.header import open_page
from viz.shell.scale import unscaled
from viz.shell.state import View


def read(run: Run, view: View) -> tuple[Sublayer, Recorded]:
    """Collect what the chosen sublayer reads, its weights, and what the model made of it."""

    def part(name: str) -> numbers.Floats:
        return run.recording.part(view.kind, view.layer, name)

    def projection(name: str) -> Projection:
        return Projection(*runs.projection(view.kind, view.layer, name))

    x, source, allowed = run.recording.reads(view.kind, view.layer)
    q, k, v, out = (projection(name) for name in ("q", "k", "v", "out"))
    divides = view.kind not in unscaled(run.recording.interventions)
    sublayer = Sublayer(x, source, q, k, v, out, allowed, run.recording.config.heads, divides)
    parts = ("q", "k", "v", "scores", "weights", "z", "out")
    return sublayer, Recorded(*(part(name) for name in parts))


def teaching_controls(row: DeltaGenerator, sublayer: Sublayer) -> Teaching:
    """Draw what a teacher may change in the formula; it begins as the model has it."""
    key = "scaled" if sublayer.divides else "rescaled"
    divide = row.toggle(
        _("Divide by √d_k"), sublayer.divides, key=key, bind="query-params", width="content"
    )
    temperature = row.slider(
        _("Softmax temperature"),
        0.1,
        5.0,
        1.0,
        0.1,
        key="temperature",
        bind="query-params",
        width=180,
    )
    return Teaching(divide, temperature)


def badge(sublayer: Sublayer, recorded: Recorded, view: View, query: int) -> None:
    """Say how far the recomputed chain is from the model, or that it was changed on purpose."""
    found = numbers.differences(sublayer, recorded, view.head, query)
    largest = max(found.values())
    close = largest < 1e-4
    text = _("Recomputed from these numbers: {difference} off the model at most").format(
        difference=f"{largest:.1e}"
    )
    st.badge(
        text,
        color="green" if close else "orange",
        icon=":material/check:" if close else ":material/warning:",
        help=", ".join(f"{name}: {value:.1e}" for name, value in found.items()),
    )
    if numbers.switched_off(recorded, view.head):
        st.badge(_("This head is switched off: the model uses z = 0"), color="orange")


def spread(as_model: Chain, shown: Chain) -> None:
    """Show the row's entropy, and what it is in the model when the formula was changed."""
    now, before = entropy(shown.weights), entropy(as_model.weights)
    text = _("Entropy {now} nats").format(now=f"{now:.2f}")
    changed = (shown.divisor, shown.temperature) != (as_model.divisor, as_model.temperature)
    if changed:
        text = _("Changed by you: entropy {now} nats, in the model {before}").format(
            now=f"{now:.2f}", before=f"{before:.2f}"
        )
    st.badge(text, color="orange" if changed else "blue", icon=":material/bar_chart:")


def picture(run: Run, view: View, sublayer: Sublayer, shown: Chain, query: int) -> ChainPicture:
    """Collect what the chain draws."""
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


def write(steps: tuple[Link, ...]) -> None:
    """Write the links' formulas beside each other, in the order in which they are drawn."""
    row = st.container(horizontal=True, gap="small")
    for link in steps:
        with row.container(border=True, width=340, height="stretch"):
            st.markdown(f"**{link.number} · {link.title}**  \n{link.text}")
            lines = r" \\[2pt] ".join(link.formulas)
            top = r"\rule{0pt}{22pt}"  # a first line with a fraction would lose its top
            st.latex(rf"\begin{{gathered}} {top} {lines} \end{{gathered}}")


def slices(sublayer: Sublayer, recorded: Recorded) -> None:
    """Show that slices of one projection and separate projections are the same computation."""
    width, heads = sublayer.q.weight.shape[0], sublayer.heads
    names = {"width": width, "heads": heads, "narrow": width // heads}
    st.subheader(_("{heads} slices or {heads} projections?").format(**names), anchor=False)
    st.markdown(
        _(
            "The model multiplies by one {width} x {width} matrix and cuts the result into {heads} "
            "slices. The paper speaks of {heads} separate {width} x {narrow} projections. It is "
            "the same computation; in the model's single precision the two differ by at most:"
        ).format(**names)
    )
    pairs = {
        "Q": numbers.slices_against_separate(sublayer.x, sublayer.q, heads),
        "K": numbers.slices_against_separate(sublayer.source, sublayer.k, heads),
        "V": numbers.slices_against_separate(sublayer.source, sublayer.v, heads),
        "O": numbers.concat_against_sum(recorded.z, sublayer.out),
    }
    with st.container(horizontal=True):
        for name, difference in pairs.items():
            st.metric(f"W_{name}", f"{difference:.1e}", border=True)
    st.latex(
        rf"x W_Q = [\,x W_Q^1;\ \dots;\ x W_Q^{{{heads}}}\,],\qquad "
        rf"[z^1; \dots; z^{{{heads}}}]\, W_O = \sum_{{h=1}}^{{{heads}}} z^h W_O^h"
    )


run = open_page(
    _("One head, step by step"),
    _("Follow one query from left to right: every strip is a vector of the model."),
)
view = state.attention_controls(run.recording.config)
queries, keys = run.recording.tokens(view.kind)
middle = queries.index("▁it") if "▁it" in queries else len(queries) // 2
query = token_row(_("query: who is looking"), queries, "query", middle, QUERY)
row = st.container(horizontal=True, gap="small", vertical_alignment="center")
sublayer, recorded = read(run, view)
teaching = teaching_controls(row, sublayer)
as_model = numbers.chain(sublayer, recorded, view.head, query)
shown = numbers.chain(sublayer, recorded, view.head, query, teaching)
with row:
    badge(sublayer, recorded, view, query)
    spread(as_model, shown)
head_chain(picture(run, view, sublayer, shown, query), state.current_theme())
write(links(shown, queries[query], keys, view.head, sublayer.heads, strongest(shown)))
score_products()
slices(sublayer, recorded)
