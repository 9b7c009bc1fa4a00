"""Vectors carried over from another sentence, and attention set by hand, in the shipped model."""

import re

import numpy as np
import pytest
import torch

from model import (
    Beam,
    BlockAttention,
    Greedy,
    PatchActivation,
    SetAttention,
    Translator,
    TurnAttention,
    load_translator,
)
from model.interventions.base import Intervention, Lengths
from model.interventions.donors import partners
from model.interventions.link_text import read, write
from model.interventions.prepare import prepare
from model.sites.sites import KINDS, Kind, attention_site
from model.sites.tap import Tap
from tests.model.interventions.samples import CONFIG, DONOR, donors

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
ASLEEP = "The animal didn't cross the street because it was asleep that night."


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator("en-fr")


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ("abcd", "abcd", [0, 1, 2, 3]),
        ("abcd", "axyd", [0, 1, 2, 3]),
        ("abcd", "axyzd", [0, None, None, 4]),
        ("abcd", "ad", [0, None, None, 1]),
        ("aaa", "aa", [0, 1, None]),
        ("ab", "xy", [0, 1]),
        ("a", "xyz", [None]),
    ],
)
def test_pieces_are_paired_by_beginning_and_end(
    own: str, other: str, expected: list[int | None]
) -> None:
    assert partners([*map(ord, own)], [*map(ord, other)]) == expected


def test_memory_carried_over_is_as_swapped_by_hand(translator: Translator) -> None:
    model, source = translator.model, translator.source(TIRED)
    it = source.tokens.index("▁it")
    given = (translator.tokenizer.begin_id, *translator.translate(TIRED).ids)
    with torch.inference_mode():
        memory, mask = model.encode(torch.tensor([source.ids]))
        other, _ = model.encode(torch.tensor([translator.source(WIDE).ids]))
        memory[:, it] = other[:, it]
        expected = model.decode(torch.tensor([given]), memory, mask)[0].numpy()
    patch = PatchActivation("encoder.memory", it, WIDE)
    recording = translator.record(source, given[1:], [patch])
    np.testing.assert_allclose(recording.logits, expected, atol=1e-4)
    plain = translator.record(source, given[1:])
    assert np.abs(recording.logits - plain.logits).max() > 1


def test_a_decoder_row_is_that_of_the_donors_own_translation(translator: Translator) -> None:
    own, other = translator.run(TIRED), translator.run(WIDE).recording
    site, step = "decoder.5.norm3", 12
    carried = translator.record(TIRED, own.translation, [PatchActivation(site, step, WIDE)])
    np.testing.assert_allclose(carried[site][step], other[site][step], atol=1e-5)
    np.testing.assert_allclose(carried.logits[step], other.logits[step], atol=1e-4)
    np.testing.assert_array_equal(carried.logits[:step], own.recording.logits[:step])


