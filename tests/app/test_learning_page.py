import pytest

from tests.app.conftest import OpenPage

TOPICS = ("one example", "teacher forcing", "some steps", "rate and dropout")


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("sentence", ["I am hungry.", "Hi", "word " * 200, "la la la", "🦊", "."])
def test_every_topic_takes_every_sentence(open_page: OpenPage, topic: str, sentence: str) -> None:
    page = open_page("learning", learning=topic, sentence=sentence)
    assert not page.exception
