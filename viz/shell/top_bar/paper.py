"""What figures of plotly need to go to paper from any page: the light colours, and a caption."""

from viz.components.attention_explorer.sides import side_words
from viz.compute import examples, models, runs
from viz.compute.runs import Run
from viz.figures.theme import CHINESE, DARK, FONT, LIGHT
from viz.language.text import _
from viz.shell import intervention_link, state
from viz.shell.intervention_words import group_words

PAPER_FONT = f"Arial, Helvetica, {CHINESE}, sans-serif"
"""What most machines have, so that a text takes the room that it was given."""

WITHOUT_SENTENCE = ("toy", "about")
"""Pages whose figures show nothing of the sentence in the box."""

RECURRENT = "recurrent"
"""The page whose figures are of other models than the one in force."""


def paper(page: str, run: Run | None) -> dict[str, object]:
    """Return the colours and font to write anew, and the caption of a page and the bar's run."""
    colours = (DARK.text, LIGHT.text), (DARK.background, LIGHT.background), (DARK.grid, LIGHT.grid)
    stops = zip(DARK.sequential, LIGHT.sequential, strict=True)
    light = dict(colours) | {dark[1]: light[1] for dark, light in stops}
    return {
        "dark": state.current_theme() is DARK,
        "light": light | {FONT: PAPER_FONT},
        "scales": [[DARK.diverging, LIGHT.diverging]],
        "caption": _caption(page, run),
    }


def _caption(page: str, run: Run | None) -> list[str]:
    """Say what the figures of a page are of, a line each."""
    words = side_words(examples.languages())
    if run is None or page in WITHOUT_SENTENCE:
        return [words["caption checkpoint"].format(checkpoint=models.in_force())]
    source = words["caption sentence"].format(sentence=run.source.text)
    if page == RECURRENT:
        models_beside = _("Recurrent models beside {checkpoint}. Made with Headlight.")
        return [source, models_beside.format(checkpoint=models.in_force())]
    lines = [source, words["caption translation"].format(translation=run.translation.text)]
    groups = intervention_link.groups(state.in_force(run.left_out))
    if groups:
        config, tokens = run.recording.config, run.source.tokens
        changes = "; ".join(group_words(group, config, tokens) for group in groups)
        lines.append(_("Changed in the model: {changes}").format(changes=changes))
    return [*lines, words["caption checkpoint"].format(checkpoint=runs.checkpoint_name())]
