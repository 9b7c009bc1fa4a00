"""Messages as files: nothing is lost on the way, and what is common stands there once."""

import base64
import json
import zlib
from typing import Any

import numpy as np

from viz.components.message import pack
from viz.site.messages import Drawn, drawn, parted, script_json

NUMBERS = np.arange(12, dtype=np.uint8).reshape(3, 4)


def test_a_message_is_taken_apart_with_its_numbers_deflated() -> None:
    for deflated in (False, True):
        found = drawn(pack({"id": "é"}, {"a": NUMBERS}, deflate=deflated), deflated=deflated)
        assert found.header == {"id": "é", "arrays": [["a", 1, [3, 4]]]}
        assert found.body == NUMBERS.tobytes()


def in_languages() -> dict[str, list[Drawn]]:
    words = {"en": "Play", "zh": "播放"}
    return {
        code: [
            Drawn({"words": words[code], "width": 2, "text": text, "mark": f"{code} {text}"}, body)
            for text, body in (("one", b"1"), ("two", b"2"))
        ]
        for code in words
    }


def test_every_language_gets_its_whole_message_back() -> None:
    messages = in_languages()
    found = parted(messages)
    for code, own in messages.items():
        for text, one in zip(found.files, own, strict=True):
            file: dict[str, Any] = json.loads(text)
            assert {**found.common[code], **file["own"], **file["said"][code]} == one.header
            assert zlib.decompress(base64.b64decode(file["body"])) == one.body


def test_nothing_stands_twice() -> None:
    found = parted(in_languages())
    assert found.common["zh"] == {"words": "播放", "width": 2}
    assert [set(json.loads(text)["own"]) for text in found.files] == [{"text"}, {"text"}]
    assert json.loads(found.files[0])["said"] == {
        "en": {"mark": "en one"},
        "zh": {"mark": "zh one"},
    }


def test_a_page_of_one_message_has_all_in_common() -> None:
    messages = {code: own[:1] for code, own in in_languages().items()}
    assert parted(messages).common["en"] == messages["en"][0].header


def test_a_text_cannot_end_the_script_it_stands_in() -> None:
    text = script_json({"text": "</script><!-- ü"})
    assert "<" not in text
    assert json.loads(text) == {"text": "</script><!-- ü"}
