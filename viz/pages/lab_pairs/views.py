"""The controls and texts of the page "Two sentences"."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.sites.sites import Head
from model.transformer.config import ModelConfig
from viz.compute import examples, pairs
from viz.compute.pairs import Attribution, Measure, Pair, Side
from viz.effect.near import tie
from viz.figures.labels import Number
from viz.figures.theme import bare, named, token_text
from viz.language.text import _
from viz.language.wording import escaped, in_a_row
from viz.link.choice import choose_one
from viz.pages.lab_pairs.looks import Look, written_word
from viz.shell import state

HANGS = 0.5
"""The choice hangs on a head without which less than this share of the difference is left."""

FURTHER = 1.005
"""Without a head, from this share of the difference on, more is left than there was."""

IDLE = 0.1
"""A piece whose log-probability falls by less than this, in nats, stays as likely."""

LEVEL = 1.5
"""Two pieces are about level while neither is this many times as likely as the other."""

_SIDE, _QUERY, _OF = "side", "pair query", "pair query of"
_LONG, _SHOWN = 24, 16
"""The most letters of a difference that names its sentence, and of the text before a piece."""


def differing(side: Side, pair: Pair) -> str:
    """Return the words of a sentence that the other sentence lacks, or ""."""
    spans = [slot.first if side is pair.first else slot.second for slot in pair.slots]
    tokens = side.run.source.tokens
    words = [
        "".join(token_text(token) for token in tokens[span[0] : span[1] + 1]).strip("· .")
        for slot, span in zip(pair.slots, spans, strict=True)
        if span and not slot.same
    ]
    return " … ".join(word for word in words if word)


def short(side: Side, pair: Pair) -> str:
    """Return the words of a sentence that the other sentence lacks, or else its end."""
    return f"… {(differing(side, pair) or side.run.source.text)[-40:]} …"


def finding(
    pair: Pair, head: Head | None, seen: tuple[Look | None, Look | None], off: bool = False
) -> str:
    """Say what the head looks at most in both sentences, and what is written; in Markdown.

    In a changed model it says what became of the two pieces. It is silent about a head that is
    `off`.
    """
    names = [differing(side, pair) for side in (pair.first, pair.second)]
    if not all(0 < len(name) <= _LONG for name in names):
        names = [_("the first sentence"), _("the second sentence")]
    told = dict(zip(("one", "other"), map(escaped, map(named, names)), strict=True))
    if not pair.changed:
        parts = pair.first.run.translation.ids != pair.second.run.translation.ids
        return _looks(pair, head, seen, told, pair.decision is not None and parts)
    outcome = _outcome(pair, told)
    if head is None or seen[0] is None or seen[1] is None:
        return outcome
    if off:
        return in_a_row((_("**{head}** is off.").format(head=state.head_name(head)), outcome))
    return in_a_row((_looks(pair, head, seen, told, False), outcome))


def _looks(
    pair: Pair,
    head: Head | None,
    seen: tuple[Look | None, Look | None],
    told: dict[str, str],
    parts: bool,
) -> str:
    """Say what the head looks at most; if the translations part, also the words written there.

    Where little decides between the two pieces, it says nothing of what the head does to that.
    """
    written = [
        escaped(written_word(side, pair) if parts else named(piece))
        for side, piece in zip((pair.first, pair.second), pair.pieces, strict=True)
    ]
    told = told | dict(zip(("first", "second"), written, strict=True))
    if head is None or seen[0] is None or seen[1] is None:
        text = _("With *{one}*, **{first}** is written; with *{other}*, **{second}**.")
        return text.format(**told) if parts else _("Both sentences are translated alike.")
    (query, key), (there, key_there) = (
        map(escaped, map(named, look.named)) for look in (seen[0], seen[1])
    )
    told |= {"query": query, "there": there, "key": key, "key_there": key_there}
    left = None
    decides = tie((pair.first.likely, pair.second.likely)) is None
    if parts and decides and isinstance(pair.first.recording.made_by, ModelConfig):
        left = pairs.left_without(pair.first.run.source.text, pair.second.run.source.text, head)
        told["left"] = f"{Number(round(left, 2) + 0.0):.0%}"
    if left is not None and left < HANGS and query == there and key != key_there:
        text = _(
            "With *{one}*, **{query}** looks at **{key}** and **{first}** is written; with "
            "*{other}*, at **{key_there}** and **{second}**. With this head off, {left} of that "
            "difference is left."
        )
        return text.format(**told)
    if query != there and head.kind == "encoder":
        text = _(
            "**{query}** looks most at **{key}**; in the second sentence, **{there}** at "
            "**{key_there}**."
        )
    elif query != there:
        text = _(
            "With *{one}*, **{query}** is written looking at **{key}**; with *{other}*, "
            "**{there}**, at **{key_there}**."
        )
    elif key == key_there:
        text = _("With *{one}* and with *{other}*, **{query}** looks most at **{key}**.")
    else:
        text = _(
            "With *{one}*, **{query}** looks most at **{key}**; with *{other}*, at **{key_there}**."
        )
    return (text if left is None else in_a_row((text, _hangs(left)))).format(**told)


def _hangs(left: float) -> str:
    """Say whether the choice of the piece hangs on the head, given the share left without it."""
    if left < HANGS:
        return _(
            "Whether **{first}** or **{second}** is written hangs on this head: with it off, "
            "{left} of their difference is left."
        )
    if left >= FURTHER:
        return _(
            "Whether **{first}** or **{second}** is written does not hang on this head: with it "
            "off, they are even further apart."
        )
    return _(
        "Whether **{first}** or **{second}** is written does not hang on this head: with it off, "
        "{left} of their difference is left."
    )


def _outcome(pair: Pair, told: dict[str, str]) -> str:
    """Say which of the two deciding pieces is likelier in each sentence of a changed model."""
    if pair.decision is None:
        return ""
    first, second = (escaped(named(piece)) for piece in pair.written)
    if all(max(side.likely) < LEVEL * min(side.likely) for side in (pair.first, pair.second)):
        first, second = (escaped(named(piece)) for piece in pair.pieces)
        text = _("Now **{first}** and **{second}** are about level in both.")
    elif first == second:
        text = _("In the changed model **{first}** is the likelier in both.")
    elif pair.written == pair.pieces:
        text = _(
            "Of the two deciding pieces, **{first}** is still the likelier with *{one}*, and "
            "**{second}** with *{other}*."
        )
    else:
        text = _(
            "Of the two deciding pieces, **{first}** is now the likelier with *{one}*, and "
            "**{second}** with *{other}*: exchanged."
        )
    return text.format(**told, first=first, second=second)


def odds(pair: Pair, side: Side) -> list[tuple[str, float]]:
    """Return both deciding pieces and their probabilities in a sentence; [] without a decision."""
    if pair.decision is None:
        return []
    names = (bare(piece) for piece in pair.pieces)
    return list(zip(names, side.likely, strict=True))


def after(pair: Pair) -> str:
    """Say after which words the deciding piece is written."""
    beginning = "".join(pair.prefix[1:]).replace("▁", " ").strip()
    if not beginning:
        return _("The first piece:")
    return _("Next after “{words}”:").format(words=_end(beginning))


def _end(text: str) -> str:
    """Return the last words of a text, as long as they are short together, but one at least."""
    words = text.split(" ")
    while len(" ".join(words)) > _SHOWN and len(words) > 1:
        words = words[1:]
    last = " ".join(words)
    return f"… {last}" if last != text else text


def compared_query(pair: Pair) -> int:
    """Return the slot of the source whose row is compared: the chosen slot, or the first one.

    At first it is the last ambiguous pronoun, such as "it", which the model's story names; else
    the query whose row differs most between both sentences, in the mean of all encoder heads.
    """
    labels = pair.labels()
    held = st.session_state.get(_QUERY)
    if held is not None and st.session_state.get(_OF) == labels:
        return int(held)
    story = examples.current().story
    asks = story.asks if story else ""
    its = [place for place, label in enumerate(labels) if asks and _bare(label) == asks.lower()]
    if its or "encoder" not in pair.first.recording.made_by.kinds:
        return its[-1] if its else 0
    return pair.restless()


def choose_query(pair: Pair) -> None:
    """Draw the choice of the source piece whose row is compared; see `compared_query`."""
    labels = pair.labels()
    st.session_state[_QUERY] = compared_query(pair)
    st.session_state[_OF] = labels
    st.selectbox(
        _("Row compared in the encoder (in decoder and cross-attention: the deciding step)"),
        range(len(labels)),
        format_func=lambda place: f"{place + 1}  {token_text(labels[place])}",
        key=_QUERY,
        width=520,
    )


def _bare(label: str) -> str:
    return label.removeprefix("▁").lower()


def choose_side(pair: Pair) -> tuple[Side, int, str]:
    """Draw the choice of a sentence; return it with the id and the text of its likelier piece."""
    sides = {"first": pair.first, "second": pair.second}
    names = {name: escaped(short(side, pair)) for name, side in sides.items()}
    side = sides[choose_one(_("In the sentence"), names, _SIDE, link=False, quoted=True)]
    step = int(np.argmax(side.likely))
    assert pair.decision is not None
    return side, (pair.decision.first, pair.decision.second)[step], pair.pieces[step]


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


def idle_word(pair: Pair, side: Side, attribution: Attribution) -> str:
    """Say of the one word that differs that leaving it out costs little, if so; else return ""."""
    word = differing(side, pair)
    texts = [text.strip("▁.,;:!?") for text in attribution.words]
    if pair.first.run.translation.ids == pair.second.run.translation.ids or texts.count(word) != 1:
        return ""
    fall = float(attribution.values[attribution.measures.index("left out"), texts.index(word)])
    if abs(fall) >= IDLE:
        return ""
    return _(
        "Without *{word}* the piece stays as likely ({fall} nats): the model writes it of its own "
        "accord. Exchanged for the other word, it still turns the translation."
    ).format(word=escaped(word), fall=f"{Number(round(fall, 2) + 0.0):.2f}")


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
