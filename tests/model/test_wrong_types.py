"""What a caller gave in the wrong place or form is named, with what was expected."""

from collections.abc import Callable
from typing import Any

import pytest

from model.decoding.beam import Beam
from model.decoding.sampling import Sampling
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
        (lambda own: own.translate(TEXT, Beam), STRATEGY),
        (lambda own: own.translate_all(None), "the texts must be a list of texts, not None"),
        (lambda own: own.translate_all(TEXT.encode()), "the texts must be a list of texts, not b'"),
        (lambda own: own.translate_all([TEXT], batch=0), "batch must be a whole number above 0"),
        (lambda own: own.record(TEXT, 5), TARGET),
        (lambda own: own.run(TEXT, near=3), "near must be a Run, not 3"),
        (lambda own: own.run(TEXT, steps="3"), "steps must be a whole number above 0, not '3'"),
        (lambda own: own.run(TEXT, forced="Le"), "forced must be a list of ids, not 'Le'"),
        (lambda own: list(own.steps(TEXT, forced=["Le"])), "forced must be a list of ids, not"),
        (lambda own: own.translate(TEXT, draft="Le"), "draft must be a list of ids, not 'Le'"),
        (lambda own: own.trace(TEXT, "The dog.", part="x"), "part must be one of residual, sub"),
        (lambda _: Beam("4"), "width must be at least 1 and at most"),  # pyrefly: ignore[bad-argument-type]
        (lambda _: Beam(4, "x"), "length_penalty must be"),  # pyrefly: ignore[bad-argument-type]
        (lambda _: Sampling("1"), "temperature must be above 0, not '1'"),  # pyrefly: ignore[bad-argument-type]
        (lambda _: Sampling(1, "2"), "top_k must be 0"),  # pyrefly: ignore[bad-argument-type]
        (lambda _: Sampling(1, 0, "x"), "top_p must be above 0"),  # pyrefly: ignore[bad-argument-type]
        (lambda _: Sampling(seed="x"), "seed must be 0 or more"),  # pyrefly: ignore[bad-argument-type]
    ],
)
def test_it_names_the_argument_and_what_was_expected(
    translator: Translator, call: Callable[[Translator], object], said: str
) -> None:
    with pytest.raises(ValueError, match=f"^{said}") as refused:
        call(translator)
    assert len(str(refused.value)) < 150
