import json
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import BlockAttention, Recording, TurnAttention
from model.checkpoints.examples import StoryPair
from model.interventions import link_text
from model.sites.sites import KINDS, Kind
from tests.app.conftest import MAIN
from tests.app.shown import components
from tests.sentences import TIRED_OR_WIDE
from viz.compute import pairs, runs, swings
from viz.compute.cuts import LOOKS, ArcHead, Cuts
from viz.pages.story.numbers import story
from viz.pages.story.story_picture.texts import words


def told() -> dict[str, Any]:
    """Open the first page and read what the browser gets."""
    page = AppTest.from_file(str(MAIN), default_timeout=240).run()
    assert not page.exception
    assert not page.warning
    sent = components(page)[0].proto
    return json.loads(json.loads(sent.json)["text"])


def recorded(sentence: str) -> Recording:
    """Record a sentence anew, without the app's caches."""
    return runs.translator().record(sentence)


def texts(words: list[dict[str, Any]], number: int) -> str:
    return "".join(" " * word["spaced"] + word["texts"][number] for word in words).strip()


def deciding(sent: dict[str, Any]) -> dict[str, Any]:
    """Return the arc of the head that decides: the last one."""
    return sent["arcs"][-1]


def test_the_first_page_tells_both_sentences_and_their_translations() -> None:
    sent = told()
    assert sent["words"]["promise"] == words(shipped=True)["promise"]
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        assert texts(sent["source"], number) == sentence
        assert texts(sent["target"], number) == runs.translator().translate(sentence).text
    assert sent["source"][sent["switch"]]["texts"] == ["tired", "wide"]
    assert ["il", "elle"] in [word["texts"][:2] for word in sent["target"]]
    reads, decides = sent["arcs"]
    assert sent["target"][reads["query"]]["texts"][:2] == ["il", "elle"]
    for word in (decides["query"], *reads["keys"]):
        assert sent["source"][word]["texts"] == ["it", "it"]
    assert [sent["source"][noun]["texts"][0] for noun in decides["keys"]] == ["animal", "street"]


def test_each_arc_leads_to_where_else_its_head_looks_like_this() -> None:
    sent = told()
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        recording = recorded(sentence)
        for arc, links in zip(sent["arcs"], sent["alike"], strict=True):
            page, query = links[number].split("?", 1)
            asked = dict(parse_qsl(query))
            assert (page, asked["atlas"], asked["sentence"]) == ("atlas", "Where else?", sentence)
            assert asked["kind"] == arc["kind"]
            place = int(asked["layer"]) - 1, int(asked["head"]) - 1
            row = int(asked["word" if arc["kind"] == "encoder" else "step"]) - 1
            weights = recording.attention(arc["kind"])[place][row]
            assert weights[int(asked["key"]) - 1] == weights.max() > 0.9


def test_its_weights_are_those_of_the_named_head_in_a_fresh_recording() -> None:
    sent = told()
    kind, layer, head = (deciding(sent)[name] for name in ("kind", "layer", "head"))
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        recording = recorded(sentence)
        row = recording.source_tokens.index("▁it")
        weights = recording.attention(kind)[layer, head, row]
        arc = deciding(sent)
        shown = arc["weights"][number][arc["query"]]
        pieces = zip(arc["keys"], ("▁animal", "▁street"), arc["onKeys"][number][0], strict=True)
        for noun, piece, on_key in pieces:
            expected = weights[recording.source_tokens.index(piece)]
            assert shown[noun] == pytest.approx(expected, abs=1e-4)
            assert on_key == pytest.approx(expected, abs=1e-4)


def test_no_other_head_moves_more_from_one_noun_to_the_other() -> None:
    """Brute force over all heads that look at the source from the step or from "it"."""
    found = swings.swing(TIRED_OR_WIDE)
    first, second = recorded(TIRED_OR_WIDE.first), recorded(TIRED_OR_WIDE.second)
    animal, street = (first.source_tokens.index(piece) for piece in ("▁animal", "▁street"))
    rows = {
        "cross": (first.target_tokens.index("il") - 1, second.target_tokens.index("elle") - 1),
        "encoder": (first.source_tokens.index("▁it"),) * 2,
    }
    for kind, (one, other) in rows.items():
        before, after = first.attention(kind)[:, :, one], second.attention(kind)[:, :, other]  # pyrefly: ignore[bad-argument-type]
        moved = np.minimum(
            before[..., animal] - after[..., animal], after[..., street] - before[..., street]
        )
        assert found.moved >= moved.max() - 1e-5
    assert found.kind in KINDS
    assert found.moved > 0.5


