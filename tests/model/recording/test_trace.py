"""A map of carried vectors: each cell is the run with that one vector put in."""

import numpy as np
import pytest
import torch

from model import Translator, load_translator
from model.recording.trace import PARTS, Part, Trace, decided, trace
from model.sites.sites import KINDS
from tests.model.interventions.samples import CONFIG
from tests.model.uneven import uneven

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."


@pytest.fixture(scope="module")
def shipped() -> Translator:
    return load_translator("en-fr")


def lead(logits: torch.Tensor, found: Trace) -> float:
    first, second = found.decided.pieces
    return float(logits[-1, first] - logits[-1, second])


def moved(value: float, found: Trace) -> float:
    first, second = found.leads
    return (value - first) / (second - first)


@pytest.mark.parametrize("part", PARTS)
def test_a_cell_is_the_run_with_its_vector_put_in(shipped: Translator, part: Part) -> None:
    first, second = "It was too tired.", "It was too wide."
    own = shipped.translate(first)
    told: list[tuple[int, int]] = []
    found = shipped.trace(
        first, second, own, part, progress=lambda done, of: told.append((done, of))
    )
    assert told[-1][0] == told[-1][1] > 0
    rng = np.random.default_rng(0)
    given = found.decided.prefix[1:]
    for kind, values in found.maps.items():
        places = np.argwhere(~np.isnan(values))
        strongest = np.unravel_index(np.nanargmax(np.abs(values)), values.shape)
        for cell in (strongest, *rng.permutation(places)[:2]):
            patch = found.patch(kind, *map(int, cell))
            recording = shipped.record(first, given, [patch])
            assert recording.interventions == (patch,)
            by_run = moved(lead(torch.tensor(recording.logits), found), found)
            assert values[tuple(cell)] == pytest.approx(by_run, abs=1e-3), patch


def test_memory_swapped_by_hand_gives_the_cell(shipped: Translator) -> None:
    found = shipped.trace(TIRED, WIDE)
    words = [shipped.target_tokenizer.token(piece) for piece in found.decided.pieces]
    assert words == ["il", "elle"]
    model, source = shipped.model, shipped.source(TIRED)
    with torch.inference_mode():
        memory, mask = model.encode(torch.tensor([found.ids[0]]))
        other, _ = model.encode(torch.tensor([found.ids[1]]))
        for place in (source.tokens.index("▁it"), source.tokens.index("▁tired")):
            swapped = memory.clone()
            swapped[:, place] = other[:, place]
            logits = model.decode(torch.tensor([found.decided.prefix]), swapped, mask)[0]
            assert found.encoder[place, -1] == pytest.approx(
                moved(lead(logits, found), found), abs=1e-4
            )


def test_the_answer_passes_from_the_word_that_differs_to_the_step_that_decides(
    shipped: Translator,
) -> None:
    found = shipped.trace(TIRED, WIDE)
    tired = shipped.source(TIRED).tokens.index("▁tired")
    assert found.encoder.shape == (17, 7)
    assert found.decoder.shape == (len(found.decided.prefix), 7)
    assert found.encoder[tired, 0] == pytest.approx(1)  # all that differs
    assert found.decoder[-1, -1] == pytest.approx(1)  # all that the answer is read from
    assert not np.delete(found.encoder[:, 0], tired).any()
    assert found.sites["encoder"][-1] == "encoder.memory"
    assert not found.encoder.flags.writeable


def test_restored_vectors_bring_the_answer_back(shipped: Translator) -> None:
    back = shipped.trace(TIRED, WIDE, restored=True)
    other_way = shipped.trace(WIDE, TIRED, shipped.translate(TIRED))
    assert back.leads == pytest.approx([-lead for lead in other_way.leads[::-1]])
    np.testing.assert_allclose(back.encoder, 1 - other_way.encoder, atol=1e-5)
    tired = shipped.source(TIRED).tokens.index("▁tired")
    assert back.encoder[tired, 0] == pytest.approx(0, abs=1e-5)


def test_a_token_without_partner_has_no_number(shipped: Translator) -> None:
    found = shipped.trace(TIRED, "The animal didn't cross the street because it was wide.")
    lacking = [place for place, partner in enumerate(found.partners) if partner is None]
    assert [shipped.source(TIRED).tokens[place] for place in lacking] == ["▁too", "▁tired"]
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(found.encoder).all(axis=1)), lacking)
    assert not np.isnan(np.delete(found.encoder, lacking, axis=0)).any()
    heads = shipped.trace("It was too tired.", "It was wide.", part="k")
    lacking = [place for place, partner in enumerate(heads.partners) if partner is None]
    assert lacking
    assert np.isnan(heads.cross[:, :, lacking]).all()
    assert not np.isnan(heads.decoder).any()


def test_sentences_translated_alike_have_nothing_to_trace(shipped: Translator) -> None:
    with pytest.raises(ValueError, match="no step that decides"):
        shipped.trace(TIRED, TIRED)
    with pytest.raises(ValueError, match="nothing to translate"):
        shipped.trace(TIRED, " ")


def test_a_small_model_of_uneven_sizes_is_traced_in_every_part() -> None:
    model, ids = uneven(CONFIG, seed=3, norms=True), ((3, 4, 5, 6, 2), (3, 7, 8, 6, 2))
    found = decided(model, ids, (1, 7, 8, 3, 4, 5))
    for part in PARTS:
        maps = trace(model, ids, found, part).maps
        assert set(maps) == set(KINDS) - ({"cross"} if part in ("residual", "sublayer") else set())
        assert all(np.isfinite(values).all() for values in maps.values())
        assert any(np.abs(values).max() > 0.05 for values in maps.values())
