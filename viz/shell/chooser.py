"""The choice of the model, in the link by its name, and what a page says that has no use for it."""

from typing import NoReturn

import streamlit as st

from viz.compute import examples, models, runs
from viz.language.text import _
from viz.language.wording import escaped
from viz.shell import link

_REFUSED = "refused model"

MOST_SHOWN = 40
"""Characters of a name that a link asks for; a stranger may have written it."""


def open_model() -> None:
    """Read the model where the link counts, before anything asks for it, and let the link say it.

    A widget bound to the link would not do: the browser writes what it shows, and a menu that is
    closed shows nothing. `check_model` deals with a link that names no model.
    """
    names = list(models.folders())
    if st.session_state.get(models.CHOSEN) not in names or link.walked():
        asked = link.parameters().get(models.CHOSEN, names[0])
        st.session_state[_REFUSED] = "" if asked in names else asked
        st.session_state[models.CHOSEN] = asked if asked in names else names[0]
    name = st.session_state[models.CHOSEN]
    link.put({models.CHOSEN: "" if name == names[0] else name})


def choose_model() -> None:
    """Draw the choice among the models, in a menu under the name of the one in force."""
    with st.popover(
        escaped(models.in_force()),
        icon=":material/model_training:",
        help=_("Model"),
        type="tertiary",
        key="model menu",
    ):
        st.selectbox(_("Model"), list(models.folders()), key=models.CHOSEN, on_change=_chosen)


def _chosen() -> None:
    """Forget what the link asked for; examples of another model give way to those of this one."""
    st.session_state[_REFUSED] = ""
    name = str(st.session_state[models.CHOSEN])
    foreign, own = examples.foreign_to(name), examples.of(name)
    defaults = {"sentence": own.texts[:1], "second": [pair.second for pair in own.pairs[:1]]}
    for box, texts in defaults.items():
        if texts and st.session_state.get(box) in foreign:
            st.session_state[box] = texts[0]


def _say_what_is_refused() -> None:
    if asked := str(st.session_state.get(_REFUSED, "")):
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


def check_model(takes_recurrent: bool) -> None:
    """End the page in a sentence when the model is damaged, or of a family it is not made for."""
    _say_what_is_refused()
    _say_what_is_left_out()
    name = models.in_force()
    if why := why_not():
        _end(why, models.default())
    if models.is_recurrent(name) and not takes_recurrent:
        _end(
            _("This page needs a Transformer, and {name} is a recurrent model.").format(
                name=escaped(name)
            ),
            models.transformer_beside(name),
        )


def why_not() -> str:
    """Say why the model in force cannot be opened; "" when it can."""
    try:
        runs.translator()
    except ValueError as error:
        return _("The model {name} cannot be opened: {why}").format(
            name=escaped(models.in_force()), why=escaped(_without_place(str(error)))
        )
    return ""


def _end(why: str, other: str) -> NoReturn:
    """Say why this page ends here, and offer it with another model."""
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
    st.stop()


def _take(name: str) -> None:
    st.session_state[models.CHOSEN] = name
    _chosen()


def _without_place(why: str) -> str:
    """Leave out of a message where the model's folder is on this machine."""
    folder = models.folders()[models.in_force()]
    return why.replace(f"{folder}/", "").replace(str(folder), folder.name)


def no_attention() -> str:
    """Say that a model has no weights to show."""
    return _(
        "This model has no attention: its decoder gets one fixed vector, the same at every step."
    )
