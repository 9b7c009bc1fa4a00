"""The top of a lesson's card: its title, the number of the scene, and the way out."""

import json
from dataclasses import dataclass
from pathlib import Path

from viz.components.component import renderer
from viz.handout.answers import Answer, kept
from viz.language.text import _
from viz.link.offers import here

_ENTRY = Path(__file__).parent / "assets" / "lesson_bar.js"


@dataclass(frozen=True)
class ScenePlace:
    """The place of a scene in its lesson: `number` of `count`, with links to the scenes around it.

    `answer` is the visitor's answer to the scene's question, None if there is none. `finished`
    tells that this is the last scene and that nothing is left to answer. The browser keeps both.
    """

    name: str
    title: str
    number: int
    count: int
    before: str | None
    after: str | None
    answer: Answer | None
    finished: bool


def lesson_bar(place: ScenePlace) -> None:
    """Draw the bar; arrow keys lead from scene to scene, and Esc leaves the lesson."""
    text = json.dumps(
        {
            "name": place.name,
            "title": place.title,
            "answer": place.answer and kept(place.answer),
            "finished": place.finished,
            "number": place.number,
            "count": place.count,
            "before": place.before,
            "after": place.after,
            "leave": here(lesson="", scene=""),
            "words": {
                "before": _("Scene before (←)"),
                "after": _("Next scene (→)"),
                "tools": _("Show what is folded away on stage"),
                "leave": _("Leave the lesson (Esc)"),
            },
        },
        ensure_ascii=False,
    )
    renderer("lesson_bar", _ENTRY)(key="lesson bar", data={"text": text}, height="content")
