"""A pupil's answers, as the browser keeps them, each with a code that a teacher checks.

The code is a digest of the answer and shows whether a file was changed. Whoever knows this program
can make such a code, unless the server and the teacher have a secret in their environment.
"""

import hmac
import json
import os
from dataclasses import asdict, dataclass, fields
from hashlib import sha256

SECRET = "HEADLIGHT_SECRET"
"""The environment variable that holds the secret for making codes."""

KIND = "headlight answers"
"""The kind of file that a file of answers says it is."""

LARGEST = 5_000_000
"""The most bytes of a file of answers."""


@dataclass(frozen=True)
class Answer:
    """A pupil's first answer to a scene's question, and whether it is right for a model.

    `scene` is the number of the scene, `question` and `choice` are plain text, `at` is the time in
    UTC in ISO format, and `code` is the digest of all other fields.
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
    """Return the fields of an answer as the browser keeps them, with the code."""
    return {**asdict(answer), "code": _code(answer)}


def _code(answer: Answer) -> str:
    values = [str(getattr(answer, field.name)) for field in fields(answer) if field.name != "code"]
    key = os.environ.get(SECRET, "") or KIND
    return hmac.new(key.encode(), json.dumps(values).encode(), sha256).hexdigest()[:16]


def read(data: bytes) -> Handed:
    """Read a file of answers; raise ValueError if it is not one, with a few words on why."""
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
    return Handed(str(content.get("name", "")), tuple(map(_answer, answers)))


def _answer(content: object) -> Answer:
    """Read one answer; raise ValueError unless it has all fields, each of its type."""
    types = {field.name: field.type for field in fields(Answer)}
    if not isinstance(content, dict) or content.keys() != types.keys():
        raise ValueError("an answer in it lacks a part")
    if any(type(content[name]) is not type_ for name, type_ in types.items()):
        raise ValueError("an answer in it has a part of the wrong type")
    return Answer(**content)
