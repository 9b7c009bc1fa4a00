"""The code beside the picture: the lines that made a block, and how to get its numbers."""

from model.translator import Run
from viz.compute import sources
from viz.language.text import _
from viz.pages.layers.architecture.blocks import SOFTMAX, Block
from viz.shell.folded import opened
from viz.shell.in_python import KEY, opening, ordered
from viz.shell.source_code import show_source


def code_panel(run: Run, chosen: Block) -> None:
    """Show the lines of the model that made a block, and the public API that gives its array."""
    show_source(sources.codes_of(chosen.site, run.recording))
    if box := opened(_("In Python"), KEY, ":material/terminal:"):
        box.code(in_python(run, chosen.site), language="python")


def in_python(run: Run, site: str) -> str:
    """Write the lines of the public API that give the array on screen."""
    shape = run.recording.logits.shape if site == SOFTMAX else run.recording[site].shape
    read = [f'recording["{site}"]']
    if site == SOFTMAX:
        read = ["from torch import tensor", "tensor(recording.logits).softmax(1)"]
    read[-1] += f"  # {' x '.join(map(str, shape))}"
    return "\n".join(ordered([*opening(run.source.text, run.recording.interventions), *read]))
