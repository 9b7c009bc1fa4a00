"""The training example of the page: the sentence in the box and its reference translation."""

from dataclasses import dataclass

import streamlit as st
from plotly.graph_objects import Figure
from streamlit.delta_generator import DeltaGenerator

from model.results import Run
from viz.compute import examples
from viz.figures.figure import show_figure
from viz.language.text import _
from viz.link import address

TARGET, _OF = "reference", "sentence of the reference"


@dataclass(frozen=True, eq=False)
class Lesson:
    """A pair to train on; if `target` is None, the model's own translation is the reference."""

    run: Run
    target: str | None

    @property
    def sentence(self) -> str:
        """Return the source text."""
        return self.run.source.text


def choose(run: Run, row: DeltaGenerator, width: int = 420) -> Lesson:
    """Draw the box for the reference translation in a row of controls; return the pair.

    The `width` is in pixels. Without a typed text, the reference comes from the examples, if any.
    """
    known = {
        sentence.text: sentence.reference
        for sentence in examples.current().sentences
        if sentence.reference
    }
    reference = known.get(run.source.text)
    if st.session_state.get(_OF, run.source.text) != run.source.text:
        st.session_state[TARGET] = ""  # the typed text belonged to the last sentence
    st.session_state[_OF] = run.source.text
    label = _("What should come out") if reference else _("What should come out (empty: its own)")
    typed = row.text_input(
        label,
        key=TARGET,
        bind=address.BOUND,
        placeholder=reference or run.translation.text,
        help=_(
            "Type any translation. Without one, the examples have one by a person, and other "
            "sentences the model's own."
        ),
        width=width,
    )
    return Lesson(run, " ".join(str(typed or "").split()) or reference)


def given_text(lesson: Lesson) -> str | None:
    """Return the target; None if it is the model's own translation."""
    own = lesson.run.translation.text
    return None if lesson.target in (None, own) else lesson.target


def controls() -> DeltaGenerator:
    """Draw the row of controls above the picture."""
    return st.container(horizontal=True, vertical_alignment="bottom", gap="medium")


def picture(figure: Figure, name: str, share: float = 1.0) -> None:
    """Draw a figure under a separate name, so that Streamlit tells the figures of topics apart.

    See `show_figure` for its `share`.
    """
    show_figure(figure, f"{name}-picture", tools=False, share=share)


def per_cent(share: float) -> str:
    """Write a probability in per cent with one decimal."""
    return f"{share:.1%}"
