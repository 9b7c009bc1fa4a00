import numpy as np
import pytest
from numpy.typing import NDArray

from model.sites.sites import KINDS, Kind
from model.words import word_numbers
from tests.fixtures.explorer_recordings import SPECIAL, recording
from viz.components.attention_explorer.head_statistics import (
    STATISTICS,
    Statistic,
    head_statistics,
    statistics_of,
)
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.components.attention_explorer.start import starting_point

LENGTH = 8
TOKENS = ("▁a", "▁b", ",", "▁c", "▁d", "▁e", ".", "</s>")


def one_head(weights: NDArray[np.float32]) -> ExplorerRecording:
    """Give every kind the same single head."""
    array = weights[None, None]
    return ExplorerRecording(
        TOKENS, TOKENS, TOKENS, array, array, array, SPECIAL, "", "", "checkpoint"
    )


def shifted(by: int) -> NDArray[np.float32]:
    """Each query looks only at the key `by` places on; at the ends, at itself."""
    rows = np.arange(LENGTH)
    keys = np.where((rows + by >= 0) & (rows + by < LENGTH), rows + by, rows)
    return np.eye(LENGTH, dtype=np.float32)[keys]


def column(index: int) -> NDArray[np.float32]:
    weights = np.zeros((LENGTH, LENGTH), dtype=np.float32)
    weights[:, index] = 1
    return weights


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("previous", shifted(-1)),
        ("next", shifted(1)),
        ("itself", shifted(0)),
        ("first", column(0)),
        ("last", column(LENGTH - 1)),
        ("punctuation", column(2)),
    ],
)
def test_a_head_that_does_one_thing_scores_one_in_it_alone(
    name: Statistic, weights: NDArray[np.float32]
) -> None:
    found = head_statistics(one_head(weights), "encoder")
    assert found[name].item() == pytest.approx(1)
    assert all(
        value.item() < 0.5 for other, value in found.items() if other not in (name, "sparsity")
    )


def test_sparsity_is_the_share_of_keys_that_a_row_does_not_need() -> None:
    even = np.full((LENGTH, LENGTH), 1 / LENGTH, dtype=np.float32)
    assert head_statistics(one_head(column(3)), "cross")["sparsity"].item() == pytest.approx(
        1 - 1 / LENGTH
    )
    assert head_statistics(one_head(even), "cross")["sparsity"].item() == pytest.approx(0)


def test_entropy_is_zero_on_one_key_and_one_when_spread_evenly() -> None:
    even = np.full((LENGTH, LENGTH), 1 / LENGTH, dtype=np.float32)
    assert head_statistics(one_head(column(3)), "cross")["entropy"].item() == 0
    assert head_statistics(one_head(even), "cross")["entropy"].item() == pytest.approx(1, abs=1e-5)


def test_an_even_head_is_even_over_the_keys_that_it_can_see() -> None:
    for length in (1, 2, 5, 10, 16, 31):
        causal = (
            np.tri(length, dtype=np.float32) / np.arange(1, length + 1, dtype=np.float32)[:, None]
        )
        sample = own_only("decoder", causal)
        found = head_statistics(sample, "decoder")
        assert found["entropy"].item() == pytest.approx(float(length > 1), abs=1e-5)
        assert found["sparsity"].item() == pytest.approx(0, abs=1e-5)
        masked = np.zeros((length + 3, length + 3), dtype=np.float32)
        masked[:, :length] = 1 / length
        places = frozenset(range(length, length + 3))
        found = head_statistics(own_only("encoder", masked, places), "encoder")
        assert found["entropy"].item() == pytest.approx(float(length > 1), abs=1e-5)
        assert found["sparsity"].item() == pytest.approx(0, abs=1e-5)


def test_a_causal_head_on_one_key_is_sparse_where_it_had_a_choice() -> None:
    found = head_statistics(own_only("decoder", column(0)), "decoder")
    assert found["entropy"].item() == 0
    choices = [1 - 1 / np.ceil(0.9 * keys) for keys in range(2, LENGTH + 1)]
    assert found["sparsity"].item() == pytest.approx(np.mean(choices))


def own_only(
    kind: Kind, weights: NDArray[np.float32], masked: frozenset[int] = frozenset()
) -> ExplorerRecording:
    """Self-attention of one head over made-up tokens, and no other attention."""
    tokens = tuple(f"▁t{n}" for n in range(len(weights)))
    own = weights[None, None]
    sides = (own, None, None) if kind == "encoder" else (None, own, None)
    return ExplorerRecording(tokens, tokens, (), *sides, SPECIAL, "", "", "", masked=masked)


