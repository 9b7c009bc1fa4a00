"""Which sentences a run records."""

from model.training.data.known_sentences import CHINESE, ENGLISH, known_sentences
from model.training.data.pairs import Pair
from model.training.loop.prepare import may_be_learned


def test_a_chinese_run_records_chinese_sentences() -> None:
    assert known_sentences([Pair("你好。", "Hello."), Pair("谢谢。", "Thanks.")]) == CHINESE
    assert known_sentences([Pair("Hello.", "Bonjour."), Pair("谢谢。", "Merci.")]) == ENGLISH


def test_what_is_recorded_is_not_learned() -> None:
    assert not any(map(may_be_learned, CHINESE))
    assert may_be_learned(Pair("我昨天没去学校。", "I didn't go to school yesterday."))
