"""A pupil's answers: what is kept of each in the browser, and the code that a teacher checks.

The code is a digest of the answer. It tells a changed file from an unchanged one. Whoever knows
this program can make one, unless the server and the teacher have the same secret in their
environment.
"""

import hmac
import json
import os
from dataclasses import asdict, dataclass, fields
from hashlib import sha256

SECRET = "HEADLIGHT_SECRET"
"""The variable with the secret that codes are made with."""

KIND = "headlight answers"
"""What a file of answers says it is."""

LARGEST = 5_000_000
"""The most bytes of a file of answers."""


@dataclass(frozen=True)
class Answer:
    """A pupil's first answer to a scene's question, and what was measured of it.

    `scene` is its number, `question` and `choice` are plain text, `at` is the time in UTC, as ISO
    writes it, and `code` the digest of all the others.
    """

    lesson: str
    scene: int
    question: str
    choice: str
    right: bool
    model: str
    at: str
    code: str = ""

    @property
    def genuine(self) -> bool:
        """Tell whether the code belongs to the answer."""
        return hmac.compare_digest(self.code.encode(), _code(self).encode())


@dataclass(frozen=True)
class Handed:
    """What a pupil hands in: a name, if one was typed, and answers."""

    name: str
    answers: tuple[Answer, ...]


def kept(answer: Answer) -> dict[str, object]:
    """Return an answer as the browser keeps it, with its code."""
    return {**asdict(answer), "code": _code(answer)}


def _code(answer: Answer) -> str:
    said = [str(getattr(answer, field.name)) for field in fields(answer) if field.name != "code"]
    key = os.environ.get(SECRET, "") or KIND
    return hmac.new(key.encode(), json.dumps(said).encode(), sha256).hexdigest()[:16]


def read(data: bytes) -> Handed:
    """Read a file of answers; raise ValueError with its fault in a few words."""
    if len(data) > LARGEST:
        raise ValueError("too large for a file of answers")
    try:
        content = json.loads(data)
    except (UnicodeDecodeError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise ValueError("not a file of answers: “Download my answers” makes one")
    answers = content.get("answers")
    if not isinstance(answers, list):
        raise ValueError("a file of answers without any")
    return Handed(str(content.get("name", "")), tuple(_answer(one) for one in answers))


def _answer(content: object) -> Answer:
    """Read one answer: each field must be there, and of its type."""
    types = {field.name: field.type for field in fields(Answer)}
    if not isinstance(content, dict) or content.keys() != types.keys():
        raise ValueError("an answer in it lacks a part")
    if any(type(content[name]) is not type_ for name, type_ in types.items()):
        raise ValueError("an answer in it has a part of the wrong type")
    return Answer(**content)
