"""The controls and texts of the page "Two sentences"."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from viz.compute import examples
from viz.compute.pairs import Measure, Pair, Side
from viz.figures.theme import token_text
from viz.language.text import _
from viz.language.wording import escaped
from viz.link.choice import choose_one

_SIDE, _QUERY = "side", "pair query"


def short(sentence: str, pair: Pair) -> str:
    """Name a sentence by the words in which it differs from the other, else by its end."""
    side = pair.first if sentence == pair.first.run.source.text else pair.second
    spans = [slot.first if side is pair.first else slot.second for slot in pair.slots]
    tokens = side.run.source.tokens
    words = [
        "".join(token_text(token) for token in tokens[span[0] : span[1] + 1]).strip("· .")
        for slot, span in zip(pair.slots, spans, strict=True)
        if span and not slot.same
    ]
    name = " … ".join(word for word in words if word) or sentence
    return f"… {name[-40:]} …"


def choose_query(pair: Pair) -> int:
    """Draw the choice of the source piece whose row is compared; at first the pronoun."""
    labels = pair.labels()
    default = _pronoun(labels)
    if not 0 <= st.session_state.get(_QUERY, default) < len(labels):
        st.session_state[_QUERY] = default
    chosen = st.selectbox(
        _("Row compared in the encoder (in decoder and cross-attention: the deciding step)"),
        range(len(labels)),
        index=default,
        format_func=lambda place: f"{place + 1}  {token_text(labels[place])}",
        key=_QUERY,
        width=520,
    )
    return int(chosen)


def _pronoun(labels: list[str]) -> int:
    """Find the piece to begin with: the last ambiguous pronoun, else a changed one, else the first.

    The model's story names the pronoun, such as "it".
    """
    story = examples.current().story
    asks = story.asks if story else ""
    its = [place for place, label in enumerate(labels) if asks and _bare(label) == asks.lower()]
    differing = [place for place, label in enumerate(labels) if " / " in label]
    return its[-1] if its else differing[0] if differing else 0


def _bare(label: str) -> str:
    return label.removeprefix("▁").lower()


def choose_side(pair: Pair) -> tuple[Side, int, str]:
    """Draw the choice of a sentence; return it, and the id and the text of its likelier piece."""
    sides = {"first": pair.first, "second": pair.second}
    names = {name: escaped(short(side.run.source.text, pair)) for name, side in sides.items()}
    side = sides[choose_one(_("In the sentence"), names, _SIDE, link=False, quoted=True)]
    place = int(np.argmax(side.likely))
    assert pair.decision is not None
    return side, (pair.decision.first, pair.decision.second)[place], pair.pieces[place]


def measure_names(measures: Sequence[Measure]) -> list[str]:
    """Return the names of the measures on screen."""
    names: dict[Measure, str] = {
        "cross": _("cross-attention, mean"),
        "rollout": _("attention rollout"),
        "gradient": _("gradient × input"),
        "left out": _("leave one word out"),
    }
    return [names[measure] for measure in measures]


def measure_units(measures: Sequence[Measure]) -> list[str]:
    """Return the units of the measures on screen."""
    return [_("shares") if one in ("cross", "rollout") else _("nats") for one in measures]


def measured_text(piece: str, changed: bool) -> str:
    """Say which piece and which model the four measures are about."""
    text = _("For the piece **{piece}**, the likelier of the two in this sentence, word by word.")
    name = escaped(token_text(piece))
    note = _(" Measured in the unchanged model.") if changed else ""
    return text.format(piece=name) + note


def caution() -> str:
    """Say how everything on the page is measured, and what does not follow from it."""
    return _(
        "- **Probabilities**: of the two pieces where the two translations part (if they are the "
        "same: of the last pronoun and its counterpart), after the same beginning in both "
        "sentences.\n"
        "- **Share of a row that moved**: half the sum of the absolute differences of that row's "
        "weights; pieces in which the sentences differ count as one.\n"
        "- **Cross-attention, mean**: weights of the deciding step, over all layers and heads.\n"
        "- **Attention rollout**: layers multiplied, each mixed half and half with the residual "
        "connection (Abnar and Zuidema, 2020).\n"
        "- **Gradient × input**: the gradient of the piece's log-probability (in nats, natural "
        "logarithm) by each embedding, times the embedding.\n"
        "- **Leave one word out**: by how much the piece's log-probability (in nats) falls without "
        "the word.\n"
        "- **Rank correlation**: of the order of the words by size, whatever the sizes are.\n\n"
        "A head whose row changed has *noticed* the difference; that it *caused* the choice does "
        "not follow. To test that, switch it off (page Heads) and see whether the odds change."
    )
