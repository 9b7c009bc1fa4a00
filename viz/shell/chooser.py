"""The choice of the model, and what a page says when it cannot use that model."""

from contextlib import suppress

import streamlit as st

from viz.compute import examples, models, runs, translators
from viz.language.text import _
from viz.language.wording import escaped
from viz.link import settings

MOST_SHOWN = 40
"""The most characters shown of a model's name in a link, which a stranger may have written."""


def choose_model() -> None:
    """Draw the menu of models; its button bears the name of the model in force."""
    with st.popover(
        escaped(models.in_force()),
        icon=":material/model_training:",
        help=_("Model"),
        type="tertiary",
        key="model menu",
    ):
        st.selectbox(_("Model"), list(models.folders()), key=models.CHOSEN, on_change=_take)


def _take(other: str | None = None) -> None:
    """Take the model `other`, or else the one chosen in the menu."""
    take_model(other or str(st.session_state[models.CHOSEN]))


def take_model(name: str) -> None:
    """Take a model for all pages; call it in a callback.

    An example of another model, in the box, is replaced by one of this model.
    """
    settings.choose_model(name)
    foreign, own = examples.foreign_to(name), examples.of(name)
    defaults = {"sentence": own.texts[:1], "second": [pair.second for pair in own.pairs[:1]]}
    for box, texts in defaults.items():
        if texts and st.session_state.get(box) in foreign:
            st.session_state[box] = texts[0]


def _say_what_is_refused() -> None:
    if asked := settings.refused_model():
        shown = asked if len(asked) <= MOST_SHOWN else f"{asked[:MOST_SHOWN]}…"
        st.warning(
            _("There is no model called {asked} here; this is {name}.").format(
                asked=escaped(repr(shown)), name=escaped(models.in_force())
            )
        )


def _say_what_is_left_out() -> None:
    if problem := examples.problem():
        st.warning(
            _("The examples of {name} are left out: {problem}").format(
                name=escaped(models.in_force()), problem=escaped(problem)
            )
        )


def load_model() -> None:
    """Load the model in force; a spinner shows meanwhile, as a large model takes seconds.

    Errors are not reported here: `check_model` does that.
    """
    name = models.in_force()
    if translators.is_held(name):
        return
    with suppress(ValueError):
        megabytes = models.weights_file(name)[1] / 1e6
        reading = _("Reading the model {name}, {size:.0f} MB").format(
            name=escaped(name), size=megabytes
        )
        with st.spinner(reading):
            runs.translator()


def check_model(takes_recurrent: bool) -> None:
    """End the page with a sentence if the model in force is damaged, or recurrent and not taken.

    Also warn if the link asks for a model that is not here, or if examples were left out.
    """
    _say_what_is_refused()
    _say_what_is_left_out()
    name = models.in_force()
    if why := why_not():
        offer_page_with(why, models.default())
        st.stop()
    if models.is_recurrent(name) and not takes_recurrent:
        offer_page_with(
            _("This page needs a Transformer, and {name} is a recurrent model.").format(
                name=escaped(name)
            ),
            models.transformer_beside(name),
        )
        st.stop()


def why_not() -> str:
    """Return a sentence that says why the model in force cannot be opened; "" if it can."""
    try:
        runs.translator()
    except ValueError as error:
        return _("The model {name} cannot be opened: {why}").format(
            name=escaped(models.in_force()), why=escaped(_without_place(str(error)))
        )
    return ""


def offer_page_with(why: str, other: str) -> None:
    """Say why a page or view has nothing to show, and offer the page with the model `other`.

    Draws no button where `other` is the model in force.
    """
    st.info(why)
    if other != models.in_force():
        st.button(
            _("Open this page with {name}").format(name=escaped(other)),
            key="other model",
            type="tertiary",
            icon=":material/undo:",
            on_click=_take,
            args=(other,),
        )


def _without_place(why: str) -> str:
    """Return a message without the path of the model's folder on this machine."""
    folder = models.folders()[models.in_force()]
    return why.replace(f"{folder}/", "").replace(str(folder), models.in_force())


def no_attention() -> str:
    """Return the sentence for a recurrent model without attention: it has no weights to show."""
    return _(
        "This model has no attention: its decoder gets one fixed vector, the same at every step."
    )