def test_a_turned_arc_has_the_numbers_of_the_turned_model() -> None:
    sent, translator = told(), runs.translator()
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        own = translator.translate(sentence)
        step = own.tokens.index(("il", "elle")[number])
        for arc in sent["arcs"]:
            turns = arc["turns"][number]
            assert all(turns)
            for turn in (turns[arc["keys"][0]], turns[0]):
                (turned,) = link_text.read(turn["edit"]).interventions
                assert isinstance(turned, TurnAttention)
                head = arc["layer"], arc["head"]
                assert turned.heads == (() if arc["kind"] == "cross" else (head,))
                logits = translator.record(sentence, own, [turned]).logits[step].astype(float)
                chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
                ids = [translator.tokenizer.id(piece) for piece in ("il", "elle")]
                assert turn["likely"] == pytest.approx(chances[ids], abs=1e-4)
                text = translator.run(sentence, [turned]).translation.text
                version = turn["written"]
                assert text == (turn["translation"] or texts(sent["target"], version))


def test_the_chances_of_both_pronouns_are_the_models() -> None:
    sent = told()
    for number, sentence in enumerate((TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)):
        recording = recorded(sentence)
        row = recording.target_tokens.index(("il", "elle")[number]) - 1
        logits = recording.logits[row].astype(np.float64)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        ids = [runs.translator().tokenizer.id(piece) for piece in ("il", "elle")]
        assert sent["likely"][number][0] == pytest.approx(chances[ids], abs=1e-5)


def test_the_story_has_no_sentence_box_and_no_plotly() -> None:
    page = AppTest.from_file(str(MAIN), default_timeout=240).run()
    assert not page.text_input
    assert not page.get("plotly_chart")


def test_two_sentences_that_part_in_nothing_tell_no_story() -> None:
    same = StoryPair("The cat.", "The cat.", "it", ("cat", "dog"), ("chat", "chien"))
    assert pairs.pair(same.first, same.second).decision is None
    with pytest.raises(ValueError, match="no head decides"):
        swings.swing(same)


def test_nouns_that_are_not_there_are_named() -> None:
    wrong = StoryPair(
        TIRED_OR_WIDE.first, TIRED_OR_WIDE.second, "it", ("cat", "dog"), ("chat", "chien")
    )
    with pytest.raises(ValueError, match="no word 'cat'"):
        swings.swing(wrong)


@pytest.mark.parametrize(
    ("kind", "query", "key", "sides"),
    [
        ("encoder", "it", "animal", ("source", "source")),
        ("decoder", "il", "rue", ("target", "target")),
        ("cross", "il", "street", ("target", "source")),
    ],
)
def test_a_head_of_any_kind_can_tell_the_story(
    kind: Kind, query: str, key: str, sides: tuple[str, str]
) -> None:
    """Another checkpoint may decide in the decoder: the same words, other sides."""
    pair = pairs.pair(TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)
    likely, on_keys = np.zeros((2, 1, 2)), np.zeros((2, 1, 2))
    own = tuple((side.run.translation.tokens,) for side in (pair.first, pair.second))
    found = story(
        pair,
        TIRED_OR_WIDE,
        Cuts((ArcHead(kind, 3, 2),), False, likely, likely[:, :, 0], (on_keys,), own, (((), ()),)),
    )
    (arc,) = found.arcs
    assert (arc.query_side, arc.key_side) == sides
    words = {"source": found.source, "target": found.target}
    assert words[arc.query_side][arc.query].texts[0] == query
    keys = [word.texts[0] for word in words[arc.key_side]]
    recording = recorded(TIRED_OR_WIDE.first)
    queries, tokens = recording.tokens(kind)
    row = queries.index("▁it") if kind == "encoder" else queries.index("il") - 1
    expected = recording.attention(kind)[3, 2, row, tokens.index("▁" + key)]
    assert arc.weights[0, arc.query, keys.index(key)] == pytest.approx(expected, abs=1e-5)
    assert found.written == ((0,), (1,))
    assert found.carried is None


def test_every_combination_of_changes_is_sent_with_its_words() -> None:
    sent = told()
    assert np.array(sent["likely"]).shape == (2, 16, 2)
    assert np.array([arc["onKeys"] for arc in sent["arcs"]]).shape == (2, 2, 16, 2)
    assert sent["source"][sent["carried"]]["texts"] == ["it", "it"]
    for number, side in enumerate(sent["written"]):
        assert side[0] == number
        for version, whole in zip(side, sent["translations"][number], strict=True):
            assert (version is None) == bool(whole)
            assert version is None or version < len(sent["target"][0]["texts"])
    for number in range(2):
        # What is forbidden gets nothing: bit 0 is the cross link, bit 1 the encoder's.
        assert not np.array(sent["arcs"][0]["onKeys"])[number, 1::2].any()
        assert not np.array(sent["arcs"][1]["onKeys"])[number, [2, 3, 6, 7]].any()
        # Where no link is cut, it does not matter in which heads.
        for carried in (0, 4):
            assert sent["likely"][number][carried] == sent["likely"][number][8 + carried]


