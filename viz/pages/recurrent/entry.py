"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="history",
    name=later("Before Transformers"),
    promise=later("How did machines translate before, and what did attention change?"),
    lead=later(
        "Attention began between two recurrent networks: here they are, on the same sentence."
    ),
    shows="recurrent models",
    takes_recurrent=True,
    controls=(
        "ancestors, models, aligned, kept, score, lookup, part, measure, texts, fixed, power, "
        "centre, window, sigma, minus, swap, draw, words, timed"
    ),
    visits=(
        Visit(".st-key-contrast .contrast", in_view=(".contrast",)),
        Visit(
            ".st-key-all-models",
            view="models=all",
            in_view=(".listed .model >> nth=0", ".listed .model", ".listed table"),
            beside=".alignments.listed > *",
        ),
    ),
)
