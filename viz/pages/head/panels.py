"""The controls of a head's chain, the differences found by recomputing it, and its formulas."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.sites.sites import Head
from viz.components.recomputed import recomputed
from viz.figures.labels import Number
from viz.figures.weights import entropy
from viz.language.text import _
from viz.link import address
from viz.pages.head import numbers
from viz.pages.head.formulas import Link
from viz.pages.head.numbers import Chain, Recorded, Sublayer, Teaching


def teaching_controls(row: DeltaGenerator, divides: bool) -> Teaching:
    """Draw the controls that change the formula, at first the model's own; return the variant."""
    key = "scaled" if divides else "rescaled"
    divide = row.toggle(_("Divide by √d_k"), divides, key=key, bind=address.BOUND, width="content")
    temperature = row.slider(
        texts()["temperature"],
        0.1,
        5.0,
        1.0,
        0.1,
        key="temperature",
        bind=address.BOUND,
        width=180,
    )
    return Teaching(divide, temperature)


def texts() -> dict[str, str]:
    """Return the texts of the controls and of their badge; the site has the same."""
    return {
        "divide": _("Divide by √d_k"),
        "temperature": _("Softmax temperature"),
        "entropy": _("Entropy {now} nats"),
        "changed": _("Changed by you: entropy {now} nats, in the model {before}"),
        "silent": _("This head is switched off: the model uses z = 0"),
        "off": _("This head is switched off: its weights reach nothing"),
    }


def badge(
    sublayer: Sublayer,
    recorded: Recorded,
    view: Head,
    query: int,
    chains: tuple[Chain, Chain],
    *,
    off: bool,
) -> None:
    """Draw the badge of the recomputed chain, and another for a head that is switched `off`.

    `chains` are the chain as the model computes it and the one shown. If their formulas differ, the
    badge says how far the weights shown are from the model's.
    """
    as_model, shown = chains
    if numbers.other_formula(as_model, shown):
        apart = numbers.largest_difference(as_model.weights, shown.weights)
        text = _("By your formula: weights up to {difference} from the model's")
        text = text.format(difference=f"{apart:.2f}")
        st.badge(text, color="orange", icon=":material/edit:")
    else:
        differences = numbers.differences(sublayer, recorded, view.head, query)
        detail = ", ".join(f"{name}: {Number(value):.1e}" for name, value in differences.items())
        recomputed(max(differences.values()), detail)
    if numbers.switched_off(recorded, view.head):
        st.badge(texts()["silent"], color="orange")
    elif off:
        st.badge(texts()["off"], color="orange")


def spread(as_model: Chain, shown: Chain) -> None:
    """Draw a badge with the row's entropy, and the model's own if the formula is changed."""
    now, before = entropy(shown.weights), entropy(as_model.weights)
    changed = numbers.other_formula(as_model, shown)
    text = texts()["changed" if changed else "entropy"]
    text = text.format(now=f"{now:.2f}", before=f"{before:.2f}")
    st.badge(text, color="orange" if changed else "blue", icon=":material/bar_chart:")


def write(steps: tuple[Link, ...]) -> None:
    """Write the formulas of the links in boxes side by side, in the order of the chain."""
    row = st.container(horizontal=True, gap="small")
    for link in steps:
        with row.container(border=True, width=340, height="stretch"):
            st.markdown(f"**{link.number} · {link.title}**  \n{link.text}")
            lines = r" \\[2pt] ".join(link.formulas)
            top = r"\rule{0pt}{22pt}"  # else a fraction in the first line loses its top
            st.latex(rf"\begin{{gathered}} {top} {lines} \end{{gathered}}")


def slices(sublayer: Sublayer, recorded: Recorded) -> None:
    """Show by numbers that slicing one projection and separate projections compute the same."""
    width, heads = sublayer.q.weight.shape[0], sublayer.heads
    names = {"width": width, "heads": heads, "narrow": width // heads}
    st.markdown(
        _(
            "The model multiplies by one {width} × {width} matrix and cuts the result into {heads} "
            "slices. The paper speaks of {heads} separate {width} × {narrow} projections. It is "
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
            st.metric(f"W_{name}", f"{Number(difference):.1e}", border=True)
    st.latex(
        rf"x W_Q = [\,x W_Q^1;\ \dots;\ x W_Q^{{{heads}}}\,],\qquad "
        rf"[z^1; \dots; z^{{{heads}}}]\, W_O = \sum_{{h=1}}^{{{heads}}} z^h W_O^h"
    )
