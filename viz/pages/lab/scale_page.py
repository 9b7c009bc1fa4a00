"""Break it: scores that are not scaled, positions that are not where they were."""

import streamlit as st

from model.transformer.config import ModelConfig
from viz.figures.labels import kind_names
from viz.figures.weights import sharpness
from viz.language.text import _, capital, later
from viz.pages.lab.effect import current_effect, show_effect
from viz.pages.lab.positions import position_controls
from viz.pages.lab.positions_panel import show_side_by_side
from viz.shell import scale, state
from viz.shell.cover import telling
from viz.shell.header import choose_view, open_page

BEFORE_AFTER, POSITIONS = later("before and after"), later("positions side by side")


def take_unscaled() -> None:
    """Leave out the division where that was asked for."""
    chosen = st.session_state["raw scores"]
    state.set_interventions(scale.set_unscaled(state.interventions(), chosen))


def show_sharpness() -> None:
    """State how sharp attention is; where the model is changed, before and after."""
    effect = current_effect()
    lines = [
        _("| attention | entropy of a row, nats | largest weight of a row |"),
        "|---|---|---|",
    ]
    for kind, name in kind_names().items():
        cells = [name]
        before = sharpness(effect.before.recording.attention(kind))
        after = sharpness(effect.forced.attention(kind))
        for form, old, new in zip((".2f", ".0%"), before, after, strict=True):
            cells.append(f"{old:{form}} → **{new:{form}}**" if effect.changed else f"{old:{form}}")
        lines.append(f"| {' | '.join(cells)} |")
    st.markdown("\n".join(lines))


def show_before_and_after(config: ModelConfig) -> None:
    """Draw the controls of scale and positions, and their effect."""
    st.session_state["raw scores"] = [str(kind) for kind in scale.unscaled(state.interventions())]
    st.pills(
        _("Scores without 1/√dₖ (√{d_k} = {root:.2f})").format(
            d_k=config.d_k, root=config.d_k**0.5
        ),
        list(kind_names()),
        format_func=lambda kind: capital(kind_names()[kind]),
        selection_mode="multi",
        key="raw scores",
        on_change=take_unscaled,
    )
    position_controls(config)
    show_effect(current_effect())
    with telling("sharpness"):
        st.markdown(_("**How sharp attention is on average, over all heads and queries**"))
        show_sharpness()


def show_page() -> None:
    """Draw the page; in a function, as callbacks would keep the names of the module alive."""
    run = open_page()
    if choose_view([BEFORE_AFTER, POSITIONS], "break") == POSITIONS:
        with telling("positions"):
            show_side_by_side(run)
    else:
        show_before_and_after(run.recording.config)


show_page()
