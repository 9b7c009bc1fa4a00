"""The line under a translation that is unsure, and the presses that help."""

import pytest

from tests.app.conftest import OpenPage
from tests.viz.compute.test_doubts import UGARITIC
from viz.compute import doubts, familiarity, runs
from viz.language.wording import escaped
from viz.shell.doubts import WHOLE


def test_a_character_without_a_piece_is_named_and_a_press_leaves_it_out(
    open_page: OpenPage,
) -> None:
    page = open_page("attention", sentence=f"I love you {UGARITIC}.")
    assert any(f"no piece for {UGARITIC}" in one.value for one in page.markdown)
    page.button(key="better sentence").click().run()
    assert page.text_input(key="sentence").value == "I love you."


def test_a_sentence_of_another_language_leads_to_the_model_that_reads_it(
    open_page: OpenPage,
) -> None:
    page = open_page("attention", sentence="\u6211\u7231\u4f60\u3002")
    assert any("This model reads English" in one.value for one in page.markdown)
    assert not any("**Unsure of:**" in one.value for one in page.markdown)
    page.button(key="model that reads it").click().run()
    assert page.query_params["model"] in ("zh-en", ["zh-en"])
    assert "model that reads it" not in [one.key for one in page.button]


def test_a_number_that_the_translation_has_otherwise_is_said_though_all_words_are_sure(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(familiarity, "word_limit", lambda: 0.0)
    monkeypatch.setattr(doubts, "wrong_number", lambda *_texts: ("812", "81"))
    page = open_page("attention", sentence="She has 812 books.")
    assert any("It wrote 81; your sentence has 812." in one.value for one in page.markdown)


def test_unsure_words_are_named_with_a_sentence_that_works_but_not_in_a_changed_model(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(familiarity, "word_limit", lambda: 1.1)
    sentence = "My sister is here."
    page = open_page("attention", sentence=sentence)
    assert any("**Unsure of:** *" in one.value for one in page.markdown)
    changed = open_page("attention", sentence=sentence, edits="zero.e.6.4")
    assert not any("**Unsure of:**" in one.value for one in changed.markdown)
    works = page.button(key="sentence that works")
    works.click().run()
    taken = page.text_input(key="sentence").value
    assert taken != sentence
    assert works.label.endswith(str(taken))
    page.text_input(key="sentence").set_value("My brother is here.").run()
    assert any("**Unsure of:** *" in one.value for one in page.markdown)
    assert "sentence that works" not in [one.key for one in page.button]


LONG = (
    "When the train arrived at the station, my parents were already waiting on the platform, and "
    "they gave me a small box full of letters."
)


def test_a_translation_that_the_bar_cuts_off_is_said_in_full_and_no_more_than_long(
    open_page: OpenPage,
) -> None:
    page = open_page("attention", sentence=LONG)
    written = runs.run(LONG).translation.text
    assert len(written) > WHOLE
    assert [one.sign for one in familiarity.far(LONG)] == ["long"]
    line = next(one.value for one in page.markdown if "**In full:**" in one.value)
    assert escaped(written) in line
    assert "Do not rely" not in line
    short = open_page("attention", sentence="My sister is here.")
    assert not any("**In full:**" in one.value for one in short.markdown)


def test_what_is_doubted_has_the_place_of_the_line_that_nothing_is_changed(
    open_page: OpenPage,
) -> None:
    nothing = "Nothing is changed yet"
    doubted = open_page("lab_heads", sentence=LONG)
    assert any("**In full:**" in one.value for one in doubted.markdown)
    assert not any(nothing in one.value for one in doubted.caption)
    sure = open_page("lab_heads")
    assert any(nothing in one.value for one in sure.caption)


def test_a_new_sentence_that_opens_elsewhere_says_so_and_the_last_head_can_be_kept(
    open_page: OpenPage,
) -> None:
    page = open_page("attention")
    page.text_input(key="sentence").set_value("My little sister ate all the cookies.").run()
    told = [one.value for one in page.caption if "before it was encoder 6.4" in one.value]
    assert told
    stay = next(one for one in page.button if one.label == "Stay with encoder 6.4")
    stay.click().run()
    assert page.query_params["kind"] in ("encoder", ["encoder"])
    assert not any("before it was" in one.value for one in page.caption)