def chances(sentence: str, forbidden: list[BlockAttention]) -> list[float]:
    """Return the probabilities of il and elle at their step."""
    translator = runs.translator()
    own = translator.translate(sentence)
    logits = translator.record(sentence, own, forbidden).logits.astype(float)
    step = next(n for n, piece in enumerate(own.tokens) if piece in ("il", "elle"))
    shares = np.exp(logits[step] - logits[step].max())
    shares /= shares.sum()
    return [float(shares[translator.tokenizer.id(piece)]) for piece in ("il", "elle")]


def test_a_link_is_cut_in_the_head_that_it_is_drawn_for_or_in_all_heads() -> None:
    sent = told()
    arc = sent["arcs"][1]
    for number, sentence in enumerate(sent["sentences"]):
        tokens = runs.source(sentence).tokens
        it, *nouns = (tokens.index(piece) for piece in ("▁it", "▁animal", "▁street"))
        for combination, place in ((2, (arc["layer"], arc["head"])), (10, (None, None))):
            forbidden = [BlockAttention("encoder", it, noun, *place) for noun in nouns]
            expected = chances(sentence, forbidden)
            assert sent["likely"][number][combination] == pytest.approx(expected, abs=1e-5)
        looked = runs.run(sentence).recording.attention("encoder")[:, :, it, nouns[number]]
        places = {(other["layer"], other["head"]) for other in arc["also"][number]}
        looking = {(int(layer), int(head)) for layer, head in np.argwhere(looked >= LOOKS)}
        assert places | {(arc["layer"], arc["head"])} == looking
        for other in arc["also"][number]:
            place = other["layer"], other["head"]
            forbidden = [BlockAttention("encoder", it, noun, *place) for noun in nouns]
            assert other["likely"] == pytest.approx(chances(sentence, forbidden), abs=1e-5)


def test_a_recurrent_model_has_nothing_to_cut() -> None:
    page = AppTest.from_file(str(MAIN), default_timeout=240)
    page.query_params["model"] = "en-fr-dot"
    sent = json.loads(json.loads(components(page.run())[0].proto.json)["text"])
    (arc,) = sent["arcs"]
    assert not arc["cuttable"]
    assert sent["carried"] is None
    assert np.array(sent["likely"]).shape == (2, 1, 2)


def test_lessons_of_the_model_in_use_come_first_and_others_name_theirs() -> None:
    own = [lesson["scenes"] for lesson in told()["lessons"]]
    others = [scenes for scenes in own if scenes.endswith(" · with zh-en")]
    assert others == own[-len(others) :]
    assert not any("with" in scenes for scenes in own[: -len(others)])
    page = AppTest.from_file(str(MAIN), default_timeout=240)
    page.query_params["model"] = "zh-en"
    sent = components(page.run())[0].proto
    chinese = [one["scenes"] for one in json.loads(json.loads(sent.json)["text"])["lessons"]]
    assert not any("with" in scenes for scenes in chinese[: len(others)])
    assert all(scenes.endswith(" · with en-fr") for scenes in chinese[len(others) :])


def linked(first: str, second: str) -> dict[str, Any]:
    """Open a link with two sentences and return what the browser gets, with the answer."""
    page = AppTest.from_file(str(MAIN), default_timeout=240)
    page.query_params["first"], page.query_params["second"] = first, second
    assert not page.run().exception
    data = json.loads(components(page)[0].proto.json)
    return {**json.loads(data["text"]), "problem": data["problem"]}


def test_a_link_tells_the_story_of_two_other_sentences() -> None:
    pair = ("The cat is sleeping.", "The dog is sleeping.")
    sent = linked(*pair)
    assert sent["problem"] == ""
    for number, sentence in enumerate(pair):
        assert texts(sent["source"], number) == sentence
        assert texts(sent["target"], number) == runs.translator().translate(sentence).text
    assert sent["source"][sent["switch"]]["texts"] == ["cat", "dog"]
    page, query = sent["links"]["follow"].split("?", 1)
    assert (page, dict(parse_qsl(query))["sentence"]) == ("attention", pair[0])


def test_a_link_without_a_story_leaves_the_first_one_and_says_why() -> None:
    long = "The cat.", "word " * 40
    for pair, reason in (
        (("The cat.", "The cat."), "same"),
        (("The cat.", ""), "empty"),
        (long, "long 41"),
    ):
        sent = linked(*pair)
        assert sent["problem"] == reason
        assert sent["words"]["pair"]["reasons"][reason.split()[0]]
        assert sent["sentences"] == [TIRED_OR_WIDE.first, TIRED_OR_WIDE.second]
