"""Pages with a model from Chinese to English: its examples, its story, its pieces, its lesson."""

import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoints.examples import EXAMPLES
from model.training import card
from tests.app.conftest import FIRST, OpenPage, start
from tests.app.shown import components, message
from tests.tiny_zh import FIRST as YESTERDAY
from tests.tiny_zh import KNOWN, NAME, STORY
from tests.tiny_zh import SECOND as TOMORROW
from viz.compute import examples, models, runs, swings
from viz.pages.tokens import cutting_panels
from viz.sharing.kept import SHELF, of_namespace
from viz.shell.lessons.shelf import read_shelf, scene_link

MIXED = "他说：“我爱 NLP，你呢？”"


@pytest.fixture(scope="module", autouse=True)
def folder(tiny_zh_en: Path) -> Iterator[Path]:
    """It is named at start, and so it goes before the shipped model of its name.

    Results are kept by that name, so none of either model may be left to the other's tests.
    """
    SHELF.remove(of_namespace(NAME))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(models.NAMED_AT_START, os.pathsep.join(("en-fr", str(tiny_zh_en))))
        yield tiny_zh_en
    SHELF.remove(of_namespace(NAME))


def component(page: AppTest, name: str) -> dict[str, Any]:
    (found,) = [c for c in page.get("bidi_component") if c.proto.component_name == name]
    return message(found)


def said(page: AppTest) -> list[str]:
    return [one.value for kind in ("info", "warning", "error") for one in page.get(kind)]  # pyrefly: ignore[missing-attribute]


def opened(link: str, **more: str) -> AppTest:
    parts = urlsplit(link)
    return start(parts.path, **dict(parse_qsl(parts.query, keep_blank_values=True)), **more)


def test_only_characters_that_the_model_has_no_piece_for_are_offered(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cutting_panels, "RARE", ("我", "龘"))
    assert open_page("tokens").segmented_control(key="rare").options == ["None", "我", "龘"]
    ours = open_page("tokens", model=NAME)
    assert ours.segmented_control(key="rare").options == ["None", "龘"]


def test_the_head_follows_the_model(open_page: OpenPage) -> None:
    page = open_page("tokens", model=NAME)
    box = page.text_input(key="sentence")
    assert box.value == YESTERDAY
    assert box.placeholder == "A sentence in Chinese, then Enter"
    found = page.get("bidi_component")
    (menu,) = [one for one in found if one.proto.component_name == "example_list"]
    cards = json.loads(message(menu)["text"])["groups"][0]["cards"]
    assert [card["text"] for card in cards[:2]] == [YESTERDAY, TOMORROW]
    html = [one.proto.body for one in page.get("html")]
    assert any('lang="zh"' in body and "昨天" in body for body in html)
    assert any('lang="en"' in body and "went" in body for body in html)


def test_an_example_gives_way_when_the_model_changes_and_what_is_typed_stays(
    open_page: OpenPage,
) -> None:
    page = open_page("tokens")
    english = page.text_input(key="sentence").value
    page.selectbox("model").select(NAME).run()
    assert not page.exception
    assert page.text_input(key="sentence").value == YESTERDAY
    page.selectbox("model").select("en-fr").run()
    assert page.text_input(key="sentence").value == english
    page.text_input(key="sentence").set_value("My sister sings.").run()
    page.selectbox("model").select("en-fr-dot").run()
    assert page.text_input(key="sentence").value == "My sister sings."


