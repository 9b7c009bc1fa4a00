"""The rules of a class: the actions of teachers and students, and their limits.

A teacher begins a class and leads it with its key; people join it with its code. Nobody gives a
name: a person is a random text that the browser keeps.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qsl

from viz.classroom.question import Question
from viz.classroom.store import TRIES, Full, Store

SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The characters of a code, without those that are easily confused."""

LENGTH = 6
PEOPLE, QUESTIONS, ROUNDS = 400, 60, 2
LONGEST, LONGEST_LINK = 40, 4000
"""The most characters of an answer and of the teacher's link."""

AWAY = 60
"""The seconds without a sign of somebody after which that person is no longer here."""

ASKED, REVEALED = "asked", "revealed"


class NoSuchClass(Exception):
    """No class has this code, or it has been forgotten."""


class Shut(Exception):
    """The teacher has closed the entrance."""


class TooManyTries(Exception):
    """Too many wrong codes came from one address within a minute."""


@dataclass(frozen=True)
class State:
    """The state of a class: the teacher's `link`, and the question on all screens.

    `moved` is the time in milliseconds at which the teacher came to the link, so a later move has a
    larger number. `number` and `round` count from 1; number 0 means that there is no question.
    `gathered` changes whenever the teacher brings everybody back. `shut` tells that the entrance is
    closed, `over` that the class has ended.
    """

    link: str = ""
    moved: int = 0
    gathered: str = ""
    number: int = 0
    round: int = 1
    phase: str = ""
    shut: bool = False
    over: bool = False

    @property
    def screen(self) -> str:
        """Return a text that stands for what all screens show, and changes when that does."""
        if self.over:
            return "over"
        return f"{self.number}.{self.round}.{self.phase}" if self.number else ""


def cleaned(code: str) -> str:
    """Return a code as it was drawn, however it was typed; "" if it is not a code."""
    normal = "".join(code.split()).upper()[: LENGTH + 1]
    return (
        normal if len(normal) == LENGTH and all(character in SIGNS for character in normal) else ""
    )


