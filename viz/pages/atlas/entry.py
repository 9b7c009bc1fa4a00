"""What the course knows of this page."""

from viz.course.entry import PageEntry, Visit
from viz.language.text import later
from viz.link.forms import PLACE
from viz.link.parameter import Parameter

ENTRY = PageEntry(
    icon="map",
    name=later("Atlas"),
    promise=later("One sentence is an anecdote: what does every head do over thousands?"),
    lead=later(
        "Every square is a head, coloured by what it does over a whole corpus. Press one "
        "to see the sentences."
    ),
    controls="atlas, arranged, against, compared, evidence, alike, map, coloured, grouped",
    parameters=(Parameter("key", "this sentence", PLACE),),
    visits=(
        Visit(".st-key-atlas-board", beside=".boards .board"),
        Visit(view="atlas=Queries and keys"),
        Visit(view="against=With its past"),
    ),
)
