"""The view of one matrix for queries and keys, perhaps also values: why each has its own."""

import streamlit as st

from model.interventions.sharing import TieQueries
from model.results import Run
from model.sites.sites import STACKS, Head, Stack
from viz.components.recomputed import recomputed
from viz.compute.effects import Effect
from viz.effect.effect import current_effect, show_outcome
from viz.figures.figure import show_figure
from viz.figures.labels import kind_names
from viz.language.text import _, capital
from viz.link import edits
from viz.pages.lab_scale import tying
from viz.pages.lab_scale.change import change_figure
from viz.shell import state
from viz.shell.cover import telling


def tying_panel(run: Run) -> None:
    """Draw the choice of the matrices, the translations, and one head's scores with both choices.

    "Before" is the model as it was trained; "after" has all changes.
    """
    st.markdown(
        _(
            "With one matrix for queries and keys every score is the same there and back: the "
            "picture on the right becomes its own mirror image at the diagonal. And where does "
            "each word look?"
        )
    )
    with st.container(horizontal=True, gap="large"):
        for stack in STACKS:
            _choose(stack, rotary=run.recording.config.positions == "rotary")
    effect = current_effect()
    show_outcome(effect)
    with telling("effect"):
        view = state.attention_controls(
            effect.forced, tying.most_unlike(effect.before.recording, _first())
        )
        _scores(effect, view)
        _table(effect)
        ties = edits.of_kind(effect.forced.interventions, TieQueries)
        if ties:
            _badge(effect, ties)
    with st.expander(_("What am I looking at?")):
        _explain(run)


def _first() -> Stack:
    """Return the first stack whose matrices are tied, or else the encoder."""
    now = edits.interventions()
    stacks: list[Stack] = [stack for stack in STACKS if tying.tied(now, stack) != "apart"]
    return stacks[0] if stacks else "encoder"


def _key(stack: Stack) -> str:
    return f"tied {stack}"


def _choose(stack: Stack, rotary: bool) -> None:
    names: dict[tying.Tied, str] = {
        "apart": _("three matrices"),
        "qk": "W_Q = W_K",
        "qkv": "W_Q = W_K = W_V",
    }
    if rotary:
        del names["qkv"]
    st.session_state[_key(stack)] = tying.tied(edits.interventions(), stack)
    st.segmented_control(
        _("{stack} self-attention").format(stack=capital(kind_names()[stack])),
        list(names),
        format_func=lambda one: capital(names[one]),
        required=True,
        key=_key(stack),
        on_change=_take,
        args=(stack,),
    )


def _take(stack: Stack) -> None:
    chosen: tying.Tied = st.session_state[_key(stack)]
    ties = [] if chosen == "apart" else [TieQueries(stack, chosen == "qkv")]
    edits.replace(TieQueries, ties, stack=stack)


def _scores(effect: Effect, view: Head) -> None:
    """Draw the scores of one head, before the mask, with its own matrices and with the chosen."""
    before, after = (
        side.part(view.kind, view.layer, "scores")[view.head]
        for side in (effect.before.recording, effect.forced)
    )
    queries, keys = effect.forced.tokens(view.kind)
    before = before[: len(queries), : len(keys)]
    titles = (_("{head} as trained").format(head=state.head_name(view)), _changed_title(effect))
    figure = change_figure(
        (before, after), titles, queries, keys, state.current_theme(), name=_("score"), signed=True
    )
    show_figure(figure, "tied scores", wide=True)


def _changed_title(effect: Effect) -> str:
    """Return the title of the picture on the right: what differs there from the trained model."""
    changes = effect.forced.interventions
    ties = edits.of_kind(changes, TieQueries)
    if not ties:
        return _("with your changes") if changes else _("the same: choose one matrix above")
    if len(ties) < len(changes):
        return _("as chosen above, with your other changes")
    return _("as chosen above")


def _table(effect: Effect) -> None:
    """Write the table of both stacks' `Looks`, before and after."""
    lines = [
        _(
            "| all heads, all queries | difference between a score and the one in the other "
            "direction | weight on itself | looks mostly at itself |"
        ),
        "|---|---|---|---|",
    ]
    for stack in STACKS:
        old, new = (tying.looks(side, stack) for side in (effect.before.recording, effect.forced))
        pairs = zip(vars(old).values(), vars(new).values(), strict=True)
        cells = [f"{a:.0%} → **{b:.0%}**" if effect.changed else f"{a:.0%}" for a, b in pairs]
        lines.append(f"| {' | '.join([kind_names()[stack], *cells])} |")
    st.markdown("\n".join(lines))


def _badge(effect: Effect, ties: list[TieQueries]) -> None:
    errors = [tying.largest_error(effect.forced, one.stack) for one in ties]
    if set(effect.forced.interventions) == set(ties):
        recomputed(
            max(errors), _("The scores of all its heads as q qᵀ / √dₖ, of the queries alone.")
        )


def _explain(run: Run) -> None:
    config = run.recording.config
    st.markdown(
        _(
            "A score is a product of two different views of two words. Written out, W_Q and W_K "
            "meet in one matrix that need not be symmetric: *it* can look at *animal* while "
            "*animal* looks elsewhere. With W_Q = W_K that matrix is symmetric, and a word's score "
            "with itself is the squared length of its query: never below zero, and mostly the "
            "largest of its row, as the table shows once it is chosen. Here W_Q and its bias are "
            "put in the place of W_K, in all layers and heads of a stack, and nothing is trained "
            "afterwards: the model learned with {d_model} × {d_model} numbers for each of them, "
            "and this shows what it uses them for. A model trained with shared matrices is another "
            "model."
        ).format(d_model=config.d_model)
    )
    st.latex(
        r"s_{ij} = \frac{x_i\, W_Q W_K^\top x_j^\top}{\sqrt{d_k}}, \qquad "
        r"W_K = W_Q \;\Rightarrow\; s_{ij} = s_{ji},\quad "
        r"s_{ii} = \frac{\|q_i\|^2}{\sqrt{d_k}} \ge 0"
    )
