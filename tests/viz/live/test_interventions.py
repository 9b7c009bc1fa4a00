"""Every intervention of Python's table does the same in the page, and has the same text."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import save_file

from model.interventions.base import Intervention
from model.interventions.link_text import read, write
from model.interventions.table import INTERVENTIONS
from tests.model.interventions.samples import (
    CONFIG,
    DONOR,
    DONOR_IDS,
    DONOR_TARGET,
    SAMPLES,
    SOURCE,
    TARGET,
    plain,
    recorded,
)
from tests.viz.live.engine import Engine, assert_alike

EVERY = pytest.mark.parametrize("kind", INTERVENTIONS, ids=lambda kind: kind.__name__)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as opened:
        yield opened


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("uneven") / "model.safetensors"
    save_file(
        {
            name: one.contiguous()
            for name, one in plain().model.state_dict().items()
            if name != "positions"
        },
        path,
    )
    return path


def test_both_tables_have_the_same_interventions(engine: Engine) -> None:
    expected = [[kind.__name__, list(kind.names)] for kind in INTERVENTIONS]
    assert engine.ask("names") == expected


@EVERY
def test_a_sample_is_the_same_in_every_site(
    engine: Engine, weights: Path, kind: type[Intervention]
) -> None:
    samples = SAMPLES[kind]
    found = engine.ask(
        "recordIds",
        config=json.dumps(CONFIG.to_dict()),
        weights=str(weights),
        source=SOURCE,
        target=TARGET,
        edits=[write(sample.interventions) for sample in samples],
        donors={DONOR: [DONOR_IDS, DONOR_TARGET]},
    )
    for sample, entries in zip(samples, found, strict=True):
        arrays = engine.arrays(entries)
        assert_alike(arrays, recorded(*sample.interventions).arrays)
        by_hand = sample.changed(plain()).logits(sample.source, TARGET)
        np.testing.assert_allclose(arrays["decoder.logits"], by_hand, atol=1e-4)


@EVERY
def test_a_link_is_read_and_written_alike(engine: Engine, kind: type[Intervention]) -> None:
    texts = [write(sample.interventions) for sample in SAMPLES[kind]]
    assert engine.ask("links", texts=texts) == [[text, []] for text in texts]


ODD = (
    "", "_", "zero", "zero.", "zero.e", "zero.e.4", "zero.e.4.1-3~7", "zero.e.4.3-1", "zero.e.0.1",
    "zero.e.40.1", "zero.x.1.1", "zero.e.1~2.1_zero.e.2.1", "ZERO.e.1.1", "lift.d_lift.d", "lift",
    "lift.d.e", "invert.d", "invert.e", "hide.3", "hide.3-4", "hide.4-3", "hide.0", "pad.999",
    "pad.1000", "times.e.0.5", "times.e.1e-05", "times.e.-2.0", "times.e.2", "times.e.inf",
    "scale.d.0.00001", "shift.e.-3", "shift.e.--3", "shuffle.e.4", "shuffle.e.4.4", "window.e.4",
    "look.e.1.1.1.0.5~0.5", "look.e.1.1.1.", "block.c.all.all.3-4~5-6", "block.c.1.all.3",
    "block.c.1.1.1-2_block.c.1.1.3-4_block.e.1.1.1-1", "patch.e~memory.5-7.all.It~is-2e-",
    "patch.e~4~attn~z.1.2.a-1f600-b", "patch.e~memory.1.all.-d800-", "patch.e~1~out.1.1.a",
    "patch.e~0~norm1.1.all.a", "tie.e.qk_tie.d.qkv", "share.c.4", "unit.e.1.9_unit.e.1.10",
    "skip.e.1", "sub.e.1.cross", "res.d.6.cross_norm.d.1.ffn", "constructor.1", "__proto__",
    "toString", "names.e.1", "x" * 12_001, "clamp.e.3.0", "raw.e_raw.d",
    "turn.e.12.2.all", "turn.c.2.3~1.6-4~5", "turn.e.1.2-3.6-", "turn.d.4.1~3.1-2_turn.d.4.1~3.1-3",
    "turn.c.1.300.all", "turn.c.1..all",
)  # fmt: skip


def test_odd_texts_are_refused_alike(engine: Engine) -> None:
    texts = [*ODD, "_".join(ODD[:-5]), "_".join(f"block.e.all.all.{n}-1" for n in range(1, 900))]
    expected = [[write(read(text).interventions), list(read(text).refused)] for text in texts]
    assert engine.ask("links", texts=texts) == expected