def test_the_story_is_told_with_its_own_pair(open_page: OpenPage) -> None:
    page = open_page(FIRST, model=NAME)
    assert not page.exception
    assert not page.warning
    sent = json.loads(json.loads(components(page)[0].proto.json)["text"])
    for number, sentence in enumerate((YESTERDAY, TOMORROW)):
        words = [word["texts"][number] for word in sent["source"]]
        assert "".join(words) == sentence
    assert sent["languages"] == ["zh", "en"]
    assert sent["source"][sent["switch"]]["texts"] == STORY["source"]
    assert sent["pieces"] == ["went", "will"]
    arc = sent["arcs"][-1]
    assert arc["keys"] == [sent["switch"]] * 2
    with models.using(NAME):
        swing = swings.swing()
        recording = runs.translator().record(YESTERDAY, "I")
    assert (arc["kind"], arc["layer"], arc["head"]) == (swing.kind, swing.layer, swing.head)
    row = 2 if swing.kind == "encoder" else -1  # 我 昨天 去; in the others the step that decides
    weight = recording.attention(swing.kind)[swing.layer, swing.head, row, 1]
    shown = arc["onKeys"][0][0][0]
    assert shown == pytest.approx(float(weight), abs=1e-4)


def test_pieces_are_the_words_and_bytes_are_their_character(open_page: OpenPage) -> None:
    page = open_page("attention", model=NAME, sentence="我爱龘。")
    sent = component(page, "attention_explorer")
    tokens, words = sent["source"]["tokens"], sent["source"]["words"]
    rare = [place for place, token in enumerate(tokens) if token.startswith("<0x")]
    assert len(rare) == 3
    assert len({words[place] for place in rare}) == 1
    assert len(set(words)) == len(tokens) - 2
    assert sent["words"]["cross hint"] == "English tokens look at Chinese tokens (3)"
    assert "Chinese has no spaces" in sent["words"]["note words"]
    assert sent["language"] == "en"


def test_the_download_holds_the_chinese_pieces(open_page: OpenPage) -> None:
    with models.using(NAME):
        recording = runs.run(MIXED).recording
    with np.load(io.BytesIO(recording.archive())) as archive:
        names = [name for name in archive.files if "source_tokens" in name]
        assert [str(token) for token in archive[names[0]]] == list(recording.source_tokens)
    assert not open_page("attention", model=NAME, sentence=MIXED).exception


def test_a_minimal_pair_parts_where_its_english_does(open_page: OpenPage) -> None:
    page = open_page("lab_pairs", model=NAME)
    assert not page.exception
    assert page.text_input(key="second").value == TOMORROW
    assert [b.label for b in page.button if (b.key or "").startswith("pair ")] == ["昨天 / 明天"]
    first = component(page, "pair_cards")["cards"][0]["lines"]
    new = {line: [text for _, text, _, is_new in words if is_new] for line, words in first.items()}
    assert new["source"][0].startswith("昨")
    assert "went" in new["target"]


def test_the_decoder_writes_english(open_page: OpenPage) -> None:
    page = open_page("decoder", model=NAME)
    assert [one.value for one in page.header] == ["Writing English"]
    sent = component(page, "step_decoder")
    assert sent["branches"][0]["text"] == "I went to school."
    assert sent["words"]["type empty"] == "Type a piece first, such as cat."


def test_traditional_characters_get_a_hint_and_simplified_ones(open_page: OpenPage) -> None:
    page = open_page("tokens", model=NAME, sentence="我愛學習。")
    assert any("愛學習" in text and "simplified" in text for text in said(page))
    page.button("simplify").click().run()
    assert page.text_input(key="sentence").value == "我爱学习。"
    assert not any("simplified" in text for text in said(page))
    plain = open_page("tokens", sentence="我愛學習。")
    assert not any("simplified" in text for text in said(plain))


def test_a_character_is_compared_in_two_contexts(open_page: OpenPage) -> None:
    page = open_page("why", model=NAME, why="one word, two meanings")
    assert not page.exception
    assert page.pills(key="word").value == "打"
    assert [one.value for one in page.text_input][-2:] == ["他在打篮球。", "他打了我。"]
    assert len(page.get("plotly_chart")) == 1
    assert any("Translated as two meanings" in one.value for one in page.markdown)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("number", range(1, 8))