def test_the_diagonal_of_a_longer_translation_is_still_diagonal() -> None:
    target = tuple(f"▁t{index}" for index in range(15))
    along = np.zeros((15, LENGTH), dtype=np.float32)
    along[np.arange(15), np.arange(15) // 2] = 1
    own = np.eye(15, dtype=np.float32)[None, None]
    source = np.eye(LENGTH, dtype=np.float32)[None, None]

    def diagonal(cross: NDArray[np.float32]) -> float:
        sample = ExplorerRecording(
            TOKENS, target, target, source, own, cross[None, None], SPECIAL, "", "", ""
        )
        return head_statistics(sample, "cross")["diagonal"].item()

    assert diagonal(along) == 1
    assert diagonal(along[:, ::-1]) < 0.4


def cross_only(weights: NDArray[np.float32]) -> ExplorerRecording:
    """Cross-attention (target, source) of a head; the rest is there and says nothing."""
    target, source = weights.shape
    own, other = (np.eye(size, dtype=np.float32)[None, None] for size in (target, source))
    names = tuple(f"▁t{n}" for n in range(target)), tuple(f"▁s{n}" for n in range(source))
    parts = (names[1], names[0], names[0], other, own, weights[None, None])
    return ExplorerRecording(*parts, SPECIAL, "", "", "")


@pytest.mark.parametrize(
    ("target", "source"), [(1, 1), (1, 3), (3, 1), (3, 2), (2, 5), (4, 9), (21, 31)]
)
def test_the_diagonal_is_a_band_from_corner_to_corner(target: int, source: int) -> None:
    """Within 15 % of the keys, or one key; a single query or key is at the first."""
    rng = np.random.default_rng(target)
    weights = rng.dirichlet(np.ones(source), size=target).astype(np.float32)
    slope = (source - 1 or 1) / (target - 1 or 1)
    band = max(1.0, 0.15 * source)
    rows: list[float] = []
    for row in range(target):
        inside = [key for key in range(source) if abs(key - row * slope) <= band]
        rows += [float(weights[row, inside].sum())] if inside else []
    found = head_statistics(cross_only(weights), "cross")["diagonal"].item()
    assert found == pytest.approx(np.mean(rows), abs=1e-5)


def test_entropy_and_sparsity_worked_out_by_hand() -> None:
    weights = np.array([[0.5, 0.5, 0], [0.85, 0.1, 0.05]], np.float32)
    found = head_statistics(cross_only(weights), "cross")
    rows = [sum(-p * np.log(p) for p in row if p) for row in weights.astype(float)]
    assert found["entropy"].item() == pytest.approx(np.mean(rows) / np.log(3), abs=1e-5)
    assert found["sparsity"].item() == pytest.approx(1 / 3)  # two keys of three make up 90 %
    less = head_statistics(cross_only(np.array([[0.45, 0.4, 0.05]], np.float32)), "cross")
    assert less["sparsity"].item() == pytest.approx(1 / 3)  # 90 % of a row that sums to 0.9
    two = head_statistics(cross_only(np.full((1, 2), 0.5, np.float32)), "cross")
    assert two["entropy"].item() == pytest.approx(1)


def test_each_kind_is_measured_by_what_means_something_for_it() -> None:
    shared = ("first", "last", "punctuation", "entropy", "sparsity")
    assert statistics_of("encoder") == ("previous", "next", "itself", *shared)
    assert statistics_of("decoder") == ("previous", "itself", *shared)
    assert statistics_of("cross") == ("diagonal", *shared)
    assert {name for kind in KINDS for name in statistics_of(kind)} == set(STATISTICS)
    for kind in KINDS:
        for values in head_statistics(recording(layers=(2, 3)), kind).values():
            assert values.shape == recording(layers=(2, 3)).weights(kind).shape[:2]
            assert (values >= 0).all()
            assert (values <= 1 + 1e-5).all()


def test_words_end_at_spaces_punctuation_and_french_apostrophes() -> None:
    def words(text: str) -> list[str]:
        tokens = tuple(text.split())
        numbers = word_numbers(tokens)
        merged = [""] * (numbers[-1] + 1)
        for token, number in zip(tokens, numbers, strict=True):
            merged[number] += token
        return merged

    assert words("▁The ▁animal ▁did n ' t ▁ti red . </s>") == [
        "▁The", "▁animal", "▁didn't", "▁tired", ".", "</s>",
    ]  # fmt: skip
    assert words("<s> ▁l ' animal ▁n ' a ▁pas") == ["<s>", "▁l'", "animal", "▁n'", "a", "▁pas"]
    assert words("▁avez - vous ▁un ▁( mot )") == ["▁avez-vous", "▁un", "▁(", "mot", ")"]
    assert words("▁ « ▁ oui ▁ !") == ["▁«", "▁oui", "▁!"]


def test_it_opens_where_a_head_looks_at_other_words() -> None:
    sample = recording()
    weights = sample.weights("encoder")
    weights[:] = 1 / weights.shape[-1]
    weights[3, 5] = 0
    weights[3, 5, :, 8] = 1  # every query looks at ▁street
    assert starting_point(sample).heads["encoder"] == (3, 5)


def test_it_opens_on_the_encoder_when_cross_attention_shows_nothing() -> None:
    sample = recording()
    assert starting_point(sample).kind == "cross"
    weights = sample.weights("cross")
    weights[:] = 1 / weights.shape[-1]
    assert starting_point(sample).kind == "encoder"
