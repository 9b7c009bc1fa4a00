"""The topic "optimizers": walks of two weights, Adam's numbers, and steps of a real matrix."""

from dataclasses import replace

import numpy as np
import streamlit as st

from model.learning.optimizers import RULES, Rule, Settings, Walk, loss, walk
from model.results import Run
from model.sites.sites import attention_site
from viz.compute import learning, runs
from viz.figures.labels import Number
from viz.figures.table import show_table
from viz.language.text import _
from viz.language.wording import in_a_row, listed
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.learning.lesson import Lesson, controls, picture
from viz.pages.learning.optimizing_figures import singular_figure, walks_figure
from viz.shell import state
from viz.shell.below import show_below
from viz.shell.finding import say

START = (-3.0, 2.0)
RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
MOST_STEPS, ROWS = 100, 8


def names() -> dict[Rule, str]:
    """Return the usual names of the rules."""
    return {
        "plain": _("gradient descent"),
        "momentum": _("momentum"),
        "adagrad": "Adagrad",
        "rmsprop": "RMSProp",
        "adam": "Adam",
    }


def show(run: Run) -> None:
    """Draw the walks of all rules, Adam's numbers, and the steps of a matrix of the model."""
    row = controls()
    rate = row.select_slider(_("Rate η"), RATES, 0.1, key="pace", bind=address.BOUND, width=150)
    steep = row.slider(_("How steep across"), 1, 50, 12, key="steep", bind=address.BOUND, width=150)
    decay = row.slider(
        _("Weight decay λ"), 0.0, 2.0, 0.0, 0.1, key="decay", bind=address.BOUND, width=150
    )
    count = row.slider(_("Steps"), 1, MOST_STEPS, 40, key="paces", bind=address.BOUND, width=150)
    corrected = row.toggle(
        _("Bias correction"), True, key="corrected", bind=address.BOUND, width="content"
    )
    settings = Settings(float(rate), float(decay), corrected=corrected)
    walks: dict[Rule, Walk] = {rule: walk(rule, START, steep, count, settings) for rule in RULES}
    called = names()
    named = {called[rule]: walk_of for rule, walk_of in walks.items()}
    begun = float(loss(np.array(START), steep))
    ends = losses(steep, count, settings)
    say(finding(ends, settings.rate, begun))
    picture(walks_figure(named, steep, state.current_theme()), "walks")
    show_table(rates_table(ends, settings.rate, begun))
    show_adam(walks["adam"], settings)
    show_matrix(Lesson(run, None))
    explain()


def losses(steep: float, count: int, settings: Settings) -> dict[Rule, dict[float, float]]:
    """Return the loss after `count` steps of each rule at each of RATES; infinity if too large."""
    by_rule: dict[Rule, dict[float, float]] = {}
    with np.errstate(over="ignore", invalid="ignore"):
        for rule in RULES:
            walks = {r: walk(rule, START, steep, count, replace(settings, rate=r)) for r in RATES}
            last = {r: float(loss(reached.weights[-1], steep)) for r, reached in walks.items()}
            by_rule[rule] = {
                r: reached if np.isfinite(reached) else np.inf for r, reached in last.items()
            }
    return by_rule


def away(ends: dict[float, float], begun: float) -> list[float]:
    """List the rates at which a rule ends with a loss above `begun`, that of the start."""
    return [rate for rate, end in ends.items() if end > begun]


def finding(ends: dict[Rule, dict[float, float]], rate: float, begun: float) -> str:
    """Say which rule ends lowest, at this rate and at each rule's best rate, and which run away."""
    called = names()
    here = min(RULES, key=lambda rule: ends[rule][rate])
    best = min(RULES, key=lambda rule: min(ends[rule].values()))
    template = (
        _("At rate {rate:g}, and at the best of {count} rates for each, **{here}** ends lowest.")
        if here == best
        else _(
            "At rate {rate:g} **{here}** ends lowest; at the best of {count} rates for each, "
            "**{best}**."
        )
    )
    claim = template.format(rate=rate, here=called[here], best=called[best], count=len(RATES))
    lost = [called[rule] for rule in RULES if away(ends[rule], begun)]
    held = [called[rule] for rule in RULES if not away(ends[rule], begun)]
    if lost and held:
        template = _("Run away at too large a rate: {lost}. At none: {held}.")
        claim = in_a_row((claim, template.format(lost=listed(lost), held=listed(held))))
    return claim


