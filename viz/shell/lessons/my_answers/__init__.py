"""The answers that a pupil's browser keeps, and the file that is handed in."""

import json
from pathlib import Path

from viz.components.component import renderer
from viz.handout.answers import KIND
from viz.language.text import _

_ENTRY = Path(__file__).parent / "assets" / "my_answers.js"


def my_answers() -> None:
    """Draw the number of answers, a box for a name, and buttons that save or forget the answers."""
    words = {
        "kept": _("Answers kept in this browser: {count}, right at once: {right}."),
        "none": _("No answer yet. Your first answer to each question is kept in this browser."),
        "name": _("Your name, if your teacher asks for it (only in the file)"),
        "save": _("Download my answers"),
        "forget": _("Forget my answers and finished lessons"),
    }
    text = json.dumps({"kind": KIND, "words": words}, ensure_ascii=False)
    renderer("my_answers", _ENTRY)(key="my answers", data={"text": text}, height="content")
