"""The upper edge of a lesson's card: its title, the number of the scene, and the way out."""

import json
from dataclasses import dataclass
from pathlib import Path

from viz.components.component import renderer
from viz.language.text import _
from viz.link.offers import here

_ENTRY = Path(__file__).parent / "assets" / "lesson_bar.js"


@dataclass(frozen=True)
class ScenePlace:
    """A place in a lesson; `before` and `after` are the links of the neighbouring scenes."""

    title: str
    number: int
    count: int
    before: str | None
    after: str | None


def lesson_bar(place: ScenePlace) -> None:
    """Draw the bar; arrow keys turn the pages of the lesson, Esc leaves it."""
    text = json.dumps(
        {
            "title": place.title,
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