def rates_table(
    ends: dict[Rule, dict[float, float]], rate: float, begun: float
) -> dict[str, list[str]]:
    """Return the columns of a table: where each rule ends at this rate, and at its best rate."""
    best = {rule: min(RATES, key=lambda rate: ends[rule][rate]) for rule in RULES}
    return {
        _("rule"): [names()[rule] for rule in RULES],
        _("loss at rate {rate}").format(rate=rate): [f"{ends[rule][rate]:.3g}" for rule in RULES],
        _("best rate"): [f"{best[rule]:g}" for rule in RULES],
        _("loss there"): [f"{ends[rule][best[rule]]:.3g}" for rule in RULES],
        _("runs away at"): [
            ", ".join(f"{rate:g}" for rate in away(ends[rule], begun)) for rule in RULES
        ],
    }


def show_adam(adam: Walk, settings: Settings) -> None:
    """Write the numbers of Adam's first steps on one weight."""
    st.subheader(_("Adam on one weight"), anchor=False)
    which = choose_one(_("Weight"), {"1": "w₁", "2": "w₂"}, "weight", quoted=True)
    at = int(which) - 1
    steps = np.arange(1, min(ROWS, len(adam.steps)) + 1)
    first, second = adam.first[: len(steps), at], adam.second[: len(steps), at]
    by = (1.0, 1.0)
    if settings.corrected:
        by = 1 - settings.beta1**steps, 1 - settings.beta2**steps
    columns = {
        "t": steps,
        "w": adam.weights[: len(steps), at],
        "g": adam.gradients[: len(steps), at],
        "m": first,
        "v": second,
        "m̂ = m / (1 \u2212 β₁ᵗ)" if settings.corrected else "m̂ = m": first / by[0],
        "v̂ = v / (1 \u2212 β₂ᵗ)" if settings.corrected else "v̂ = v": second / by[1],
        _("step"): adam.steps[: len(steps), at],
    }
    written = {
        name: [str(int(number)) if name == "t" else f"{Number(number):.4g}" for number in values]
        for name, values in columns.items()
    }
    show_table(
        written,
    )
    st.latex(
        r"m \leftarrow \beta_1 m + (1-\beta_1)\,g,\quad v \leftarrow \beta_2 v + (1-\beta_2)\,g^2,"
        r"\quad w \leftarrow w - \eta\Big(\frac{\hat m}{\sqrt{\hat v}+\epsilon} + \lambda w\Big)"
    )
    g, step = float(adam.gradients[0, at]), float(adam.steps[0, at])
    st.caption(
        _(
            "The first gradient is {gradient:.3g}, the first step {step:.3g}. With its correction "
            "and without decay it is the rate, whatever the gradient's size: g / √g² is a sign."
        ).format(gradient=Number(g), step=Number(step))
    )


def show_matrix(lesson: Lesson) -> None:
    """Draw the steps that Adam and Muon make of a matrix's gradient on this sentence."""
    head = state.shown_head(runs.translator().config)
    site = attention_site(head.kind, head.layer, "q").removesuffix(".q")
    stack, layer, sublayer = site.split(".")
    name = f"{stack}.layers.{layer}.{sublayer}.q.weight"
    st.subheader(_("Muon on one matrix"), anchor=False)
    steps = learning.matrix_steps(lesson.sentence, lesson.target, name)
    named = {
        _("gradient"): steps.gradient,
        _("Adam's first step"): steps.adam,
        _("Muon's first step"): steps.muon,
    }
    show_below(singular_figure(named, state.current_theme()), "singular")
    half = {name_: int((values > values[0] / 2).sum()) for name_, values in named.items()}
    counted = listed(f"{name_} {count}" for name_, count in half.items())
    st.caption(
        _(
            "W_Q of all heads, `{name}`: how much its gradient on this sentence stretches each of "
            "{count} directions, and what the first step makes of that. Stretched at least half as "
            "much as the most: {counted}. A sentence of few pieces has a gradient of few "
            "directions; in training thousands of pieces add up."
        ).format(name=name, count=len(steps.gradient), counted=counted)
    )


def explain() -> None:
    """Say what the rules do, and which of them made this model."""
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The valley is (w₁² + s w₂²) / 2, its lowest point the cross: real losses have "
                "millions of weights and no such shape. All rules are those of torch, and weight "
                "decay is decoupled from the gradient, as in AdamW: it pulls every weight towards "
                "0, here with all rules.\n\n"
                "- **Gradient descent** takes w \u2212 η g.\n"
                "- **Momentum** follows a running sum of gradients.\n"
                "- **Adagrad** divides each weight's step by the root of all its squares so far, "
                "**RMSProp** by that of a running mean.\n"
                "- **Adam** (the paper's) has a running mean of both. This model's run used it "
                "for the embeddings, biases and LayerNorms.\n"
                "- **Muon** replaces a matrix's running mean of gradients by a matrix that "
                "stretches all directions nearly alike. This model's run used it for every matrix "
                "inside the layers."
            )
        )
