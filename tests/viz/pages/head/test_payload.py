import json

import numpy as np

from viz.pages.head.head_chain.payload import ChainPicture, encode


def decoded(message: bytes) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    length = int.from_bytes(message[:4], "little")
    header = json.loads(message[4 : 4 + length])
    arrays, at = {}, 4 + length
    for name, size, shape in header["arrays"]:
        count = int(np.prod(shape)) * size
        kind = "<f4" if size == 4 else "<f2"
        arrays[name] = np.frombuffer(message[at : at + count], kind).reshape(shape)
        at += count
    assert at == len(message)
    return header, arrays


def test_arrays_and_words_come_out_as_they_went_in() -> None:
    rng = np.random.default_rng(5)
    numbers = {"q": rng.normal(size=4), "k": rng.normal(size=(3, 4))}
    matrices = {"w_q": rng.normal(size=(8, 4))}
    picture = ChainPicture(
        ["▁it"], ["▁The", "<b>", "</s>"], 0, 2, 8, "decoder", "encoder",
        np.array([True, True, False]), numbers, matrices, 2.0, 0.5, True,
    )  # fmt: skip
    header, arrays = decoded(encode(picture, {"mask": "mask"}, {"query": "#000000"}))
    assert header["keys"] == ["·The", "<b>", "</s>"]
    assert header["queries"] == ["·it"]
    assert header["allowed"] == [True, True, False]
    assert (header["query"], header["head"]) == (0, 2)
    assert (header["divisor"], header["temperature"], header["changed"]) == (2.0, 0.5, True)
    assert (header["queryStack"], header["keyStack"]) == ("decoder", "encoder")
    assert header["words"] == {"mask": "mask"}
    for name, array in numbers.items():
        np.testing.assert_array_equal(arrays[name], array.astype("f4"))
    np.testing.assert_array_equal(arrays["w_q"], matrices["w_q"].astype("f2"))
