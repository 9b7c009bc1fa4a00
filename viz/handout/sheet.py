"""A lesson with its numbers measured, as it goes onto paper or into a quiz."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from viz.compute import models, runs
from viz.compute.runs import Subject
from viz.handout.pictures import picture
from viz.language.wording import escaped
from viz.notebook.paper.picture import Picture
from viz.shell.lessons import measures
from viz.shell.lessons.format import Lesson, Scene, fill
from viz.shell.lessons.shelf import filled_parameters, made_for, subject_of


@dataclass(frozen=True)
class Asked:
    """A question with its choices, the index of the right one, and the text after the answer.

    All texts are Markdown. `right` is None if no choice is right for this model.
    """

    text: str
    choices: tuple[str, ...]
    right: int | None
    then: str


@dataclass(frozen=True)
class SheetScene:
    """A scene of a sheet: its number in the lesson, its text in Markdown, its picture if any."""

    number: int
    title: str
    text: str
    asked: Asked | None
    picture: Picture | None = field(repr=False)

    @property
    def heading(self) -> str:
        """Return the title in Markdown with the scene's number, which some titles begin with."""
        begins = self.title.startswith(f"{self.number} · ")
        return self.title if begins else f"{self.number}. {self.title}"


@dataclass(frozen=True)
class Sheet:
    """A lesson as it is handed out; `model` names the model on which its numbers were measured."""

    name: str
    title: str
    lead: str
    scenes: tuple[SheetScene, ...]
    model: str

    @property
    def questions(self) -> tuple[tuple[SheetScene, Asked], ...]:
        """Return the scenes whose question has a right answer, each with the question."""
        return tuple(
            (scene, scene.asked)
            for scene in self.scenes
            if scene.asked and scene.asked.right is not None
        )


def sheet_of(lesson: Lesson, tell: Callable[[str], None] = lambda _: None) -> Sheet:
    """Measure a lesson on its model in the language in force.

    A scene that cannot be measured is left out, and `tell` is called with what is wrong with it.
    Raises ValueError if no scene is left.
    """
    with models.using(made_for(lesson)):
        scenes: list[SheetScene] = []
        for number, scene in enumerate(lesson.scenes, 1):
            try:
                scenes.append(_scene(scene, number))
            except ValueError as error:
                tell(f"{lesson.file}:{scene.line}: {error}")
        if not scenes:
            raise ValueError(f"{lesson.name}: no scene of this lesson can be measured")
        name = runs.checkpoint_name()
    return Sheet(lesson.name, lesson.title, lesson.lead, tuple(scenes), name)


def _scene(scene: Scene, number: int) -> SheetScene:
    subject = subject_of(scene)
    shown = None
    with suppress(ValueError):  # a page without a sentence has nothing to draw
        shown = picture(scene, dict(filled_parameters(scene)), subject)
    return SheetScene(
        number,
        scene.title,
        _filled(scene.paper or scene.text, subject),
        _asked(scene, subject),
        shown,
    )


def _asked(scene: Scene, subject: Subject) -> Asked | None:
    if not (question := scene.question):
        return None
    return Asked(
        _filled(question.text, subject),
        tuple(_filled(choice.text, subject) for choice in question.choices),
        measures.right(question.choices, subject),
        _filled(measures.then(question, subject), subject),
    )


def _filled(text: str, subject: Subject) -> str:
    return fill(text, lambda measure: escaped(measures.written(measure, subject)))
