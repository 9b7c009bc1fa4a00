"""The formats in which a lesson is handed out, by the file's extension."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from viz.handout.gift import gift
from viz.handout.moodle import moodle_xml
from viz.handout.qti import qti_package
from viz.handout.sheet import Sheet
from viz.language.text import later


@dataclass(frozen=True)
class QuizForm:
    """A format of quizzes: its name on screen, its media type, and the function that writes it."""

    name: str
    mime: str
    write: Callable[[Sheet], bytes]


QUIZZES: Mapping[str, QuizForm] = {
    ".xml": QuizForm(
        later("Moodle XML"), "application/xml", lambda sheet: moodle_xml(sheet).encode()
    ),
    ".gift": QuizForm(later("GIFT (text)"), "text/plain", lambda sheet: gift(sheet).encode()),
    ".zip": QuizForm(later("QTI 2.1 (package)"), "application/zip", qti_package),
}
"""The formats of quizzes, by their files' extensions."""


def quiz(sheet: Sheet, ending: str) -> bytes:
    """Return a quiz in the format of a file extension.

    Raises ValueError for an unknown extension, or if the sheet has no question.
    """
    if not (form := QUIZZES.get(ending)):
        raise ValueError(f"a quiz ends in {', '.join(QUIZZES)}, not {ending or 'nothing'!r}")
    if not sheet.questions:
        raise ValueError(f"{sheet.name}: this lesson asks nothing that has a right answer")
    return form.write(sheet)