def test_its_lesson_opens_in_every_scene(number: int, language: str) -> None:
    lesson = read_shelf(language).find("one_word")
    assert lesson is not None
    assert len(lesson.scenes) == 7
    page = opened(scene_link(lesson, number), lang=language)
    assert not page.exception
    assert page.session_state["model"] == NAME
    shown = "\n".join(one.value for one in page.markdown)
    assert f"#### {lesson.scenes[number - 1].title}" in shown
    assert "{{" not in shown
    assert not any("8-one_word" in text for text in said(page))
    if lesson.scenes[number - 1].question:
        page.button(f"lesson choice {number} 0").click().run()
        assert not page.exception
        assert "{{" not in "\n".join(one.value for one in page.markdown)


def test_its_lesson_is_not_listed_without_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(models.NAMED_AT_START, "en-fr")
    monkeypatch.setattr(models, "folders", lambda: {"en-fr": Path("x")})
    assert read_shelf("en").find("one_word") is None


def test_a_link_with_language_and_model_opens_the_same_view_elsewhere(open_page: OpenPage) -> None:
    page = open_page("lab_heads", model=NAME, lang="zh", sentence=MIXED, edits="zero.c.1.2")
    link = {name: "".join(value) for name, value in page.query_params.items()}
    assert (link["model"], link["lang"], link["sentence"]) == (NAME, "zh", MIXED)
    again = start("lab_heads", **link)
    assert not again.exception
    assert [one.label for one in again.button] == [one.label for one in page.button]
    assert [one.proto.body for one in again.get("html")] == [
        one.proto.body for one in page.get("html")
    ]


@pytest.mark.parametrize("content", ["{", '{"source": "zh"}', '{"source": "zh", "sentences": 3}'])
def test_damaged_examples_are_one_sentence_and_the_pages_stay(
    open_page: OpenPage, folder: Path, content: str
) -> None:
    path = folder / EXAMPLES
    whole = path.read_text(encoding="utf-8")
    try:
        path.write_text(content, encoding="utf-8")
        for link in (FIRST, "attention", "lab_pairs", "why"):
            page = open_page(link, model=NAME)
            assert not page.exception
            (sentence,) = [text for text in said(page) if "examples" in text]
            assert sentence.startswith("The examples of zh\\-en are left out: examples.json") or (
                sentence.startswith("The examples of zh-en are left out: examples.json")
            )
        with models.using(NAME):
            assert examples.languages() is None
    finally:
        path.write_text(whole, encoding="utf-8")
    assert not any("examples" in text for text in said(open_page("attention", model=NAME)))


def test_its_card_is_measured_and_shown(
    open_page: OpenPage, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path(shutil.copytree(folder, tmp_path / NAME))
    pairs = tmp_path / "pairs.tsv"
    lines = [f"{text}\t{said}\n" for text, said in KNOWN.items()]
    pairs.write_text("".join(lines), encoding="utf-8")
    values = json.loads((own / "card.json").read_text(encoding="utf-8"))
    told = {"settings": {}, "steps": 100, "hours": 0.1, "machine": "m", "data": {"train": "a"}}
    (own / "card.json").write_text(json.dumps(values | told), encoding="utf-8")
    files = ["--dev", str(pairs), "--test", str(pairs), "--beam", "1"]
    monkeypatch.setattr(sys, "argv", ["card", *files, "--checkpoint", str(own)])
    card.main()
    monkeypatch.setenv(models.NAMED_AT_START, os.pathsep.join(("en-fr", str(own))))
    for language, heading in (("en", "English, as it comes out"), ("zh", "英语，原样输出")):
        page = open_page("about", model=NAME, lang=language)
        assert not page.exception
        assert [one.value for one in page.metric if "BLEU" in one.label] == ["100.0"]
        tables = [one.proto.body for one in page.get("html") if "<table" in one.proto.body]
        assert all(heading in table for table in tables)
        assert "I went to school." in tables[0]
        assert "画蛇添足" in tables[1]
        assert not any("Pronouns" in one.label or "代词" in one.label for one in page.tabs)
