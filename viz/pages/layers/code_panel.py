"""The code of a block: the lines that computed it, and lines that give its numbers."""

from model.results import Run
from viz.compute import sources
from viz.language.text import _
from viz.pages.layers.architecture.blocks import SOFTMAX, Block
from viz.shell.folded import opened
from viz.shell.in_python import KEY, opening, ordered
from viz.shell.source_code import show_source


def code_panel(run: Run, chosen: Block) -> None:
    """Draw boxes with the lines of the model that computed a block, and with `in_python`."""
    show_source(sources.codes_of(chosen.site, run.recording))
    if box := opened(_("In Python"), KEY, ":material/terminal:"):
        box.code(in_python(run, chosen.site), language="python")


def in_python(run: Run, site: str) -> str:
    """Write lines with the public API of `model` that give the array of a site."""
    shape = run.recording.logits.shape if site == SOFTMAX else run.recording[site].shape
    read = [f'recording["{site}"]']
    if site == SOFTMAX:
        read = ["from torch import tensor", "tensor(recording.logits).softmax(1)"]
    read[-1] += f"  # {' x '.join(map(str, shape))}"
    return "\n".join(ordered([*opening(run.source.text, run.recording.interventions), *read]))
