"""The page Atlas without a browser: on the shipped index, and on a model that has none."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
import sacrebleu
from streamlit.testing.v1 import AppTest

from model.measures.atlas.measures import changes
from model.measures.atlas.roles import ROLES
from model.sites.sites import Head
from tests.app.conftest import OpenPage, start
from tests.app.shown import components, message
from viz.compute import atlas, many, models, runs
from viz.pages.atlas import where_view
from viz.pages.atlas.roles import QUIET, SINK_BELOW


def shown(page: AppTest, name: str) -> dict[str, Any]:
    return message(next(c for c in components(page) if c.proto.component_name == name))


def said(page: AppTest) -> str:
    return "\n".join(one.value for one in (*page.markdown, *page.caption, *page.info))


@pytest.fixture
def loaded() -> atlas.Atlas:
    return atlas.atlas(())


def test_the_board_says_of_every_head_what_the_index_says(
    open_page: OpenPage, loaded: atlas.Atlas
) -> None:
    page = open_page("atlas", kind="encoder", layer="6", head="4")
    assert not page.exception
    told = shown(page, "atlas_board")
    assert [board["kind"] for board in told["boards"]] == ["encoder", "decoder", "cross"]
    assert told["chosen"] == {"kind": "encoder", "layer": 5, "head": 3}
    for board in told["boards"]:
        kind, sure = board["kind"], loaded.best(board["kind"]).sure
        cells = [[cell["sure"] for cell in row] for row in board["cells"]]
        np.testing.assert_allclose(cells, sure, atol=1e-3)
        names = ROLES[kind]
        scores = loaded.scores(kind)[:, 2, 1]
        best = loaded.best(kind).nearest[2, 1]
        assert f"{scores[best]:.2f} of its weight" in board["cells"][2][1]["said"], names[best]
        assert board["picture"].startswith("data:image/png")
    assert not told["order"]


def test_the_finding_counts_the_heads_with_a_role(open_page: OpenPage, loaded: atlas.Atlas) -> None:
    best = {kind: loaded.best(kind) for kind in loaded.kinds}
    named = sum(int((one.role >= 0).sum()) for one in best.values())
    page = open_page("atlas", kind="encoder", layer="6", head="4")
    rest = sum(
        int(
            np.isin(
                one.role, [ROLES[kind].index(role) for role in QUIET if role in ROLES[kind]]
            ).sum()
        )
        for kind, one in best.items()
    )
    assert f"**{named - rest}** have a habit with a name, {rest} rest on" in said(page)
    assert f"{144 - named} do neither." in said(page)


def test_heads_that_rest_and_take_next_to_nothing_are_named_sinks(open_page: OpenPage) -> None:
    page = open_page("atlas", model="zh-en", kind="decoder", layer="1", head="1")
    index = atlas.load_atlas(models.folder_of("zh-en"))
    sinks: set[Head] = set()
    for kind in index.kinds:
        best, taken = index.best(kind).role, index.taken(kind)
        assert taken is not None
        rest = [ROLES[kind].index(role) for role in ("first", "end") if role in ROLES[kind]]
        for layer, head in np.argwhere(np.isin(best, rest) & (taken < SINK_BELOW)):
            sinks.add(Head(kind, int(layer), int(head)))
    assert Head("decoder", 0, 0) in sinks
    told = shown(page, "atlas_board")
    named = {
        Head(board["kind"], layer, head)
        for board in told["boards"]
        for layer, row in enumerate(board["cells"])
        for head, cell in enumerate(row)
        if told["legend"][cell["role"]]["name"] == "a sink"
    }
    assert named == sinks


def test_heads_are_sorted_by_how_much_they_take(open_page: OpenPage) -> None:
    page = open_page("atlas", model="zh-en", arranged="by how much they take")
    figures = [float(figure) for *_place, figure in shown(page, "atlas_board")["order"]]
    assert len(figures) == 144
    assert figures == sorted(figures, reverse=True)


def test_the_evidence_is_counted_over_the_corpus(open_page: OpenPage, loaded: atlas.Atlas) -> None:
    page = open_page("atlas", kind="encoder", layer="6", head="4")
    head = Head("encoder", 5, 3)
    holds, of = loaded.share(head, "antecedent")
    assert f"In **{holds} of {of}** sentences" in said(page)
    rows = shown(page, "evidence_list")["rows"]
    strongest = loaded.evidence(head, "antecedent", "strongest", len(rows))
    assert [row["value"] for row in rows] == [f"{one.value:.2f}" for one in strongest]
    assert all(right for row in rows for *_link, right in row["links"])
    name, link = rows[0]["opens"][0]
    assert name == "Attention"
    assert link.startswith("attention?sentence=")
    assert "kind=encoder&layer=6&head=4&word=" in link
    name, link = rows[0]["opens"][2]
    query, key, *_rest = rows[0]["links"][0]
    assert (name, link.split("?")[0]) == ("Where else?", "atlas")
    asked = dict(parse_qsl(link.split("?", 1)[1]))
    assert [asked[of] for of in ("word", "key")] == [str(query + 1), str(key + 1)]
    assert asked["atlas"] == "Where else?"


def test_failures_are_failures_and_a_role_can_be_chosen(open_page: OpenPage) -> None:
    page = open_page("atlas", kind="cross", layer="5", head="6", evidence="where it fails")
    rows = shown(page, "evidence_list")["rows"]
    assert all(float(row["value"]) <= 0.5 for row in rows)
    page.selectbox(key="role of cross 5.6").select("end").run()
    assert "goes to the end token" in said(page)
    drawn = open_page("atlas", kind="cross", layer="5", head="6", evidence="drawn at random")
    before = shown(drawn, "evidence_list")["rows"]
    next(button for button in drawn.button if button.label == "Draw others").click().run()
    assert shown(drawn, "evidence_list")["rows"] != before


def test_heads_are_sorted_by_what_was_measured(open_page: OpenPage, loaded: atlas.Atlas) -> None:
    page = open_page("atlas", arranged="by what is lost without them")
    order = shown(page, "atlas_board")["order"]
    assert len(order) == 144
    losses = [loaded.loss(kind)[layer, head] for kind, layer, head, _figure in order]
    assert losses == sorted(losses, reverse=True)
    assert [figure.replace("\u2212", "-") for *_place, figure in order] == [
        f"{loss:.3f}" for loss in losses
    ]


def test_heads_are_sorted_and_filtered_by_any_measure(
    open_page: OpenPage, loaded: atlas.Atlas
) -> None:
    page = open_page("atlas", arranged="antecedent")
    at = ROLES["encoder"].index("antecedent")
    scores = loaded.scores("encoder")[at]
    known = {kind for kind in loaded.kinds if "antecedent" in ROLES[kind]}
    order = shown(page, "atlas_board")["order"]
    assert {kind for kind, *_rest in order} == known
    assert len(order) == len(known) * 48
    first = next(head for head in order if head[0] == "encoder")
    assert first[3] == f"{scores.max():.2f}"
    slider = page.select_slider(key="within antecedent")
    least = min(one for one in map(float, slider.options) if one >= 0.5)
    slider.set_range(least, float(slider.value[1])).run()
    assert not page.exception
    kept = shown(page, "atlas_board")["order"]
    assert 0 < len(kept) < len(order)
    assert all(float(figure) >= 0.5 for *_place, figure in kept)
    assert f"**{len(kept)}** of {len(order)} heads" in said(page)


def test_a_query_of_cross_attention_is_named_by_what_it_writes(open_page: OpenPage) -> None:
    link = {"kind": "cross", "layer": "5", "head": "7", "word": "14", "key": "12"}
    page = open_page("atlas", atlas="Where else?", **link)
    rows = shown(page, "evidence_list")["rows"]
    assert rows
    for row in rows:
        query = row["links"][0][0]
        written = [*row["queries"], "</s>"][query + 1]
        assert row["looking"][0] == f"writing {written}"
    assert next(c for c in components(page) if message(c).get("note", "").startswith("writing"))


@pytest.mark.parametrize("alike", [where_view.SCORES, where_view.WORDS, where_view.OUTPUT])
def test_places_alike_are_found(open_page: OpenPage, alike: str) -> None:
    link = {"kind": "encoder", "layer": "6", "head": "4", "word": "12"}
    page = open_page("atlas", atlas="Where else?", alike=alike, **link)
    assert not page.exception
    rows = shown(page, "evidence_list")["rows"]
    assert len(rows) > 3
    some, every = atlas.searched_in(()), len(atlas.atlas(()))
    assert page.segmented_control(key="alike").options == [
        f"By its query and key · in {some} of {every:,} sentences",
        f"By the words · in all {every:,} sentences",
        f"By what it writes · in {some} of {every:,} sentences",
    ]
    pronouns = [row["queries"][row["links"][0][0]] for row in rows]
    assert set(pronouns) <= {"·it", "·It"} or alike == where_view.OUTPUT
    if alike == where_view.WORDS:
        assert "“it” stands" in said(page)
        assert {row["keys"][row["links"][0][1]] for row in rows} == {"·animal"}


def test_the_map_says_how_far_to_trust_it(open_page: OpenPage) -> None:
    page = open_page("atlas", atlas="Queries and keys", kind="cross", layer="5", head="3")
    assert not page.exception
    head, sentence = Head("cross", 4, 2), str(page.session_state["sentence"])
    plane = atlas.points((), head, sentence)
    assert f"rank correlation of **{plane.agreement:.2f}**" in said(page)
    assert shown(page, "joint_map")["axes"]
    other = open_page(
        "atlas",
        atlas="Queries and keys",
        kind="cross",
        layer="5",
        head="3",
        map="neighbours together",
    )
    near = atlas.points((), head, sentence, neighbours=True)
    assert near.agreement != plane.agreement
    assert f"rank correlation of **{near.agreement:.2f}**" in said(other)
    told = shown(other, "joint_map")
    assert told["axes"] is None
    for n, dot in enumerate(told["dots"][: len(near.q)]):
        assert [dot["x"], dot["y"]] == pytest.approx(near.q[n].tolist(), abs=1e-3)


@pytest.mark.parametrize("way", ["two exact axes", "neighbours together"])
def test_a_dot_knows_its_true_strongest_links(open_page: OpenPage, way: str) -> None:
    page = open_page(
        "atlas", atlas="Queries and keys", kind="encoder", layer="6", head="4", map=way
    )
    dots = shown(page, "joint_map")["dots"]
    corpus = [dot for dot in dots if not dot["own"]]
    recording = runs.run(str(page.session_state["sentence"])).recording
    tokens, weights = recording.source_tokens, recording.attention("encoder")[5, 3]
    first = len(corpus)
    assert len(dots) == first + 2 * len(tokens)
    for row in (0, 11):
        links = dots[first + row]["links"]
        assert [to - first - len(tokens) for to, _ in links] == np.argsort(-weights[row])[
            :3
        ].tolist()
        assert [weight for _, weight in links] == pytest.approx(
            np.sort(-weights[row])[:3] * -1, abs=1e-3
        )
        ((to, _), *_rest) = dots[first + len(tokens) + row]["links"]
        assert to - first == weights[:, row].argmax()
    half = first // 2
    assert all(dot["links"][0][0] == n + half for n, dot in enumerate(corpus[:half]))


def test_dots_are_coloured_by_what_they_are(open_page: OpenPage) -> None:
    by_word = shown(
        open_page("atlas", atlas="Queries and keys", coloured="kind of word"), "joint_map"
    )
    colour_of = {name: colour for name, colour in by_word["legend"]}
    assert {"punctuation", "special token", "frequent word"} <= set(colour_of)
    marks = [dot["colour"] for dot in by_word["dots"] if dot["token"] == "."]
    assert set(marks) == {colour_of["punctuation"]}
    by_place = shown(open_page("atlas", atlas="Queries and keys", coloured="position"), "joint_map")
    assert by_place["scale"]["low"] == "position 1"
    assert len({dot["colour"] for dot in by_place["dots"]}) > 10


def test_a_model_without_an_index_is_measured_here(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(models.NAMED_AT_START, str(own))
    page = start("atlas", sentence="The quick fox.")
    assert not page.exception
    assert "Nobody has measured the heads" in said(page)
    page.text_area(key="atlas sentences").set_value("").run()
    assert not [one for one in page.button if one.label.startswith("Measure all heads")]
    page.text_area(key="atlas sentences").set_value("A fox.\n\nThe quick fox.\nA fox.").run()
    label = "Measure all heads on 2 sentences"
    next(one for one in page.button if one.label == label).click().run()
    assert not page.exception
    told = shown(page, "atlas_board")
    assert [len(board["cells"]) for board in told["boards"]] == [2, 3, 3]
    assert "on 2 sentences" in said(page)
    page.selectbox(key="arranged").select("aligned_predicted").run()
    assert not page.exception
    order = shown(page, "atlas_board")["order"]  # which cross layer aligns?
    assert {kind for kind, *_rest in order} == {"cross"}
    assert len(order) == 3 * 16
    figures = [float(figure) for *_place, figure in order]
    assert figures == sorted(figures, reverse=True)
    page.segmented_control(key="atlas").select("Where else?").run()
    assert not page.exception
    assert len(shown(page, "evidence_list")["rows"]) == 2
    assert "By the words · in all 2 sentences" in page.segmented_control(key="alike").options
    assert start("atlas", sentence="The quick fox.").info  # another visitor has not asked


TSV = "I see the cat.\tJe vois le chat.\n\nIt is late.\tIl est tard.\n  \nWe lost."


def fill(page: AppTest, text: str) -> AppTest:
    page.text_area(key="many box").set_value(text).run()
    asked = [one for one in page.button if one.label.startswith("Translate ")]
    return asked[0].click().run() if asked else page  # another test may have asked already


def test_many_sentences_are_translated_and_scored(open_page: OpenPage) -> None:
    page = fill(open_page("atlas", atlas="Many sentences", kind="cross", layer="5", head="3"), TSV)
    assert not page.exception
    table = page.dataframe[0].value
    assert table["sentence"].tolist() == ["I see the cat.", "It is late.", "We lost."]
    said = [runs.run(text).translation.text for text in table["sentence"]]
    assert table["translation"].tolist() == said
    recording = runs.run("We lost.").recording
    sharp = recording.attention("cross")[4, 2].max(-1).mean()
    assert table["sharpness of cross 5.3"].tolist()[2] == pytest.approx(sharp, abs=0.006)
    score = sacrebleu.corpus_bleu(said[:2], [["Je vois le chat.", "Il est tard."]]).score
    assert f"BLEU **{score:.1f}**" in "\n".join(one.value for one in page.markdown)
    page.text_input(key="many filter").set_value("LATE").run()
    assert page.dataframe[0].value["sentence"].tolist() == ["It is late."]
    page.text_input(key="many filter").set_value("").run()
    page.selectbox(key="many figure").select("log-probability a piece").run()
    slider = page.select_slider(key="within log-probability a piece")
    slider.set_range(slider.value[0], slider.value[0]).run()
    likely = table["log-probability a piece"].tolist()
    worst = table["sentence"].tolist()[likely.index(min(likely))]
    assert page.dataframe[0].value["sentence"].tolist() == [worst]
    assert "1 of 3 sentences" in [one.value for one in page.caption]
    page.text_input(key="many filter").set_value("nowhere").run()
    assert "There is no such sentence." in [one.value for one in page.info]


def test_a_change_is_held_against_the_unchanged_model(open_page: OpenPage) -> None:
    off = "_".join(f"zero.c.{layer}.{head}" for layer in range(1, 7) for head in range(1, 9))
    page = open_page("atlas", atlas="Many sentences", edits=off)
    page = fill(page, TSV)
    assert not page.exception
    table = page.dataframe[0].value
    assert table["before the change"].tolist()[0] == runs.run("I see the cat.").translation.text
    assert table["translation"].tolist() != table["before the change"].tolist()
    then, now = table["chrF, before the change"], table["chrF"]
    np.testing.assert_allclose(table["chrF more there"], then - now, atol=0.11, equal_nan=True)
    assert max(table["chrF more there"].tolist()) > 0
    assert "the change costs" in "\n".join(one.value for one in page.markdown)


def test_sentences_are_grouped_by_a_word_and_by_length(open_page: OpenPage) -> None:
    page = fill(open_page("atlas", atlas="Many sentences", grouped="with and without a word"), TSV)
    assert not page.exception
    table = page.dataframe[0].value
    assert table["group"].tolist() == ["with “it”", "without “it”"]
    assert table["sentences"].tolist() == [1, 2]
    texts = ["It is late.", "I see the cat.", "We lost."]
    likely = [runs.run(text).translation for text in texts]
    means = [one.log_prob / (len(one.ids) + 1) for one in likely]
    expected = [means[0], (means[1] + means[2]) / 2]
    assert table["log-probability a piece"].tolist() == pytest.approx(expected, abs=1e-3)
    score = sacrebleu.corpus_bleu([likely[0].text], [["Il est tard."]]).score
    assert table["BLEU"].tolist()[0] == pytest.approx(score, abs=0.06)
    page.text_input(key="many word").set_value("cat").run()
    assert page.dataframe[0].value["group"].tolist() == ["with “cat”", "without “cat”"]
    long = "One two three four five six seven.\nTom lost.\nTom won."
    page = fill(open_page("atlas", atlas="Many sentences", grouped="by length"), long)
    assert page.dataframe[0].value["group"].tolist() == ["1 to 5 words", "6 to 10 words"]
    assert page.dataframe[0].value["sentences"].tolist() == [2, 1]


def test_another_model_translates_beside(open_page: OpenPage) -> None:
    page = open_page("atlas", atlas="Many sentences", kind="cross", layer="5", head="3")
    assert "zh-en" not in page.selectbox(key="many beside").options  # of other languages
    page.selectbox(key="many beside").select("en-fr-dot").run()
    page = fill(page, TSV)
    assert not page.exception
    table = page.dataframe[0].value
    with models.using("en-fr-dot"):
        said = [runs.run(text).translation.text for text in table["sentence"]]
    assert table["by en-fr-dot"].tolist() == said
    assert "by en-fr-dot: " in "\n".join(one.value for one in page.markdown)


def test_what_is_no_list_of_sentences_is_said_in_a_sentence(open_page: OpenPage) -> None:
    page = open_page("atlas", atlas="Many sentences")
    page.text_area(key="many box").set_value(" \n\n").run()
    assert [one.value for one in page.warning] == [
        "There is no sentence to read: UTF-8 text is needed, one sentence on each line."
    ]
    for content in (b"", "schön".encode("latin-1"), b"PK\x03\x04\0\0", b"a" * 3_000_000):
        with pytest.raises(ValueError, match=r"no sentence|UTF-8|not text|larger"):
            many.read_lines(content)
    read = many.read_lines("\ufeffOne.\tEins.\r\nTwo.\n".encode() * 300)
    assert read.lines[0] == many.Line("One.", "Eins.")
    assert (len(read.lines), read.dropped) == (500, 100)


def test_the_board_is_held_against_its_past(open_page: OpenPage, loaded: atlas.Atlas) -> None:
    page = open_page("atlas", kind="encoder", layer="6", head="4", against="With its past")
    assert not page.exception
    told = shown(page, "change_cards")
    assert loaded.before is not None
    moved = changes(loaded.before, loaded)
    assert [card["name"] for card in told["cards"][:3]] == [
        f"{one.head.kind} {one.head.layer + 1}.{one.head.head + 1}" for one in moved[:3]
    ]
    first = told["cards"][0]
    assert (first["before"], first["now"]) == (f"{moved[0].before:.2f}", f"{moved[0].now:.2f}")
    assert len(told["cards"]) == 144
    assert all(set(pictures) == {"encoder", "decoder", "cross"} for pictures in told["pictures"])
    assert told["pictures"][0] != told["pictures"][1]
    page.selectbox(key="changed role").select("ne").run()
    assert {card["role"] for card in shown(page, "change_cards")["cards"]} == {"the “ne” of “pas”"}


def test_roles_are_counted_on_both_sides(open_page: OpenPage, loaded: atlas.Atlas) -> None:
    page = open_page("atlas", against="zh-en", compared="role by role")
    assert not page.exception
    table = page.dataframe[0].value
    own = table[(table["attention"] == "encoder") & (table["role"] == "the noun of “it”")].iloc[0]
    best = loaded.best("encoder").role
    assert own["heads, en-fr"] == (best == ROLES["encoder"].index("antecedent")).sum()
    assert np.isnan(own["heads, zh-en"])  # it was not asked in Chinese
    assert "trained apart" in said(page)


def test_models_of_other_sizes_are_compared_by_their_roles_alone(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(models.NAMED_AT_START, str(own))
    page = start("atlas", sentence="The quick fox.", against="zh-en")
    page.text_area(key="atlas sentences").set_value("A fox.\nThe quick fox.").run()
    next(one for one in page.button if one.label == "Measure all heads on 2 sentences").click()
    page.run()
    assert not page.exception
    table = page.dataframe[0].value
    assert "heads, zh-en" in table.columns
    assert "trained apart" in said(page)
    assert not [c for c in components(page) if c.proto.component_name == "change_cards"]


def test_too_few_pieces_for_a_map_are_said(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(models.NAMED_AT_START, str(own))
    asked = {"atlas": "Queries and keys", "kind": "encoder", "map": "neighbours together"}
    page = start("atlas", sentence="The quick fox.", **asked)
    page.text_area(key="atlas sentences").set_value("A fox.").run()
    next(one for one in page.button if one.label == "Measure all heads on 1 sentences").click()
    page.run()
    assert not page.exception
    assert "too few pieces for this map" in said(page)
