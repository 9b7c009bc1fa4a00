"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="visibility_off",
    name=later("Masks"),
    promise=later("Now break it: let the decoder cheat, or hide a word from everybody."),
    lead=later(
        "Masks decide who may look at whom. Lift one, hide a word, or forbid links by hand."
    ),
    heading=later("Break it: masks"),
    changes=True,
    measures=True,
    controls="masks",
    visits=(
        Visit(".st-key-mask-board", in_view=(".head-picker .picker > .head-board",)),
        Visit(".js-plotly-plot", view="masks=a window"),
        Visit(
            ".st-key-cheat-parts .stColumn:last-child .js-plotly-plot",
            view="masks=trained to cheat",
        ),
    ),
)
