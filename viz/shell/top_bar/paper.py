"""The light colours and the caption that plotly figures get when they are saved for paper."""

from model.interventions import link_text
from model.results import Run
from viz.components.attention_explorer.sides import side_words
from viz.compute import examples, models, runs
from viz.course.entry import PageEntry
from viz.figures.theme import CHINESE, DARK, FONT, LIGHT
from viz.language.text import _
from viz.link import edits
from viz.shell import state
from viz.shell.intervention_words import group_words

PAPER_FONT = f"Arial, Helvetica, {CHINESE}, sans-serif"
"""Fonts that most machines have, so that a text is as wide as planned."""


def paper(entry: PageEntry, run: Run | None) -> dict[str, object]:
    """Return what the browser needs to save the figures of a page for paper.

    `light` maps each dark colour to a light one, and the font of the app to that of paper. `scales`
    pairs the dark diverging scale with the light one, `dark` tells whether the theme is dark, and
    `caption` holds the lines of the caption.
    """
    colours = (DARK.text, LIGHT.text), (DARK.background, LIGHT.background), (DARK.grid, LIGHT.grid)
    stops = zip(DARK.sequential, LIGHT.sequential, strict=True)
    light = dict(colours) | {dark[1]: light[1] for dark, light in stops}
    return {
        "dark": state.current_theme() is DARK,
        "light": light | {FONT: PAPER_FONT},
        "scales": [[DARK.diverging, LIGHT.diverging]],
        "caption": _caption(entry, run),
    }


def _caption(entry: PageEntry, run: Run | None) -> list[str]:
    """Return the lines of the caption for the figures of a page."""
    words = side_words(examples.languages())
    if run is None or entry.shows == "no sentence":
        return [words["caption checkpoint"].format(checkpoint=models.in_force())]
    source = words["caption sentence"].format(sentence=run.source.text)
    if entry.shows == "recurrent models":
        models_beside = _("Recurrent models beside {checkpoint}. Made with Headlight.")
        return [source, models_beside.format(checkpoint=models.in_force())]
    lines = [source, words["caption translation"].format(translation=run.translation.text)]
    groups = link_text.groups(edits.in_force(run.left_out))
    if groups:
        config, tokens = run.recording.config, run.source.tokens
        changes = "; ".join(group_words(group, config, tokens) for group in groups)
        lines.append(_("Changed in the model: {changes}").format(changes=changes))
    return [*lines, words["caption checkpoint"].format(checkpoint=runs.checkpoint_name())]