class Room:
    """All classes of a store; the `clock` returns the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def begin(self, link: str) -> tuple[str, str]:
        """Begin a class at its teacher's link; return its code and its key. Raises Full."""
        key = secrets.token_urlsafe(16)
        while True:
            code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
            if self._store.make(code, {"key": _digest(key), "link": link, "moved": self._moved()}):
                return code, key

    def state(self, code: str) -> State:
        """Return the state of a class; raises NoSuchClass."""
        fields = self._store.read(code, "state")
        if not fields:
            raise NoSuchClass
        number, turn, phase = (fields.get("screen") or "0.1.").split(".")
        return State(
            fields.get("link", ""),
            int(fields.get("moved", 0)),
            fields.get("gathered", ""),
            int(number),
            int(turn),
            phase,
            bool(fields.get("shut")),
            bool(fields.get("over")),
        )

    def _state(self, code: str) -> State:
        """Return the state of a class, or an empty state if the class has been forgotten."""
        try:
            return self.state(code)
        except NoSuchClass:
            return State()

    def look_up(self, code: str, address: str) -> State:
        """Return the state of a class for an address that may be guessing its code.

        Raises NoSuchClass; after too many wrong codes, raises TooManyTries even for a right one.
        """
        if self._store.tried(address) >= TRIES:
            raise TooManyTries
        try:
            return self.state(code)
        except NoSuchClass:
            self._store.tried(address, code)
            raise

    def join(self, code: str, person: str, address: str) -> State:
        """Let a person in and return the state of the class; members can come back at any time.

        Raises NoSuchClass, TooManyTries, Shut, and Full.
        """
        if person in self._store.read(code, "people"):
            return self.state(code)
        state = self.look_up(code, address)
        if state.shut or state.over:
            raise Shut
        self._store.add(code, "people", person, self._second(), PEOPLE)
        return state

    def leads(self, code: str, key: str) -> bool:
        """Tell whether this is the key of a class."""
        digest = self._store.read(code, "state").get("key", "")
        return bool(digest) and hmac.compare_digest(digest, _digest(key))

    def people(self, code: str) -> int:
        """Return the number of people who have ever joined."""
        return self._store.count(code, "people")

    def hear(self, code: str, person: str) -> None:
        """Note that somebody who has joined is here."""
        self._store.renew(code, "people", person, self._second())

    def here(self, code: str) -> set[str]:
        """Return the people of whom there was a sign within `AWAY` seconds."""
        since = self._clock() - AWAY
        heard = self._store.read(code, "people")
        return {person for person, second in heard.items() if int(second or 0) >= since}

    def turnout(self, code: str, number: int, turn: int) -> tuple[int, int]:
        """Return how many answered a question in a round, and how many are here or answered."""
        answered = self._store.read(code, _answers(number, turn)).keys()
        return len(answered), len(answered | self.here(code))

    def _second(self) -> str:
        return str(int(self._clock()))

    def _moved(self) -> str:
        return str(int(self._clock() * 1000))

    def move(self, code: str, link: str) -> int:
        """Store the teacher's link and return the time; a question asked elsewhere ends.

        A link that is too long is ignored, and 0 is returned. Raises NoSuchClass and Full.
        """
        if len(link) > LONGEST_LINK:
            return 0
        moved = self._moved()
        self._store.put(code, "state", {"link": link, "moved": moved})
        state = self.state(code)
        if state.number and self.question(code, state.number).place != place_of(link):
            self.close(code)
        return int(moved)

    def gather(self, code: str) -> None:
        """Bring everybody back to the teacher."""
        self._store.put(code, "state", {"gathered": secrets.token_hex(4)})

    def ask(self, code: str, question: Question) -> None:
        """Ask everybody a question; if two are asked at once, both are stored and one is shown.

        Raises Full when too many have been asked.
        """
        number = self._store.count(code, "questions") + 1
        while not self._store.add(code, "questions", str(number), question.written(), QUESTIONS):
            if self._store.count(code, "questions") < number:
                return  # the class has been forgotten
            number += 1
        self._store.put(code, "state", {"screen": f"{number}.1.{ASKED}"})

    def ask_again(self, code: str) -> None:
        """Ask the question on screen a second time, after the students have talked about it."""
        state = self._state(code)
        if state.number and state.round < ROUNDS:
            self._store.put(code, "state", {"screen": f"{state.number}.{ROUNDS}.{ASKED}"})

    def reveal(self, code: str) -> None:
        """Show the answers, and the model's answer."""
        state = self._state(code)
        if state.phase == ASKED:
            self._store.put(code, "state", {"screen": f"{state.number}.{state.round}.{REVEALED}"})

    def close(self, code: str) -> None:
        """Remove the question from all screens."""
        self._store.put(code, "state", {"screen": ""})

    def question(self, code: str, number: int) -> Question:
        """Return the question of a number; NoSuchClass if there is none."""
        written = self._store.read(code, "questions").get(str(number))
        if written is None:
            raise NoSuchClass
        return Question.read(written)

    def questions(self, code: str) -> list[Question]:
        """Return all questions in the order they were asked."""
        written = self._store.read(code, "questions")
        return [Question.read(written[number]) for number in sorted(written, key=int)]

    def answer(self, code: str, person: str, screen: str, answer: str) -> bool:
        """Take a person's answer to the question on a screen; tell whether it was taken.

        An answer is refused if it is the person's second, comes from a stranger or too late, is
        invalid, or finds no space.
        """
        state = self.state(code)
        if state.screen != screen or state.phase != ASKED:
            return False
        if person not in self._store.read(code, "people"):
            return False
        taken = self.question(code, state.number).taken(answer[: LONGEST + 1])
        if taken is None or len(taken) > LONGEST:
            return False
        with suppress(Full):
            return self._store.add(code, _answers(state.number, state.round), person, taken, PEOPLE)
        return False

    def answered(self, code: str, number: int, turn: int) -> int:
        """Return the number of answers to a question in one of its rounds."""
        return self._store.count(code, _answers(number, turn))

    def answer_of(self, code: str, person: str, number: int, turn: int) -> str | None:
        """Return a person's answer to a question in one of its rounds; None if there is none."""
        return self._store.read(code, _answers(number, turn)).get(person)

    def answers(self, code: str, number: int) -> list[list[str]]:
        """Return all answers to a question, round by round, without a round that was not asked.

        They are sorted, so that their order does not reveal who gave them. An answer that was
        removed is "".
        """
        rounds = [
            sorted(self._store.read(code, _answers(number, turn)).values())
            for turn in range(1, ROUNDS + 1)
        ]
        return rounds if rounds[-1] else rounds[:-1]

    def remove(self, code: str, number: int, text: str) -> None:
        """Remove a text wherever somebody gave it as an answer to a question."""
        for turn in range(1, ROUNDS + 1):
            part = _answers(number, turn)
            answers = self._store.read(code, part)
            self._store.put(
                code, part, {who: "" for who, answer in answers.items() if answer == text}
            )

    def shut(self, code: str, shut: bool) -> None:
        """Close the entrance, or open it again."""
        self._store.put(code, "state", {"shut": "1" if shut else ""})

    def finish(self, code: str) -> None:
        """End a class; its questions and answers stay until they are forgotten."""
        self._store.put(code, "state", {"over": "1", "shut": "1", "screen": ""})

    def forget(self, code: str) -> None:
        """Forget a class, with all its questions and answers."""
        self._store.end(code)

    def forget_idle(self) -> None:
        """Forget all classes that have been idle for long."""
        self._store.forget_idle()


def place_of(link: str) -> str:
    """Return the place that a question belongs to: the page of a link, and the lesson's scene."""
    page, _mark, query = link.partition("?")
    parameters = dict(parse_qsl(query))
    return f"{page} {parameters.get('lesson', '')} {parameters.get('scene', '1')}"


def _answers(number: int, turn: int) -> str:
    return f"answers {number}.{turn}"


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
