import pytest

from tests.emphasis import unseen_emphasis


@pytest.mark.parametrize(
    "text",
    [
        "写的是*il*、有**两个**词",
        "它写了。*{{translation}}*。",
        "是 **98.1%**。变了",
        "3 * 4",
        "`a*`和$x^*$",
        "* one\n* two",
    ],
)
def test_emphasis_that_is_seen(text: str) -> None:
    assert unseen_emphasis(text) == []


@pytest.mark.parametrize("text", ["占**98.1%**的", "写*“il”*的", "在** 词**里", "只有*一个"])
def test_emphasis_that_would_show_its_stars(text: str) -> None:
    assert unseen_emphasis(text)
