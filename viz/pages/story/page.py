"""The first page: one word changes, an arc swings, il becomes elle; and what that depends on."""

import streamlit as st

from viz.compute import cuts, learning, models, openings, pairs
from viz.language.text import _, language
from viz.language.wording import escaped
from viz.link import address
from viz.link.settings import along
from viz.link.to_head import link_to_head
from viz.pages.story import story_picture
from viz.pages.story.numbers import deciding_pieces, story
from viz.pages.story.own import asked_pair, first_pair, take_pair
from viz.pages.story.story_picture import LessonLink
from viz.pages.story.teachers import for_teachers
from viz.shell.chooser import check_model
from viz.shell.heavy import shown
from viz.shell.lessons.shelf import made_for, read_shelf, scene_link
from viz.shell.navigation import current_page
from viz.shell.watch import Sentence, watch

OWN = "attention"
COURSE = "start"
"""The name of the lesson that leads through the model."""


def found_nowhere_else() -> tuple[tuple[str, str], ...]:
    """Return the links to two views that one would not look for: their texts and addresses."""
    born = _("Watch a head being born"), address.link("learning", along())
    trace = _("See where the answer travels"), address.link("trace", along())
    return (born, trace) if learning.is_recorded() else (trace,)


check_model(current_page().takes_recurrent)
picture = st.container()
try:
    with shown(_("Running the model on both sentences")):
        asked, answer = asked_pair()
        pair = pairs.pair(asked.first, asked.second)
        told = story(pair, asked, cuts.cuts(asked), cuts.turns(asked))
except ValueError as error:
    st.info(_("This checkpoint has no story to tell: {why}.").format(why=escaped(str(error))))
    st.stop()
pieces = deciding_pieces(pair)
shelf = read_shelf(language())
lessons = tuple(
    LessonLink(
        lesson.name,
        lesson.title,
        lesson.lead,
        len(lesson.scenes),
        scene_link(lesson, 1, along()),
        "" if made_for(lesson) == models.in_force() else made_for(lesson),
        lesson.minutes,
    )
    for lesson in sorted(shelf.lessons, key=lambda one: made_for(one) != models.in_force())
)
course, own = shelf.find(COURSE), address.link(OWN, along())
first = openings.opening(asked.first)
follow = scene_link(course, 1, along()) if course else own
if asked != first_pair():
    follow = link_to_head(OWN, asked.first, cuts.heads(asked)[-1])
trained, shipped = cuts.trained_to_decide(), models.is_shipped(models.in_force())
with picture:
    around = story_picture.frame(trained, shipped, lessons, follow, own, found_nowhere_else())
    story_picture.story_picture(told, pieces, around, answer, take_pair)
# A clicked word names its own sentence and pieces.
watch(Sentence((None,), first.kind, first.places()), lambda _chosen: None)
for problem in shelf.problems:
    st.warning(_("A lesson was left out: {problem}").format(problem=f"`{problem}`"))
for_teachers(shelf)
