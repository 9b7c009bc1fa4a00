"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later

ENTRY = PageEntry(
    icon="data_array",
    name=later("Words to vectors"),
    promise=later("The model reads no words: it reads pieces, and each piece is a vector."),
    lead=later(
        "The model reads numbered pieces, words or parts of words, and looks up a vector for each."
    ),
    takes_recurrent=True,
    controls="tokens, rare, ways, cut, near, around, pieces_of, taught, rarest, size, slots",
    warmed=("tokens=map",),
    visits=(
        Visit(".st-key-piece-cards"),
        Visit(".js-plotly-plot", view="tokens=neighbours", figures=1),
        Visit(".js-plotly-plot", view="tokens=embedding", figures=2),
        Visit(".js-plotly-plot", view="tokens=other cuts", figures=1),
    ),
)
