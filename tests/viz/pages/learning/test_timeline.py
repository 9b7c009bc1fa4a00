import json
import zlib
from types import MappingProxyType

import numpy as np

from model.checkpoints.checkpoint import CHECKPOINTS
from model.recording.history import CUTS, History, KnownSentence, load_history, not_measured
from model.sites.sites import Kind
from viz.pages.learning.marks import Mark
from viz.pages.learning.timeline import FRAMES, pack


def test_the_browser_gets_one_sentence_and_can_undo_the_differences() -> None:
    random = np.random.default_rng(0)
    sentence = KnownSentence("A b", "C d", ("▁A", "▁b", "</s>"), ("<s>", "▁C"))
    shapes: dict[Kind, tuple[int, int]] = {"encoder": (3, 3), "decoder": (2, 2), "cross": (2, 3)}
    arrays: dict[tuple[int, Kind], np.ndarray] = {
        (number, kind): random.integers(0, 256, (4, 2, 3, *shape), np.uint8)
        for number in range(2)
        for kind, shape in shapes.items()
    }
    cuts = not_measured(4)
    cuts[2:, CUTS.index("none")], cuts[2:, CUTS.index("link")] = (0.75, 0.9), (0.5, 0.4807)
    history = History(
        np.array([0, 1, 10, 100]),
        np.array([9, 8.25, 7, 1.00001], np.float32),
        (sentence, sentence),
        (("", "x"), ("a", "y"), ("b", "z"), ("c", "<b>")),
        MappingProxyType(arrays),
        cuts,
        runs=(0, 2),
    )
    marks = (Mark(2, "there", "looks", ("encoder", 1, 2), (2, 0, 1)), Mark(3, "too", "also"))
    sent = pack(history, 1, marks, ("cross", 1, 0))
    length = int.from_bytes(sent[:4], "little")
    header = json.loads(sent[4 : 4 + length])
    assert header["steps"] == [0, 1, 10, 100]
    assert header["runs"] == [0, 2]
    assert header["losses"] == [9.0, 8.25, 7.0, 1.0]
    assert header["translations"] == ["x", "y", "z", "<b>"]
    assert header["right"] == [None, None, 0.75, 0.9]
    assert header["cut"] == [None, None, 0.5, 0.481]
    assert header["decided"] is None
    assert header["marks"][0] == {
        "moment": 2,
        "text": "there",
        "head": ["encoder", 1, 2],
        "cell": [2, 0, 1],
        "short": "looks",
        "told": False,
    }
    assert header["marks"][1]["head"] is header["marks"][1]["cell"] is None
    assert header["head"] == ["cross", 1, 0]
    assert header["frames"] == FRAMES == 10
    body, at = zlib.decompress(sent[4 + length :]), 0
    for name, size, shape in header["arrays"]:
        count = size * int(np.prod(shape))
        found = np.frombuffer(body[at : at + count], np.uint8).reshape(shape)
        whole = np.cumsum(found, axis=0, dtype=np.uint8)
        np.testing.assert_array_equal(whole, arrays[1, name])
        at += count
    assert at == len(body)


def test_an_undecided_pronoun_counts_half_where_it_was_counted() -> None:
    history = load_history(CHECKPOINTS / "en-fr")
    decided = history.decided_under("link")
    assert decided is not None
    right, wrong = decided
    sent = pack(history, 0, (), ("encoder", 5, 3))
    header = json.loads(sent[4 : 4 + int.from_bytes(sent[:4], "little")])
    assert header["decided"] == [right, wrong]
    assert header["cut"][-1] == round(right + (1 - right - wrong) / 2, 3)
    likelier = history.cuts[-1, CUTS.index("link")]
    assert right <= likelier <= 1 - wrong
    earlier = float(history.cuts[-2, CUTS.index("link")])
    assert header["cut"][-2] == round(earlier, 3)
