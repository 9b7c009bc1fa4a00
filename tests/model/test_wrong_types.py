"""What a caller gave in the wrong place or form is named, with what was expected."""

from collections.abc import Callable
from typing import Any

import pytest

from model.interventions.heads import AblateHead
from model.translator import Translator

TEXT = "The cat sleeps."
OFF: Any = AblateHead("encoder 1.1")
BEAM: Any = "beam"

SOURCE, TARGET = r"the source must be a text \(", "the target must be a text, a Translation or a"
STRATEGY, ROW = r"the strategy must be Greedy\(\), Beam\(4\)", "interventions must be a list, such"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda own: own.translate([TEXT]), SOURCE),
        (lambda own: own.translate(None), SOURCE),
        (lambda own: own.record(TEXT.encode()), SOURCE),
        (lambda own: own.translate(TEXT, BEAM), STRATEGY),
        (lambda own: own.run(TEXT, (), BEAM), STRATEGY),
        (lambda own: own.translate(TEXT, [OFF]), STRATEGY),
        (lambda own: own.record(TEXT, [OFF]), TARGET),
        (lambda own: own.record(TEXT, b"Le chat"), TARGET),
        (lambda own: own.record(TEXT, "Le chat", OFF), ROW),
        (lambda own: own.run(TEXT, OFF), ROW),
        (lambda own: own.run(TEXT, "zero.e.1.1"), ROW),
        (lambda own: own.translate(TEXT, interventions=OFF), ROW),
    ],
)
def test_it_names_the_argument_and_what_was_expected(
    translator: Translator, call: Callable[[Translator], object], said: str
) -> None:
    with pytest.raises(ValueError, match=f"^{said}") as refused:
        call(translator)
    assert len(str(refused.value)) < 150
