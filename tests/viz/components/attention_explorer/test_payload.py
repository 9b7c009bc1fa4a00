import json
import re
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from model.sites.sites import KINDS
from tests.fixtures.explorer_recordings import SOURCE, TARGET, heads, long_recording, recording
from viz.components.attention_explorer import message, script
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.components.attention_explorer.words import explorer_words


def decoded(sent: bytes) -> tuple[dict[str, Any], dict[str, NDArray[np.uint8]]]:
    """Read a message by its specification, independently of the code that wrote it."""
    length = int.from_bytes(sent[:4], "little")
    header = json.loads(sent[4 : 4 + length])
    body = np.frombuffer(zlib.decompress(sent[4 + length :]), dtype=np.uint8)
    arrays, offset = {}, 0
    for kind in ("encoder", "decoder", "cross"):
        shape = [header["kinds"][kind][name] for name in ("layers", "heads", "queries", "keys")]
        size = int(np.prod(shape))
        arrays[kind] = body[offset : offset + size].reshape(shape)
        offset += size
    assert offset == len(body)
    return header, arrays


@pytest.mark.parametrize(
    "sample",
    [
        recording(),
        recording(layers=(6, 3)),
        recording(layers=(1, 4), count=3),
        recording(("▁Hi", "</s>"), ("<s>", "▁Sal", "ut", "!")),
        recording(("</s>",), ("<s>",)),
        long_recording(128),
    ],
    ids=["same", "fewer decoder layers", "fewer encoder layers", "short", "single", "long"],
)
def test_every_kind_arrives_within_one_step(sample: ExplorerRecording) -> None:
    _, arrays = decoded(message(sample))
    for kind in KINDS:
        exact = sample.weights(kind)
        assert arrays[kind].shape == exact.shape
        assert np.abs(arrays[kind] / 255 - exact).max() <= 1 / 255


def test_a_masked_key_stays_at_zero() -> None:
    _, arrays = decoded(message(recording()))
    ahead = np.triu(np.ones((len(TARGET), len(TARGET)), dtype=bool), k=1)
    assert not arrays["decoder"][:, :, ahead].any()


def test_the_look_ahead_mask_is_told_from_weights_of_zero() -> None:
    header, _ = decoded(message(recording()))
    assert [header["kinds"][kind]["causal"] for kind in KINDS] == [False, True, False]
    good = recording()
    lifted = replace(good, decoder=heads(6, 8, len(TARGET), len(TARGET), seed=5))
    assert not decoded(message(lifted))[0]["kinds"]["decoder"]["causal"]


def test_header_describes_both_sides() -> None:
    header, _ = decoded(message(recording()))
    assert header["source"]["tokens"] == list(SOURCE)
    assert header["target"]["tokens"] == list(TARGET)
    assert header["target"]["predicted"] == [*TARGET[1:], "</s>"]
    assert header["source"]["special"] == [token == "</s>" for token in SOURCE]
    assert header["target"]["predictedSpecial"] == [False] * (len(TARGET) - 1) + [True]


def test_the_same_recording_gives_the_same_bytes() -> None:
    assert message(recording()) == message(recording())
    assert message(recording()) != message(recording(seed=1))


def test_fifty_tokens_fit_into_250_kilobytes() -> None:
    assert len(message(long_recording(50))) <= 250_000


def test_wrong_shapes_are_refused() -> None:
    good = recording()
    with pytest.raises(ValueError, match=r"cross: axis 2 \(query\) expected to be 17"):
        ExplorerRecording(
            good.source_tokens,
            good.target_tokens,
            good.predicted_tokens,
            good.encoder,
            good.decoder,
            good.weights("cross")[:, :, :-1],
            good.special_tokens,
            "",
            "",
            "",
        )


def test_more_tokens_than_can_be_drawn_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 256 a side"):
        long_recording(257)


def test_every_word_the_script_asks_for_exists() -> None:
    asked = set(re.findall(r'app\.say\("([^"]+)"', script()))
    missing = asked - set(explorer_words(("en", "fr")))
    assert asked
    assert not missing


def test_the_script_asks_nothing_of_another_host() -> None:
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", script()))
    assert addresses == {"http://www.w3.org/2000/svg"}


def test_lengths_of_values_arrive_as_shares_of_the_longest_of_their_head() -> None:
    given = recording()
    rng = np.random.default_rng(1)
    sizes = {kind: (*given.weights(kind).shape[:2], given.weights(kind).shape[3]) for kind in KINDS}
    lengths = {kind: rng.uniform(0.1, 9, size).astype(np.float32) for kind, size in sizes.items()}
    sent = message(replace(given, lengths=lengths))
    start = 4 + int.from_bytes(sent[:4], "little")
    body = np.frombuffer(zlib.decompress(sent[start:]), dtype=np.uint8)
    listed = json.loads(sent[4:start])["arrays"]
    at = 0
    found = {}
    for name, _, shape in listed:
        size = int(np.prod(shape))
        found[name] = body[at : at + size].reshape(shape)
        at += size
    for kind, own in lengths.items():
        shares = found[f"lengths {kind}"] / 255
        assert np.abs(shares - own / own.max(axis=-1, keepdims=True)).max() <= 0.5 / 255 + 1e-6
    with pytest.raises(ValueError, match="lengths of values expected"):
        replace(given, lengths=lengths | {"cross": lengths["cross"][..., 1:]})