@pytest.mark.parametrize("site", ["encoder.input", "encoder.2.norm2", "encoder.memory"])
def test_all_of_a_sentence_carried_over_is_the_other_sentence(
    translator: Translator, site: str
) -> None:
    places = range(len(translator.source(TIRED).ids))
    run = translator.run(TIRED, [PatchActivation(site, place, WIDE) for place in places])
    other = translator.run(WIDE)
    assert (run.left_out, run.translation.ids) == ((), other.translation.ids)
    np.testing.assert_allclose(run.recording.logits, other.recording.logits, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_weights_that_a_head_has_change_nothing(translator: Translator, kind: Kind) -> None:
    run = translator.run(TIRED)
    row = run.recording.attention(kind)[3, 2, 5]
    row = row[:6] if kind == "decoder" else row
    same = SetAttention(kind, 3, 2, 5, tuple(map(float, row)))
    assert read(write([same])).interventions == (same,)
    changed = translator.record(TIRED, run.translation, [same])
    np.testing.assert_allclose(changed.logits, run.recording.logits, atol=1e-4)
    alone = tuple(float(key == 1) for key in range(len(row)))
    turned = translator.record(TIRED, run.translation, [SetAttention(kind, 3, 2, 5, alone)])
    values = turned[attention_site(kind, 3, "v")][2, 1]
    np.testing.assert_allclose(turned[attention_site(kind, 3, "z")][2, 5], values, atol=1e-5)


def test_a_step_that_looks_at_another_noun_writes_it(translator: Translator) -> None:
    text = "The boy sees the dog."
    plain = translator.translate(text)
    step = plain.tokens.index("▁chien")
    boy = translator.source(text).tokens.index("▁boy")
    turned = TurnAttention("cross", step, (boy,), ((4, None), (5, None)))
    for strategy in (Greedy(), Beam(4)):
        written = translator.translate(text, strategy, [turned])
        assert written.tokens[:step] == plain.tokens[:step]
        assert written.tokens[step] == "▁garçon"
    weights = translator.record(text, plain, [turned]).attention("cross")
    assert (weights[4:, :, step, boy] == 1).all()
    assert not (weights[:4, :, step, boy] == 1).any()


def test_of_two_that_leave_a_query_no_key_one_is_left_out(translator: Translator) -> None:
    turned = TurnAttention("encoder", 2, (1,), ((3, 2),))
    kept = TurnAttention("encoder", 2, (1,), ((3, 4),))
    run = translator.run(TIRED, [turned, kept, BlockAttention("encoder", 2, 1, 3, 2)])
    assert turned in run.left_out
    assert kept not in run.left_out


def test_what_does_not_fit_is_left_out_of_a_run(translator: Translator) -> None:
    end = len(translator.source(TIRED).ids) - 1
    misfits = [
        PatchActivation("encoder.memory", translator.source(TIRED).tokens.index("▁tired"), ASLEEP),
        PatchActivation("encoder.memory", 3, " "),
        PatchActivation("decoder.input", 200, WIDE),
        SetAttention("encoder", 0, 0, 1, (0.5, 0.5)),
    ]
    run = translator.run(TIRED, [*misfits, PatchActivation("encoder.memory", end, ASLEEP)])
    assert set(run.left_out) == set(misfits)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (PatchActivation("encoder.9.norm1", 0, DONOR), "no site 'encoder.9.norm1'"),
        (PatchActivation("encoder.0.self_attn.weights", 0, DONOR), "at which a token has a vector"),
        (PatchActivation("encoder.memory", 5, DONOR), "position must be 0 to 4, not 5"),
        (
            PatchActivation("encoder.memory", 2, DONOR),
            "'7' has nothing that stands for piece 2",
        ),
        (PatchActivation("encoder.memory", 1, DONOR, 0), "encoder.memory has no heads"),
        (PatchActivation("decoder.0.self_attn.q", 1, DONOR, 2), "head must be 0 to 1, not 2"),
        (SetAttention("cross", 0, 0, 1, (0.5, 0.6, 0, 0, 0)), "0 or more, and 1 together"),
        (SetAttention("cross", 0, 0, 1, (1.5, -0.5, 0, 0, 0)), "0 or more, and 1 together"),
        (SetAttention("cross", 0, 0, 1, (float("nan"),) * 5), "0 or more, and 1 together"),
        (SetAttention("cross", 0, 0, 1, (0.5, 0.5)), "5 weights expected, one a key, got 2"),
        (SetAttention("decoder", 0, 0, 2, (0.5, 0.5)), "3 weights expected, one a key, got 2"),
        (SetAttention("decoder", 0, 0, 4, (1.0,)), "query must be 0 to 3, not 4"),
        (SetAttention("encoder", 0, 2, 1, (1.0,)), "head must be 0 to 1, not 2"),
        (TurnAttention("cross", 4, (1,)), "query must be 0 to 3, not 4"),
        (TurnAttention("cross", 1, ()), "at least one key expected"),
        (TurnAttention("cross", 1, (2, 1)), "rising and each once"),
        (TurnAttention("cross", 1, (4, 5)), "key must be 0 to 4, not 5"),
        (TurnAttention("encoder", 1, (-1,)), "key must be 0 to 4, not -1"),
        (TurnAttention("decoder", 1, (2,)), "key must be 0 to 1, not 2"),
        (TurnAttention("cross", 1, (0,), ((2, None),)), "layer must be 0 to 1, not 2"),
        (TurnAttention("cross", 1, (0,), ((1, 2),)), "head must be 0 to 1, not 2"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(wrong: Intervention, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message).replace("'", ".")):
        prepare([wrong], CONFIG, Lengths(5, 4, donors()))


def test_a_vector_needs_a_run_to_come_from() -> None:
    patch = PatchActivation("encoder.memory", 1, DONOR)
    with pytest.raises(ValueError, match="needs a run of that sentence"):
        prepare([patch], CONFIG, Lengths(5, 4))


def test_positions_of_one_site_and_donor_stand_together() -> None:
    patches = [PatchActivation("encoder.3.self_attn.z", place, "Ça va ?", 3) for place in (0, 1, 4)]
    text = write(patches)
    assert text == "patch.e~4~attn~z.1-2~5.4.-c7-a~va~-3f-"
    assert set(read(text).interventions) == set(patches)


@pytest.mark.parametrize(
    "wrong",
    [
        "e~memory.1.all",
        "x.1.all.a",
        "e~memory.1-999.all.a",
        "e~1~norm3.1.all.a",
        "d~logits.1.all.a",
    ],
)
def test_a_link_that_names_no_such_place_is_refused(wrong: str) -> None:
    assert read(f"patch.{wrong}").refused == (f"patch.{wrong}",)


@pytest.mark.parametrize(("site", "runs"), [("encoder.memory", 1), ("decoder.5.norm3", 2)])
def test_a_run_encodes_its_donor_once_and_once_more_to_translate_it(
    translator: Translator, monkeypatch: pytest.MonkeyPatch, site: str, runs: int
) -> None:
    encode, seen = translator.model.encode, []

    def watched(source: torch.Tensor, *args: Tap) -> tuple[torch.Tensor, torch.Tensor]:
        seen.append(tuple(source[0].tolist()))
        return encode(source, *args)

    monkeypatch.setattr(translator.model, "encode", watched)
    run = translator.run(TIRED, [PatchActivation(site, 3, WIDE)])
    assert run.left_out == ()
    assert seen.count(translator.source(WIDE).ids) == runs
