"""Many sentences at once: as many as memory allows, and the same numbers as one by one."""

import numpy as np
import pytest

from model import Translator
from model.measures.atlas import running
from model.measures.atlas.running import batches, kept_sites
from model.training.data.pairs import Pair


def ids_of(translator: Translator, pairs: list[Pair]) -> list[tuple[list[int], list[int]]]:
    own = translator.tokenizer
    return [
        ([*own.encode(p.source), own.end_id], [own.begin_id, *own.encode(p.target)]) for p in pairs
    ]


def test_sentences_of_similar_length_run_together_within_bounds(
    translator: Translator, pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ids_of(translator, pairs)
    found = list(batches(translator.model, rows))
    assert sorted(at for some in found for at in some) == list(range(len(rows)))
    assert max(map(len, found)) == running.BATCH
    vocabulary, maps = translator.config.target_vocab_size, 4 * 8
    monkeypatch.setattr(running, "NUMBERS", 20 * vocabulary * 5)
    bounded = list(batches(translator.model, rows))
    assert sorted(at for some in bounded for at in some) == list(range(len(rows)))
    for some in bounded:
        longest = max(len(side) for at in some for side in rows[at])
        size = longest * max(maps * longest, vocabulary)
        assert len(some) == 1 or len(some) * size <= running.NUMBERS
    monkeypatch.setattr(running, "NUMBERS", 1)
    assert [len(some) for some in batches(translator.model, rows)] == [1] * len(rows)


def test_padding_changes_nothing(translator: Translator, pairs: list[Pair]) -> None:
    rows = ids_of(translator, pairs[:7])
    site = "decoder.1.cross_attn.weights"
    together = kept_sites(translator.model, rows, frozenset({site}))
    assert set(together) == {site}
    for number, (source, target) in enumerate(rows):
        recording = translator.record(pairs[number].source, target[1:])
        own = together[site][number, :, : len(target), : len(source)]
        np.testing.assert_allclose(own.numpy(), recording[site], atol=1e-6)
