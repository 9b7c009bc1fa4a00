"""Traditional characters are found, and written as simplified ones."""

import pytest

from model.chinese import simplified, traditional_in


@pytest.mark.parametrize(
    ("text", "found", "written"),
    [
        ("他說：「今天天氣很好！」", ("說", "氣"), "他说：「今天天气很好！」"),
        ("我愛學習，學習。", ("愛", "學", "習"), "我爱学习，学习。"),
        ("我爱你。", (), "我爱你。"),
        ("Hello, été!", (), "Hello, été!"),
        ("", (), ""),
    ],
)
def test_traditional_characters_have_simplified_ones(
    text: str, found: tuple[str, ...], written: str
) -> None:
    assert traditional_in(text) == found
    assert simplified(text) == written
    assert traditional_in(simplified(text)) == ()


def test_what_simplified_texts_use_too_stays() -> None:
    text = "乾坤、著名、皇后、公里、干杯、面条"
    assert simplified(text) == text
