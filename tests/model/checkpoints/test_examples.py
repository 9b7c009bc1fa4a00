"""The examples that go with a model: what is read, and what is wrong said in one sentence."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from model.checkpoints.checkpoint import CHECKPOINTS
from model.checkpoints.examples import EXAMPLES, LONGEST, MOST, Examples, Meanings, read_examples

WHOLE: dict[str, Any] = {
    "source": "zh",
    "target": "en",
    "typed": "cat",
    "sentences": [{"text": "我爱你。", "reference": "I love you."}, {"text": "你好！"}],
    "story": {"first": "他来。", "second": "她来。", "source": ["他", "她"]},
    "pairs": [{"name": "他 / 她", "first": "他来。", "second": "她来。"}],
    "meanings": [{"word": "打", "sentences": ["打我。", "打球。"], "target": ["hit", "play"]}],
    "rivals": [["he", "she"]],
    "weak_spots": [{"what": "idioms", "text": "画蛇添足。"}],
}


def read(folder: Path, content: object) -> Examples | None:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    (folder / EXAMPLES).write_text(text, encoding="utf-8")
    return read_examples(folder)


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, WHOLE)
    assert found is not None
    assert (found.source, found.target, found.typed) == ("zh", "en", "cat")
    assert found.texts == ("我爱你。", "你好！")
    assert [one.reference for one in found.sentences] == ["I love you.", ""]
    assert found.story is not None
    assert (found.story.asks, found.story.source, found.story.target) == (
        "",
        ("他", "她"),
        ("", ""),
    )
    assert found.pairs[0].name == "他 / 她"
    assert found.meanings == (Meanings("打", ("打我。", "打球。"), ("hit", "play")),)
    assert found.weak_spots[0].what == "idioms"
    assert [found.rival(word) for word in ("he", "she", "it")] == ["she", "he", None]


def test_only_languages_and_a_sentence_have_to_be_there(tmp_path: Path) -> None:
    found = read(tmp_path, {name: WHOLE[name] for name in ("source", "target", "sentences")})
    assert found is not None
    assert (found.story, found.pairs, found.meanings, found.rivals) == (None, (), (), ())
    assert (found.typed, found.weak_spots) == ("", ())


def test_the_longest_text_and_the_longest_list_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, {**WHOLE, "sentences": [{"text": "a" * LONGEST}] * MOST})
    assert found is not None
    assert found.texts == ("a" * LONGEST,) * MOST


def test_a_folder_without_the_file_has_none(tmp_path: Path) -> None:
    assert read_examples(tmp_path) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source": "Chinese"}, 'the file, source: a code such as "en" expected'),
        ({"target": None}, "the file, target: a text of 1 to 400 characters expected, found None"),
        ({"sentences": []}, "the file, sentences: one or more expected, found none"),
        ({"sentences": "x"}, "the file, sentences: a list of at most 60 entries expected"),
        ({"sentences": [{"text": "a"}] * (MOST + 1)}, "a list of at most 60 entries"),
        ({"sentences": [7]}, "the file, sentences 1: an object expected, found int"),
        ({"sentences": [{"text": " "}]}, "the file, sentences 1, text: a text of 1 to 400"),
        ({"sentences": [{"text": "a" * (LONGEST + 1)}]}, "sentences 1, text: a text of 1 to 400"),
        (
            {"sentences": [{"text": "a", "refrence": "b"}]},
            "the file, sentences 1: 'refrence' is not known; known are: expect, link, "
            "look, reference, shows, text",
        ),
        ({"storys": {}}, "the file: 'storys' is not known"),
        ({"story": {"first": "a", "second": "b"}}, "the file, story, source: two texts expected"),
        ({"story": {**WHOLE["story"], "source": ["a"]}}, "story, source: two texts expected"),
        ({"meanings": WHOLE["meanings"] * 2}, "meanings: the word '打' stands there twice"),
        ({"rivals": [["he"]]}, "the file, rivals 1: two texts expected"),
        ({"pairs": [{"name": "a", "first": "b"}]}, "the file, pairs 1, second: a text of 1"),
        (
            {"meanings": [{"word": "a", "sentences": ["a", 3], "target": ["a", "b"]}]},
            "the file, meanings 1, sentences: a text of 1 to 400 characters expected, found 3",
        ),
        ({"rivals": [["he", "she"], [3, "she"]]}, "the file, rivals 2: a text of 1 to 400"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        read(tmp_path, {**WHOLE, **change})
    assert str(error.value).startswith(f"{tmp_path / EXAMPLES}: the file")
    assert str(error.value).count(EXAMPLES) == 1
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("content", ["", "[]", '{"a": ', "[" * 100_000])
def test_what_is_no_json_object_is_one_sentence(tmp_path: Path, content: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(str(tmp_path / EXAMPLES))}: \w"):
        read(tmp_path, content)


SHIPPED = sorted(CHECKPOINTS.glob(f"*/{EXAMPLES}"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_the_shipped_ones_are_whole(path: Path) -> None:
    found = read_examples(path.parent)
    assert found is not None
    assert len(found.texts) >= 5
    assert found.story is not None
    assert {found.story.first, found.story.second} <= set(found.texts)


def test_a_word_of_a_meaning_counts_where_a_word_begins() -> None:
    found = Meanings("打", ("打我。", "打球。"), ("hit", "play"))
    assert found.told_apart(["He hit me.", "He plays ball."]) == (True, True)
    assert found.told_apart(["White.", "Display"]) == (False, False)
    assert found.told_apart(["HIT me!", "Who plays?"]) == (True, True)
