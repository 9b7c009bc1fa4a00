"""One sentence and its translation, run through the tiny model with interventions."""

import pytest

from model.interventions.base import Intervention
from model.recording.recording import Recording, record
from model.transformer.transformer import Transformer

SOURCE, TARGET = (40, 41, 42, 43, 44, 45, 2), (1, 60, 61, 62)


def run(model: Transformer, *interventions: Intervention) -> Recording:
    names = ["s"] * len(SOURCE), ["t"] * len(TARGET)
    return record(model, SOURCE, TARGET, *names, interventions)


@pytest.fixture(scope="module")
def plain(model: Transformer) -> Recording:
    return run(model)
