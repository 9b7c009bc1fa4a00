"""The connection of a browser to its class: it follows the teacher, or is the teacher's own."""

import json
from collections.abc import Callable
from pathlib import Path

from viz.classroom.store import IDLE
from viz.classroom.visitors import COOKIE
from viz.components.component import renderer
from viz.language.text import _
from viz.link.table import CLASSROOM, OWN
from viz.shell.class_screen.seat import Seat

_ENTRY = Path(__file__).parent / "assets" / "class_link.js"
_KEY = "class link"


def class_link(seat: Seat, key: str, on_news: Callable[[], None]) -> None:
    """Draw how a visitor takes part in a class; `on_news` is called when the screen must change.

    A teacher's browser shows the `key` to the server. Other browsers show whether they follow, and
    keep the random text that stands for their person in a cookie for the path of the app.
    """
    data = {
        "code": seat.code,
        "key": key if seat.leads else "",
        "person": seat.person,
        "screen": seat.state.screen,
        "apart": [*OWN, *CLASSROOM],
        "cookie": f"{COOKIE}={seat.person}; max-age={IDLE}; SameSite=Strict",
        "words": {
            "class": _("Class {code}").format(code=seat.code),
            "count": _("{people} here"),
            "answered": _("{answered} of {people} have answered"),
            "follow": _("You see what the teacher shows."),
            "free": _("You look around by yourself."),
            "away": _("You have gone elsewhere; your teacher's next step leads you on."),
            "lost": _("No connection to the class; it is tried again."),
            "leave": _("Look around"),
            "back": _("Back to the class"),
        },
    }
    text = json.dumps(data, ensure_ascii=False)
    renderer("class_link", _ENTRY)(
        key=_KEY, data={"text": text}, height="content", on_news_change=on_news
    )
