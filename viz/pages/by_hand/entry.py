"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="edit_note",
    name=later("By hand"),
    promise=later("The same on paper: two words, and numbers that fit into a lecture."),
    lead=later(
        "Two words whose numbers you can type, why scores are divided, and how much room there is."
    ),
    shows="no sentence",
    controls="by hand, score_1, score_2, width, value_1, value_2, masked_1, masked_2, d_k, d",
    visits=(
        Visit(".st-key-two-words", in_view=(".st-key-two-words",)),
        Visit(".stTable, .stDataFrame", view="by hand=minus infinity"),
        Visit(".js-plotly-plot", view="by hand=why √d_k", figures=1),
        Visit(".js-plotly-plot", view="by hand=room for directions"),
    ),
)
