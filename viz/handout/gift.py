"""Questions in GIFT, the text format of Moodle, which many other programs can read."""

import re
from base64 import b64encode
from html import escape

from viz.handout.markup import block, inline, plain
from viz.handout.moodle import said
from viz.handout.sheet import Asked, Sheet, SheetScene
from viz.notebook.paper.picture import svg


def gift(sheet: Sheet) -> str:
    """Return all questions of a sheet; each picture is part of its question's text."""
    head = f"$CATEGORY: $course$/top/Headlight/{sheet.title.replace('/', '//')}\n\n"
    return head + "\n".join(_question(sheet, *question) for question in sheet.questions)


def _question(sheet: Sheet, scene: SheetScene, asked: Asked) -> str:
    image = ""
    if scene.picture:
        data = b64encode(svg(scene.picture).encode()).decode()
        source = f"data:image/svg+xml;base64,{data}"
        image = f'<p><img src="{source}" alt="{escape(said(scene.picture))}" /></p>'
    shown = f"{block(scene.text)}{image}<p><strong>{inline(asked.text)}</strong></p>"
    answers = "".join(
        f"{'=' if index == asked.right else '~'}{_safe(inline(choice))}\n"
        for index, choice in enumerate(asked.choices)
    )
    feedback = f"####{_safe(block(asked.then))}\n" if asked.then else ""
    name = f"{sheet.title}: {plain(scene.heading)}"
    return f"::{_safe(name)}::[html]{_safe(shown)}{{\n{answers}{feedback}}}\n"


def _safe(text: str) -> str:
    """Escape the marks of GIFT, and put a text on one line, as an empty line ends a question."""
    return re.sub(r"([~=#{}:])", r"\\\1", " ".join(text.split("\n")))
