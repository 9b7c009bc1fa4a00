"""The card of a lesson beside the page that its scene shows."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from viz.classroom.question import Question as Asked
from viz.classroom.room import place_of
from viz.compute import models
from viz.compute.runs import Subject
from viz.figures.letters import STAGE
from viz.handout.answers import Answer
from viz.language.text import _, language
from viz.language.wording import escaped, in_a_row
from viz.link import address
from viz.link.settings import along
from viz.shell.class_screen.scene import of_scene
from viz.shell.cover import ask
from viz.shell.fragment import fragment
from viz.shell.lessons import measures
from viz.shell.lessons.ahead import AHEAD
from viz.shell.lessons.format import TRANSLATION, Condition, Lesson, Question, Scene, fill
from viz.shell.lessons.lesson_bar import ScenePlace, lesson_bar
from viz.shell.lessons.shelf import (
    filled_parameters,
    known_parameters,
    number_of,
    read_shelf,
    scene_link,
    subject_of,
)
from viz.shell.lessons.take_away import take_away


@dataclass(frozen=True)
class Choosing:
    """The choice that a visitor made, as its index, and the time in UTC."""

    place: int
    at: str


_STYLE = (Path(__file__).parent / "lesson.css").read_text(encoding="utf-8")


def lesson_shown() -> bool:
    """Tell whether the link names a lesson, which then leads from page to page."""
    return "lesson" in address.parameters()


def show_lesson() -> None:
    """Draw the card of the lesson that the link names, if it names one."""
    linked = address.parameters()
    name = linked.get("lesson")
    if not name:
        address.arrive("")
        return
    shelf = read_shelf(language())
    lesson = shelf.find(name)
    if lesson is None:
        problem = shelf.problem(name)
        st.warning(
            _("This lesson cannot be shown: {problem}").format(problem=escaped(problem))
            if problem
            else _("There is no lesson called {name}.").format(name=escaped(name))
        )
        return
    number = number_of(linked.get("scene", "1"), lesson)
    scene = lesson.scenes[number - 1]
    try:
        parameters = filled_parameters(scene)
    except ValueError:  # the card says what is wrong
        parameters = known_parameters(scene)
    address.arrive(f"{lesson.name} {number}", parameters)
    st.html(f"<style>{_STYLE}</style>")
    if st.context.url:  # scenes opened ahead have no browser
        # Two scenes are asked for: computing one may take longer than the reader looks at the last.
        for later in range(number + 1, len(lesson.scenes) + 1)[:2]:
            AHEAD.ask(scene_link(lesson, later))
    _card(lesson, number)


@fragment
def _card(lesson: Lesson, number: int) -> None:
    scene = lesson.scenes[number - 1]
    last = len(lesson.scenes)
    with st.container(key="lesson"):
        given = _given(lesson, number)
        lesson_bar(
            ScenePlace(
                lesson.name,
                lesson.title,
                number,
                last,
                scene_link(lesson, number - 1, along()) if number > 1 else None,
                scene_link(lesson, number + 1, along()) if number < last else None,
                given,
                number == last and (scene.question is None or given is not None),
            )
        )
        try:
            _scene(lesson, number, subject_of(scene))
        except ValueError as error:
            where = f"{lesson.file}:{scene.line}"
            st.warning(f"{where}: {escaped(str(error))}")
        if number in (1, last) and not st.session_state.get(STAGE):
            take_away(lesson)


def _given(lesson: Lesson, number: int) -> Answer | None:
    """Return this visitor's answer to a scene's question, for the browser to keep.

    It is None if there is no answer, no right choice, or something that cannot be measured.
    """
    scene, given = lesson.scenes[number - 1], _answers().get(address.arrival())
    if given is None or not scene.question:
        return None
    with suppress(ValueError):
        subject = subject_of(scene)
        right = measures.right(scene.question.choices, subject)
        if right is not None:
            return Answer(
                lesson.name,
                number,
                _plain(scene.question.text, subject),
                _plain(scene.question.choices[given.place].text, subject),
                given.place == right,
                models.in_force(),
                given.at,
            )
    return None


def _scene(lesson: Lesson, number: int, subject: Subject) -> None:
    scene = lesson.scenes[number - 1]
    st.markdown(f"#### {scene.title}")
    st.markdown(_filled(scene.text, subject))
    place = scene_place(lesson, number)
    if scene.question and not _class_question(scene, scene.question, place, subject):
        _question(scene, scene.question, number, subject)
    wrong = [each for each in scene.expectations if not measures.holds(each, subject)]
    if wrong:
        st.warning(
            _("With this model it is different: {what}").format(
                what="; ".join(escaped(_found(each, subject)) for each in wrong)
            )
        )


def _found(condition: Condition, subject: Subject) -> str:
    return f"{condition.measure}: {measures.written(condition.measure, subject)}"


def _question(scene: Scene, question: Question, number: int, subject: Subject) -> None:
    """Ask a question with its answer covered; after a choice, mark that choice and the right one.

    The key of a button names its scene, so that a late press does not count in the next scene.
    """
    st.markdown(f"**{_filled(question.text, subject)}**")
    chosen = _answers().get(address.arrival())
    given = chosen.place if chosen else None
    right = None if given is None else measures.right(question.choices, subject)
    for index, choice in enumerate(question.choices):
        icon = None
        if given is not None and index == right:
            icon = ":material/check_circle:"
        elif index == given:
            icon = ":material/cancel:"
        st.button(
            _filled(choice.text, subject),
            key=f"lesson choice {number} {index}",
            type="primary" if icon and index == right else "secondary",
            icon=icon,
            disabled=given is not None and not icon,
            on_click=_choose,
            args=(index,),
            width="stretch",
        )
    if given is None:
        words = (
            _("Choose first: until then the translation is covered, and the picture is open.")
            if scene.covers == TRANSLATION
            else _("Choose first: until then the answer is covered.")
        )
        ask(words, covers=scene.covers)
        return
    sentences = [f"**{_verdict(question, given, right, subject)}**"]  # screen readers skip icons
    if then := measures.then(question, subject):
        sentences.append(_filled(then, subject))
    with st.container(key="lesson answer"):
        st.markdown(in_a_row(sentences))


def _verdict(question: Question, given: int, right: int | None, subject: Subject) -> str:
    """Say whether the given choice is right, and if not, which one is."""
    if right is None:
        return _("None of these: the model does something else.")
    if given == right:
        return _("Right.")
    return _("No. The answer is: {answer}.").format(
        answer=_filled(question.choices[right].text, subject)
    )


def scene_place(lesson: Lesson, number: int) -> str:
    """Return the place of a class's question about a scene; see `viz.classroom.room.place_of`."""
    page = lesson.scenes[number - 1].page
    return place_of(f"./{page}?lesson={lesson.name}&scene={number}")


