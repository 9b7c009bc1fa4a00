"""Writing the translation: step by step, with other choices, and with what the decoder keeps."""

import streamlit as st

from model.results import Run
from viz.compute.runs import Subject
from viz.language.text import _, _n, later
from viz.pages.decoder.choices import (
    PROBLEM,
    TURN,
    VIEW,
    component,
    take_answer,
    view_of,
    write_link,
)
from viz.pages.decoder.explanation import explain, transformer
from viz.pages.decoder.kept_panel import what_is_kept
from viz.pages.decoder.scene import affordable, scene_of
from viz.pages.decoder.shared_panel import fewer_keys
from viz.pages.decoder.step_decoder import step_decoder
from viz.pages.decoder.step_decoder.branch import Scene
from viz.pages.decoder.step_decoder.view import (
    DecoderView,
)
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page
from viz.shell.heavy import heavy, shown
from viz.shell.source_code import show_source_of


def scene(subject: Subject, view: DecoderView) -> tuple[Scene, DecoderView]:
    """Decode the view, but not branches that cost too much or force unknown pieces.

    Returns the scene, and the view without such branches.
    """
    problem = st.session_state.get(PROBLEM, "")
    try:
        with (
            heavy(_("Writing the branches")) if view.branches else shown(_("Writing, step by step"))
        ):
            cut = affordable(subject, view)
        if lost := len(view.branches) + bool(view.given) - len(cut.branches) - bool(cut.given):
            problem = _n(
                "Too much for one page: one branch is left out.",
                "Too much for one page: {count} branches are left out.",
                lost,
            ).format(count=lost)
        return scene_of(subject, cut, problem), cut
    except ValueError:
        bare = view.for_another_sentence()
        problem = _("This link asks for pieces that this model does not have.")
        return scene_of(subject, bare, problem), bare


@fragment
def decoder(subject: Subject) -> None:
    """Draw the decoder alone, so that its answers do not redraw the page around it."""
    drawn, view = scene(subject, view_of(subject))
    st.session_state[VIEW] = view
    write_link(view)
    step_decoder(drawn, view, st.session_state.get(TURN, ""), component(), take_answer)


def write(run: Run) -> None:
    """Draw the step decoder and its explanation."""
    decoder(Subject(run.source.text, run.recording.interventions))
    explain()
    if transformer():
        show_source_of("writing")


VIEWS = {
    later("step by step"): write,
    later("what is kept"): fragment(what_is_kept),
    later("fewer keys and values"): fewer_keys,
}

opened = open_page()
# A recurrent model keeps one state, and no keys and values of earlier pieces.
view = choose_view(list(VIEWS), "writing") if transformer() else next(iter(VIEWS))
with telling():
    VIEWS[view](opened)
