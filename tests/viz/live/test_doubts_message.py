"""What a translation is unsure of, and why, is the same in the page as in Python."""

from dataclasses import asdict, replace
from typing import Any, get_args

import pytest

from tests.viz.compute.test_copied_numbers import CHANGED, KEPT
from tests.viz.compute.test_doubts import UGARITIC
from tests.viz.live.engine import Engine
from tests.viz.live.texts import SENTENCES
from viz.compute import doubts
from viz.compute.copied_numbers import wrong_number


def expected(sentence: str) -> dict[str, Any]:
    """Return the message; a page of one model offers no other."""
    why = doubts.reason(sentence) if doubts.is_doubtful(sentence) else None
    if why and why.kind == "language":
        why = replace(why, better="")
    told = asdict(why) | {"pieces": list(why.pieces)} if why else None
    return {"unsure": list(doubts.unsure(sentence)), "reason": told}


TYPED = (
    f"I love you {UGARITIC}.",
    "Ich habe heute keine Zeit.",
    "\u6211\u7231\u4f60\u3002",
    "PLEASE CLOSE THE DOOR QUIETLY.",
    "THE KITCHEN AND I ARE SHOUTING",
    "THE DOG IS BIGGER THAN THE CAT.",
    "I TOLD HIM (TWICE)",
    "WE WON'T LET THAT HAPPEN.",
    "The house is forty metres from the sea.",
    "He kicked the bucket and spilled the beans.",
    "Bonjour, comment allez-vous ?",
    "I recieved teh letter yesterday.",
    "There are 48271 people in this town.",
    "Yesterday I met Emma Walker in Edinburgh.",
    "We went to the market on Saturdays.",
    "We are from Moscow.",
    "The old bridge (built in 1890) was closed because it was unsafe.",
    *SENTENCES[::40],
)


@pytest.mark.parametrize("sentence", TYPED)
def test_doubts_are_the_same(engine: Engine, sentence: str) -> None:
    assert engine.ask("doubts", text=sentence, known=doubts.known()) == expected(sentence)


def test_the_typed_sentences_have_every_kind_of_reason() -> None:
    kinds = {why.kind for sentence in TYPED if (why := doubts.reason(sentence))}
    assert kinds == set(get_args(doubts.Kind))


def test_the_same_numbers_are_wrong(engine: Engine) -> None:
    pairs = [*(one[:2] for one in CHANGED), *KEPT]
    found = engine.ask("wrongNumbers", pairs=pairs)
    assert [pair and tuple(pair) for pair in found] == [wrong_number(*pair) for pair in pairs]