def _class_question(scene: Scene, question: Question, place: str, subject: Subject) -> bool:
    """Ask the class as soon as its teacher comes to the scene; tell whether it was asked.

    The question stands in large letters above the page and on every phone, with the scene's title
    and sentence, as "And now?" says nothing by itself. The card has the text that follows it.
    """

    def asked() -> Asked:
        right = measures.right(question.choices, subject)
        options = tuple(_plain(choice.text, subject) for choice in question.choices)
        result = {"right": right, "said": _filled(measures.then(question, subject), subject)}
        text = _("{title} · *{sentence}* {question}").format(
            title=scene.title,
            sentence=escaped(subject.sentence),
            question=_filled(question.text, subject),
        )
        return Asked("choice", text, options, place, result=result)

    state = of_scene(place, asked)
    if state is None:
        return False
    st.markdown(f"**{_filled(question.text, subject)}**")
    if state == "asked":
        st.markdown(_("The class is asked: the answer is covered until it is revealed."))
    else:
        st.markdown(_filled(measures.then(question, subject), subject))
    return True


def _plain(text: str, subject: Subject) -> str:
    return fill(text, lambda measure: measures.written(measure, subject))


def _answers() -> dict[str, Choosing]:
    """Return the choices made so far, by scene, as a visitor may go back to a scene."""
    answers: dict[str, Choosing] = st.session_state.setdefault(address.ANSWERS, {})
    return answers


def _choose(place: int) -> None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    _answers().setdefault(address.arrival(), Choosing(place, now))


def _filled(text: str, subject: Subject) -> str:
    return fill(text, lambda measure: escaped(measures.written(measure, subject)))
