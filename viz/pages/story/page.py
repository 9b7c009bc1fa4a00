"""The first page: one word changes, an arc swings, il becomes elle; and what that depends on."""

from dataclasses import dataclass

import streamlit as st

from model.checkpoints.examples import StoryPair
from model.interventions.attention import TurnAttention
from viz.compute import cuts, learning, models, openings, pairs, story_cuts
from viz.language.text import _, language
from viz.language.wording import escaped
from viz.link import address
from viz.link.settings import along
from viz.link.to_head import link_to_head
from viz.pages.story import story_picture
from viz.pages.story.numbers import Story, deciding_pieces, line_texts, story
from viz.pages.story.own import asked_pair, first_pair, pair_waits, take_pair
from viz.pages.story.story_picture import Answer, LessonLink
from viz.pages.story.teachers import for_teachers
from viz.shell.chooser import check_model
from viz.shell.fragment import fragment
from viz.shell.heavy import shown
from viz.shell.lessons.shelf import made_for, read_shelf, scene_link
from viz.shell.navigation import current_page
from viz.shell.watch import Sentence, watch

OWN = "attention"
COURSE = "start"
"""The name of the lesson that leads through the model."""
LINE = "turned line"
"""The line of the story that was turned last: its pair, its sentence and its turn."""


def found_nowhere_else() -> tuple[tuple[str, str], ...]:
    """Return the links to two views that one would not look for: their texts and addresses."""
    born = _("Watch a head being born"), address.link("learning", along())
    trace = _("See where the answer travels"), address.link("trace", along())
    return (born, trace) if learning.is_recorded() else (trace,)


@dataclass(frozen=True)
class Asked:
    """The pair on screen, and the answer to what was typed."""

    pair: StoryPair
    answer: Answer


@fragment
def draw(told: Story, text: str, shown_pair: Asked) -> None:
    """Draw the picture; alone again for each line that is turned."""
    if pair_waits():
        st.rerun()

    def take_line() -> None:
        if sent := story_picture.sent_line(told):
            st.session_state[LINE] = shown_pair.pair, *sent

    pair, number, turn = st.session_state.get(LINE, (None, 0, None))
    here = pair == shown_pair.pair and any(turn in line for line in told.lines[number])
    line = turned_line(told, shown_pair.pair, number, turn) if here else None
    story_picture.story_picture(text, shown_pair.answer, line, take_pair, take_line)


def turned_line(
    told: Story, asked: StoryPair, number: int, turn: TurnAttention
) -> dict[str, object]:
    """Return the message of a turned line, with a link to the page about attention."""
    result, both = cuts.turned_line(asked, number, turn), pairs.pair(asked.first, asked.second)
    own = (both.first, both.second)[number].run.translation.tokens
    head = next(arc.head for arc in told.arcs if arc.query_side == "target")
    link = link_to_head(OWN, told.sentences[number], head, turn.query, changes=[turn])
    texts = line_texts(both, number, result.written)
    return story_picture.line_message(number, result, own, texts) | {"link": link}


check_model(current_page().takes_recurrent)
picture = st.container()
try:
    with shown(_("Running the model on both sentences")):
        asked, answer = asked_pair()
        pair = pairs.pair(asked.first, asked.second)
        told = story(pair, asked, *story_cuts.cuts_and_turns(asked))
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
around = story_picture.frame(trained, shipped, lessons, follow, own, found_nowhere_else())
with picture:
    draw(told, story_picture.picture_text(told, pieces, around), Asked(asked, answer))
# A clicked word names its own sentence and pieces.
watch(Sentence((None,), first.kind, first.places()), lambda _chosen: None)
for problem in shelf.problems:
    st.warning(_("A lesson was left out: {problem}").format(problem=f"`{problem}`"))
for_teachers(shelf)
