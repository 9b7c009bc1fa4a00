"""A search that begins halfway up finds what one from the bottom finds."""

import numpy as np
import pytest

from model import Translator, load_translator
from model.measures.atlas.atlas import Atlas
from model.measures.atlas.joint import MAPPED, joint_map, near_map
from model.measures.atlas.measure import measure_heads
from model.measures.atlas.prepared import prepared_arrays, searched
from model.measures.atlas.roles import Sentence
from model.measures.atlas.running import kept_sites
from model.measures.atlas.search import vectors_of
from model.measures.atlas.stages import EVERY, MEMORY, head_sites, stage_arrays, stages_of
from model.sites.sites import Head, Kind, attention_site
from model.training.data.pairs import Pair
from tests.model.measures.atlas.test_running import ids_of as ids_of_pairs
from tests.model.measures.atlas.test_search import TEXTS

HEADS = [
    (kind, layer)
    for kind, layers in (("encoder", 2), ("decoder", 3), ("cross", 3))
    for layer in range(layers)
]


@pytest.mark.parametrize(("kind", "layer"), HEADS)
def test_a_head_reads_the_same_from_a_stage_on(
    translator: Translator, pairs: list[Pair], kind: Kind, layer: int
) -> None:
    rows = ids_of_pairs(translator, pairs[:9])
    lengths = [(len(source), len(target)) for source, target in rows]
    arrays = stage_arrays(translator.model, rows)
    assert f"stage.decoder.{EVERY - 1}.norm3" in arrays
    stages = stages_of(arrays, lengths)
    assert stages is not None
    assert len(stages) == 9
    wanted = frozenset(attention_site(kind, layer, part) for part in ("q", "k", "z", "weights"))
    some = [7, 2, 5]
    own = [rows[at] for at in some]
    head = Head(kind, layer, 1)
    exact = kept_sites(translator.model, own, wanted)
    found = head_sites(translator.model, own, head, wanted, stages, some)
    assert set(found) == wanted
    side = int(kind != "encoder")
    for name in wanted:
        for row, at in enumerate(some):
            length = lengths[at][side]
            axis = length if not name.endswith(".k") else lengths[at][int(kind == "decoder")]
            ours, theirs = (each[name][row, :, :axis].numpy() for each in (found, exact))
            if name.endswith("weights"):
                keys = lengths[at][int(kind == "decoder")]
                ours, theirs = ours[..., :keys], theirs[..., :keys]
            np.testing.assert_allclose(ours, theirs, atol=0.04)


def test_numbers_are_rounded_to_a_part_of_the_largest(
    translator: Translator, pairs: list[Pair]
) -> None:
    rows = ids_of_pairs(translator, pairs[:5])
    stages = stages_of(stage_arrays(translator.model, rows), [(len(s), len(t)) for s, t in rows])
    assert stages is not None
    exact = kept_sites(translator.model, rows, frozenset({MEMORY}))[MEMORY].numpy()
    found = stages.batch(MEMORY, range(5)).numpy()
    kept = np.zeros(exact.shape[:2], bool)
    for row, (source, _) in enumerate(rows):
        kept[row, : len(source)] = True
    most = np.abs(exact[kept]).max(0)
    assert (np.abs(found - exact)[kept] <= most / 127 / 2 + 1e-6).all()
    assert not found[~kept].any()
    assert stages_of({}, []) is None


def test_an_index_is_prepared_and_searched_by_its_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = load_translator("en-fr")  # one with random weights writes nothing to search in
    measured = measure_heads(shipped, [Sentence(text) for text in TEXTS], "")
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("model.measures.atlas.prepared.SEARCHED", 5)
    monkeypatch.setattr("model.measures.atlas.neighbours.STEPS", 3)
    prepared = prepared_arrays(shipped, measured, lambda step, of: told.append((step, of)))
    assert told[-1] == (144, 144)
    atlas = Atlas({**measured, **prepared})
    assert searched(atlas) == 5
    for head in (Head("encoder", 5, 1), Head("decoder", 3, 2), Head("cross", 2, 1)):
        own = vectors_of(shipped, atlas, head, range(5))
        exact = vectors_of(shipped, atlas.without_stages(), head, range(5))
        assert own.places[:, :2].tolist() == exact.places[:, :2].tolist()
        assert not np.array_equal(own.q, exact.q)
        assert np.corrcoef(own.q.ravel(), exact.q.ravel())[0, 1] > 0.999
        beyond = vectors_of(shipped, atlas, head, range(6))  # more than the stages hold
        assert {int(number) for number in beyond.places[:, 0]} == set(range(6))
        near = atlas.near(head)
        assert near is not None
        assert len(near.points) == 2 * min(MAPPED, len(own.q))
        assert np.abs(near.points).max() == pytest.approx(1, abs=1e-3)
        some = own.sample(MAPPED)
        again = near_map(joint_map(some.q, some.k), some.q, some.k)
        np.testing.assert_allclose(near.points, again.points, atol=1e-3)
        assert near.agreement == pytest.approx(again.agreement, abs=1e-6)


def test_too_few_pieces_make_no_map(translator: Translator, pairs: list[Pair]) -> None:
    measured = measure_heads(translator, [Sentence(pair.source) for pair in pairs[:2]], "")
    atlas = Atlas({**measured, **prepared_arrays(translator, measured)})
    assert atlas.stages is not None
    assert atlas.near(Head("decoder", 1, 0)) is None
