"""A pair for the tiny model, whose words it knows."""

import pytest

from model.translator import Translator

SOURCE, TARGET = "My sister drinks water.", "Ma sœur boit de l'eau."

Ids = tuple[tuple[int, ...], tuple[int, ...]]


@pytest.fixture
def ids(translator: Translator) -> Ids:
    """The ids of both sides as the trainer takes them."""
    return translator.pair_ids(SOURCE, TARGET)
