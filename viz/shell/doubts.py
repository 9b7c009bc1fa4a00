"""The line under a translation: all of a long one, its unsure words, why, and what helps."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.results import Run
from viz.compute import doubts, examples, familiarity, models, runs
from viz.compute.doubts import Kind, Reason
from viz.figures.letters import STAGE
from viz.language.sides import side_names
from viz.language.text import _
from viz.language.wording import escaped, in_a_row, listed
from viz.shell.chooser import take_model
from viz.shell.lessons.card import lesson_shown
from viz.shell.top_bar.far import said

MOST = 4
"""The most unsure words that are named."""

GOOD = 55.0
"""The weak spots of a model with at least this chrF on ordinary dev sentences are not mentioned."""

LONGEST = 60
"""The most letters of a sentence on a button."""

_OFFERED = "offered a sentence that works"
"""The key of the first doubtful sentence of a visit, the only one with such an offer."""

WHOLE = 100
"""The most letters of a translation that the top bar shows without a cut."""


def show_doubts(run: Run) -> bool:
    """Say which words of a translation are unsure and why, and offer what helps; tell if it did.

    A translation that the top bar cuts off is said in full. Nothing is drawn if all words are sure,
    if the model is changed, as the page then tells what the change does, or in a lesson, as its
    sentences are chosen. Its place is kept in any case: what stands below it would else be drawn
    anew when the line comes or goes, and lose the cursor.
    """
    container = st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="doubts"
    )
    if run.recording.interventions or run.left_out or lesson_shown():
        return False
    sentence = run.source.text
    doubtful = doubts.is_doubtful(sentence)
    weak = _weakness(sentence)
    whole = run.translation.text if len(run.translation.text) > WHOLE else ""
    if not doubtful and not weak and not whole:
        return False
    why = doubts.reason(sentence) if doubtful else None
    # Of another language every word is unsure.
    unsure = () if why and why.kind == "language" else doubts.unsure(sentence)
    more = ["…"] if len(unsure) > MOST else []
    named = listed([*(f"*{escaped(word)}*" for word in unsure[:MOST]), *more])
    sentences = [_unsure_of(named)] if unsure else []
    if why:
        sentences.append(_said(why))
    sentences += [weak] if weak else []
    far = familiarity.far(sentence)
    sentences = sentences or ([said(far)] if far else [])
    full = [_("**In full:** {translation}").format(translation=escaped(whole))] if whole else []
    with _opened(container, in_a_row([*sentences, *full])):
        st.markdown(in_a_row([*full, *sentences]), width="content")
        if why:
            _offer(why)
        if unsure or why or weak:
            _offer_another(sentence)
    return True


def _opened(place: DeltaGenerator, line: str) -> DeltaGenerator:
    """Return the container of a line and its buttons, on stage a box that opens.

    There the line stands beside the title, cut where its place ends, with its doubts first.
    """
    if not st.session_state.get(STAGE):
        return place
    return place.popover(line, type="tertiary", width="stretch", key="doubts on stage")


def _unsure_of(words: str) -> str:
    limit = f"{familiarity.word_limit():.0%}"
    return _("**Unsure of:** {words} (below {limit}).").format(words=words, limit=limit)


def _weakness(sentence: str) -> str:
    """Say what a weak model is bad at; return "" for a good one, and for the model's examples."""
    card = runs.card()
    if not card or familiarity.quality() >= GOOD or sentence in examples.current().texts:
        return ""
    return _("{name} is a small model for short everyday sentences, and bad at: {spots}.").format(
        name=escaped(models.in_force()),
        spots=listed(_(spot["what"]) for spot in card.weak_spots),
    )


def doubt_texts() -> dict[str, object]:
    """Return the texts of the line and of its buttons, and how much of each is shown."""
    return {
        "unsure": _unsure_of("{words}"),
        "reasons": _reasons(),
        "offers": _offers(),
        "comma": listed(("", "")),
        "most": MOST,
        "longest": LONGEST,
    }


def _reasons() -> dict[Kind, str]:
    return {
        "language": _("This model reads {source}, and nothing else.").format(**side_names()),
        "characters": _("It has no piece for {characters}, and has hardly seen it."),
        "number": _("It wrote {written}; your sentence has {number}."),
        "capitals": _(
            "In capitals it knows fewer words: {pieces} pieces, in small letters {fewer}."
        ),
        "loud": _("In capitals it is unsure of {pieces} words, in small letters of {fewer}."),
        "small": _("Capitals are hard for it: it wrote *{word}*."),
        "typing": _("It does not know *{word}*: is a letter wrong?"),
        "spelling": _("It knows *{word}* in the American spelling."),
        "name": _("It hardly knows the name *{word}*."),
        "pieces": _("It reads *{word}* in pieces only."),
    }


def _offers() -> dict[Kind, str]:
    return {
        "characters": _("Leave it out: {sentence}"),
        "capitals": _("Try small letters: {sentence}"),
        "loud": _("Try small letters: {sentence}"),
        "small": _("Try small letters: {sentence}"),
        "typing": _("Try: {sentence}"),
        "spelling": _("Try: {sentence}"),
    }


def _said(why: Reason) -> str:
    """Say the reason in a sentence; words of the visitor's sentence are escaped."""
    cause, (pieces, fewer) = escaped(why.of), why.pieces
    return _reasons()[why.kind].format(
        characters=cause,
        word=cause,
        number=cause,
        written=escaped(why.written),
        pieces=pieces,
        fewer=fewer,
    )


def _offer(why: Reason) -> None:
    """Draw the button that helps, if there is one."""
    if not why.better:
        return
    if why.kind == "language":
        st.button(
            _("Open the model {name}").format(name=escaped(why.better)),
            key="model that reads it",
            type="tertiary",
            icon=":material/translate:",
            on_click=take_model,
            args=(why.better,),
        )
        return
    st.button(
        _offers()[why.kind].format(sentence=escaped(_short(why.better))),
        key="better sentence",
        type="tertiary",
        icon=":material/edit:",
        on_click=take,
        args=(why.better,),
    )


def _offer_another(sentence: str) -> None:
    """Offer the first sentence of a well-known pair, which the model translates well, once."""
    others = [pair.first for pair in reversed(examples.current().pairs) if pair.first != sentence]
    if others and st.session_state.setdefault(_OFFERED, sentence) == sentence:
        st.button(
            _("One that works well: {sentence}").format(sentence=escaped(others[0])),
            key="sentence that works",
            type="tertiary",
            icon=":material/thumb_up:",
            on_click=take,
            args=(others[0],),
        )


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1]}…"


def take(sentence: str) -> None:
    """Put a sentence into the box; call it in a callback."""
    st.session_state["sentence"] = sentence
