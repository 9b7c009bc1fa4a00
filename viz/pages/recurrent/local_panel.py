"""Global and local attention: a window around a predicted position."""

import numpy as np
import streamlit as st

from model.recording.recording import Recording
from model.recurrent.looking import Looking
from model.results import Run
from viz.components.alignments import Panel, alignments
from viz.compute import ancestors, examples
from viz.figures.figure import show_figure
from viz.figures.table import show_table
from viz.figures.weights import softmax
from viz.language.text import _, later
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.recurrent.controls import choose_step
from viz.pages.recurrent.figures import window_figure
from viz.pages.recurrent.numbers import ATTENTION
from viz.pages.recurrent.words import SCORES
from viz.shell import state
from viz.shell.finding import say


def local(run: Run) -> None:
    """Draw the window of the trained local model, and the effect of other settings."""
    if "local-p" not in ancestors.shipped():
        st.info(_("There is no trained model with local attention here."))
        return
    if rows := ancestors.windows():
        say(
            _(
                "Is a window enough? Over {pairs:,} sentences it scores **{inside:.0%}** of the "
                "pairs, and misses in **{missed:.1%}** of the steps that look at a piece."
            ).format(
                pairs=rows[0].pairs,
                inside=rows[0].inside / rows[0].scores,
                missed=rows[0].missed / max(rows[0].asked, 1),
            )
        )
    looking = _settings()
    trained = ancestors.looked("local-p", run.source.text)
    changed = ancestors.looked("local-p", run.source.text, looking)
    recording = changed.recording
    t = choose_step(_("the piece that is read: t"), recording.target_tokens, "local-p")
    _window(recording, t)
    titles = (_("As trained: p predicted"), _("As set above"))
    panels = [
        Panel(
            title,
            run.translation.text,
            run.recording.target_tokens,
            run.recording.source_tokens,
            run.recording.attention("cross")[0, 0],
        )
        for title, run in zip(titles, (trained, changed), strict=True)
    ]
    alignments(panels, state.current_theme(), "local", examples.current().target)
    _measured()
    with st.expander(_("What am I looking at?")):
        _explain()


def _settings() -> Looking:
    row = st.container(horizontal=True, gap="medium")
    own = ancestors.network("local-p").config.window
    window = row.slider(_("Window D"), 1, 12, own, key="window", bind=address.BOUND, width=240)
    sigma = row.slider(
        _("Sigma of the bell"), 0.25, 8.0, own / 2, 0.25, key="sigma", bind=address.BOUND, width=240
    )
    centre = choose_one(
        _("Centre"),
        [later("predicted"), later("monotonic")],
        "centre",
        row=row,
        help=_("Predicted: p_t = S sigmoid(v tanh(W s_t)). Monotonic: p_t = t."),
    )
    upside_down = row.toggle(
        _("Bell without its minus"), key="minus", bind=address.BOUND, width="content"
    )
    return Looking(
        window=float(window),
        sigma=float(sigma),
        monotonic=centre == "monotonic",
        upside_down=upside_down,
    )


def _window(recording: Recording, t: int) -> None:
    """Draw the window of step t, from 0, over the source."""
    bell = recording[f"{ATTENTION}.gaussian"][0, t]
    scores, weights = (
        recording[f"{ATTENTION}.scores"][0, t],
        recording[f"{ATTENTION}.weights"][0, t],
    )
    centre = float(recording[f"{ATTENTION}.position"][t])
    near = bell > 0
    align = softmax(np.where(near, scores, -np.inf)) if near.any() else np.zeros_like(scores)
    figure = window_figure(
        align, bell, weights, centre, recording.source_tokens, state.current_theme()
    )
    show_figure(figure, "window picture")
    st.caption(
        _(
            "{near} of {count} pieces lie in the window. The softmax adds up to 1; times the bell "
            "the weights add up to {total:.2f}."
        ).format(near=int(near.sum()), count=len(near), total=float(weights.sum()))
    )


def _measured() -> None:
    """Write what a window saves, and how often it misses, over many sentences."""
    rows = ancestors.windows()
    if not rows:
        return
    st.markdown(
        _("**What the window saves, and how often it misses**, on {pairs:,} dev sentences").format(
            pairs=rows[0].pairs
        )
    )
    show_table(
        {
            _("pieces of the source"): [_("all"), *(_band(row) for row in rows[1:])],
            _("sentences"): [row.pairs for row in rows],
            _("scores inside the window"): [f"{row.inside / row.scores:.0%}" for row in rows],
            _("windows that miss"): [f"{row.missed / max(row.asked, 1):.1%}" for row in rows],
        },
    )
    st.caption(
        _(
            "A window misses when the piece that the same model without a window (general) looks "
            "at most lies outside it. Only the {asked:,} of {steps:,} steps are asked at which "
            "that is a piece, and not the end."
        ).format(asked=rows[0].asked, steps=rows[0].steps)
    )


def _band(row: ancestors.Window) -> str:
    return f"{row.low}\u2013{row.high}" if row.high else _("over {low}").format(low=row.low - 1)


def _explain() -> None:
    st.markdown(
        _(
            "Global attention looks at every piece at every step. Local attention predicts a "
            "position p_t in the source and looks at the pieces at most D away from it; a bell "
            "with sigma = D / 2 favours those near p_t, and makes the position learnable by "
            "gradient (Luong et al. 2015, section 3.2)."
        )
    )
    st.latex(SCORES["local-p"])
    st.latex(
        r"\alpha_{tj} = \text{softmax}_{|j - p_t| \le D}(e_{tj})\,"
        r"\exp\left(-\frac{(j - p_t)^2}{2\sigma^2}\right)"
    )
