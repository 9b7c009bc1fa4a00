"""The rules of a class: the actions of teachers and students, and their limits.

A teacher begins a class and leads it with its key; people join it with its code. They give no
names: a person is a random text that the browser keeps.
"""

import hashlib
import hmac
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qsl

from viz.classroom.question import Question
from viz.classroom.store import TRIES, Full, Store

SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The signs of a code, without those that are easily confused."""

LENGTH = 6
PEOPLE, QUESTIONS, ROUNDS = 400, 60, 2
LONGEST, LONGEST_LINK = 40, 4000
"""The most characters of an answer and of the teacher's link."""

ASKED, REVEALED = "asked", "revealed"


class NoSuchClass(Exception):
    """There is no class with this code, or it has been forgotten."""


class Shut(Exception):
    """The teacher has closed the entrance."""


class TooManyTries(Exception):
    """Too many wrong codes came from one address in a minute."""


@dataclass(frozen=True)
class State:
    """The state of a class: the teacher's `link`, and the question on all screens.

    `moved` is the time when the teacher came there, in milliseconds: a later move has a larger
    number. `number` and `round` count from 1; 0 is no question. `gathered` changes whenever the
    teacher brings all back. `shut` tells that the entrance is closed, `over` that the class has
    ended.
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
        """Return a name for the content of all screens, which changes with the content."""
        if self.over:
            return "over"
        return f"{self.number}.{self.round}.{self.phase}" if self.number else ""


def cleaned(code: str) -> str:
    """Return a code in its original form, however it was typed; "" if it is not one."""
    found = "".join(code.split()).upper()[: LENGTH + 1]
    return found if len(found) == LENGTH and all(sign in SIGNS for sign in found) else ""


class Room:
    """All classes of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, link: str) -> tuple[str, str]:
        """Begin a class where its teacher is; return its code and the key. Raises Full."""
        key = secrets.token_urlsafe(16)
        while True:
            code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
            if self._store.make(code, {"key": _digest(key), "link": link, "moved": _now()}):
                return code, key

    def state(self, code: str) -> State:
        """Return the state of a class; raises NoSuchClass."""
        held = self._store.read(code, "state")
        if not held:
            raise NoSuchClass
        number, turn, phase = (held.get("screen") or "0.1.").split(".")
        return State(
            held.get("link", ""),
            int(held.get("moved", 0)),
            held.get("gathered", ""),
            int(number),
            int(turn),
            phase,
            bool(held.get("shut")),
            bool(held.get("over")),
        )

    def _state(self, code: str) -> State:
        """Return the state of a class, or that of an empty one where it has been forgotten."""
        try:
            return self.state(code)
        except NoSuchClass:
            return State()

    def found(self, code: str, address: str) -> State:
        """Return the state of a class for an address that may be guessing.

        Raises NoSuchClass, and after too many wrong codes TooManyTries even for a right one.
        """
        if self._store.tried(address) >= TRIES:
            raise TooManyTries
        try:
            return self.state(code)
        except NoSuchClass:
            self._store.tried(address, code)
            raise

    def join(self, code: str, person: str, address: str) -> State:
        """Let a person in; members can come back at any time.

        Raises NoSuchClass, TooManyTries, Shut, and Full.
        """
        if person in self._store.read(code, "people"):
            return self.state(code)
        state = self.found(code, address)
        if state.shut or state.over:
            raise Shut
        self._store.add(code, "people", person, "", PEOPLE)
        return state

    def leads(self, code: str, key: str) -> bool:
        """Tell whether this is the key of a class."""
        held = self._store.read(code, "state").get("key", "")
        return bool(held) and hmac.compare_digest(held, _digest(key))

    def people(self, code: str) -> int:
        """Return the number of people who have joined."""
        return self._store.count(code, "people")

    def move(self, code: str, link: str) -> int:
        """Store the teacher's place and return the time; ends a question asked elsewhere.

        A link that is too long is ignored: returns 0. Raises NoSuchClass, and Full.
        """
        if len(link) > LONGEST_LINK:
            return 0
        moved = _now()
        self._store.put(code, "state", {"link": link, "moved": moved})
        state = self.state(code)
        if state.number and self.question(code, state.number).place != place_of(link):
            self.close(code)
        return int(moved)

    def gather(self, code: str) -> None:
        """Bring all back to the teacher."""
        self._store.put(code, "state", {"gathered": secrets.token_hex(4)})

    def ask(self, code: str, question: Question) -> None:
        """Ask everyone a question; of two asked at once, both stay, and one is on screen.

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
        """Return a question; NoSuchClass when there is no such number."""
        held = self._store.read(code, "questions").get(str(number))
        if held is None:
            raise NoSuchClass
        return Question.read(held)

    def questions(self, code: str) -> list[Question]:
        """Return all questions in the order they were asked."""
        held = self._store.read(code, "questions")
        return [Question.read(held[number]) for number in sorted(held, key=int)]

    def answer(self, code: str, person: str, screen: str, text: str) -> bool:
        """Take a person's answer to the question on a screen; only the first one counts.

        Returns whether it was taken. Answers are refused from strangers, a second time, too late,
        when invalid, and when there is no space.
        """
        state = self.state(code)
        if state.screen != screen or state.phase != ASKED:
            return False
        if person not in self._store.read(code, "people"):
            return False
        said = self.question(code, state.number).taken(text[: LONGEST + 1])
        if said is None or len(said) > LONGEST:
            return False
        with suppress(Full):
            return self._store.add(code, _answers(state.number, state.round), person, said, PEOPLE)
        return False

    def answered(self, code: str, number: int, turn: int) -> int:
        """Return the number of answers."""
        return self._store.count(code, _answers(number, turn))

    def answer_of(self, code: str, person: str, number: int, turn: int) -> str | None:
        """Return a person's answer; None without one."""
        return self._store.read(code, _answers(number, turn)).get(person)

    def answers(self, code: str, number: int) -> list[list[str]]:
        """Return all answers to a question by its rounds, without rounds that were not asked.

        They are in the order of their texts, so that they reveal no person. "" was removed.
        """
        rounds = [
            sorted(self._store.read(code, _answers(number, turn)).values())
            for turn in range(1, ROUNDS + 1)
        ]
        return rounds if rounds[-1] else rounds[:-1]

    def remove(self, code: str, number: int, text: str) -> None:
        """Remove a text wherever it was the answer to a question."""
        for turn in range(1, ROUNDS + 1):
            part = _answers(number, turn)
            held = self._store.read(code, part)
            self._store.put(code, part, {who: "" for who, said in held.items() if said == text})

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
    """Return the part of a link that a question belongs to: its page, and a lesson's scene."""
    page, _mark, query = link.partition("?")
    said = dict(parse_qsl(query))
    return f"{page} {said.get('lesson', '')} {said.get('scene', '1')}"


def _now() -> str:
    return str(int(time.time() * 1000))


def _answers(number: int, turn: int) -> str:
    return f"answers {number}.{turn}"


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
