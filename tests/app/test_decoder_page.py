from dataclasses import fields
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import AblateHead, Intervention, LiftMask, ShareKeysValues
from model.interventions import link_text
from model.interventions.masks import PadSource
from model.words import words_changed
from tests.app.conftest import OpenPage
from tests.app.shown import components, message
from tests.sentences import FIRST_SENTENCE
from viz.compute import decodes, openings, runs

SHORT = "The cat is sleeping."


def header(page: AppTest) -> dict[str, Any]:
    """Read the header of the message that the decoder gets."""
    assert not page.exception
    return message(components(page)[0])


def chosen(branch: dict[str, Any]) -> list[int]:
    return [step["chosen"][0] for step in branch["steps"]]


def second_choice_at(sent: dict[str, Any], step: int) -> tuple[list[int], int]:
    """Return what the free branch took before a step, and its runner-up there."""
    ids = chosen(sent["branches"][0])
    others = [id_ for id_, *_ in sent["branches"][0]["steps"][step]["top"] if id_ != ids[step]]
    return ids[:step], others[0]


def test_it_opens_on_the_deciding_step_of_the_greedy_translation(open_page: OpenPage) -> None:
    sent = header(open_page("decoder"))
    assert sent["view"]["step"] == openings.opening(FIRST_SENTENCE).step + 1
    assert sent["view"]["strategy"] == "greedy"
    translation = runs.translator().translate(FIRST_SENTENCE)
    assert sent["branches"][0]["text"] == translation.text
    assert tuple(chosen(sent["branches"][0]))[: len(translation.ids)] == translation.ids


def test_a_link_reopens_step_strategy_and_forced_pieces(open_page: OpenPage) -> None:
    prefix, other = second_choice_at(header(open_page("decoder")), 2)
    branches = f"{'-'.join(map(str, prefix))}.{other}"
    page = open_page("decoder", branches=branches, branch="1", step="3", attention_head="2")
    sent = header(page)
    assert [sent["view"][name] for name in ("step", "branch", "attention_head")] == [3, 1, 1]
    assert chosen(sent["branches"][1])[:3] == [*prefix, other]
    assert page.query_params["branches"] == branches
    assert page.query_params["step"] == "3"


@pytest.mark.parametrize(
    ("strategy", "settings"),
    [
        ("beam", {"width": "3", "penalty": "1.0"}),
        ("sampling", {"temperature": "1.3", "top_k": "40", "top_p": "0.9", "seed": "5"}),
    ],
)
def test_strategies_decode_with_the_settings_of_the_link(
    open_page: OpenPage, strategy: str, settings: dict[str, str]
) -> None:
    sent = header(open_page("decoder", strategy=strategy, **settings))
    view = sent["view"]
    built = decodes.Settings(**{one.name: view[one.name] for one in fields(decodes.Settings)})
    loaded = runs.translator()
    choices = loaded.choices(loaded.source(FIRST_SENTENCE), built.chosen())
    assert chosen(sent["branches"][0]) == [choice.chosen.id for choice in choices]
    for name, value in settings.items():
        assert view[name] == float(value)


def test_the_beams_tree_comes_along_and_a_node_can_be_looked_at(open_page: OpenPage) -> None:
    sent = header(open_page("decoder", strategy="beam", node="5"))
    nodes = sent["tree"]["nodes"]
    assert {node[6] for node in nodes} == {"kept", "pruned", "finished"}
    looked_at = sent["branches"][-1]
    assert looked_at["kind"] == "node"
    path, at = [], 5
    while at:
        path.insert(0, nodes[at][1])
        at = nodes[at][0]
    assert [step["chosen"][0] for step in looked_at["steps"] if step["chosen"]] == path


def test_a_given_translation_is_judged_piece_by_piece(open_page: OpenPage) -> None:
    given = "L'animal dort."
    sent = header(open_page("decoder", given=given, branch="1"))
    tokenizer = runs.translator().tokenizer
    branch = sent["branches"][1]
    assert branch["kind"] == "given"
    assert chosen(branch) == [*tokenizer.encode(given), tokenizer.end_id]
    assert all(step["rank"] >= 1 and step["held"] for step in branch["steps"])


def test_another_sentence_drops_branches_and_keeps_the_strategy(open_page: OpenPage) -> None:
    page = open_page("decoder", strategy="beam", branches="7", branch="1", step="2")
    assert len(header(page)["branches"]) == 2
    page.text_input(key="sentence").set_value("Thinking machines").run()
    sent = header(page)
    assert len(sent["branches"]) == 1
    assert sent["view"]["strategy"] == "beam"
    assert sent["view"]["step"] == openings.opening("Thinking machines").step + 1
    assert "branches" not in page.query_params


@pytest.mark.parametrize("branches", ["abc", "999999", "1-2-"])
def test_a_link_that_cannot_be_followed_says_so(open_page: OpenPage, branches: str) -> None:
    sent = header(open_page("decoder", branches=branches, branch="1"))
    assert "link" in sent["problem"]
    assert len(sent["branches"]) == 1


@pytest.mark.parametrize("name", ["attention_layer", "attention_head"])
def test_a_layer_or_head_the_model_lacks_is_named_and_left(open_page: OpenPage, name: str) -> None:
    usual, sent = header(open_page("decoder")), header(open_page("decoder", **{name: "99"}))
    assert name in sent["problem"]
    assert sent["view"][name] == usual["view"][name]


def test_long_input_is_cut_with_a_notice(open_page: OpenPage) -> None:
    page = open_page("decoder", sentence="word " * 1000)
    assert len(header(page)["source"]) == 128
    assert "128" in page.warning[0].value


@pytest.mark.parametrize(
    "edits",
    [
        tuple(AblateHead("cross", layer, head) for layer in (2, 3, 4) for head in range(8)),
        (PadSource(24), LiftMask("encoder")),
    ],
    ids=["heads off", "padded"],
)
def test_the_changed_model_is_what_is_stepped_through(
    open_page: OpenPage, edits: tuple[Intervention, ...]
) -> None:
    sent = header(open_page("decoder", edits=link_text.write(edits)))
    changed = runs.translator().translate(FIRST_SENTENCE, interventions=edits)
    assert sent["branches"][0]["text"] == changed.text


def test_what_is_kept_says_what_ran(open_page: OpenPage) -> None:
    page = open_page("decoder", writing="what is kept", sentence=SHORT, step="2")
    assert not page.exception
    cost = decodes.cost(SHORT)
    text = " ".join(one.value for one in page.markdown)
    assert f"{cost.cached[1].multiply_adds:,}" in text
    assert f"{cost.afresh[1].multiply_adds:,}" in text
    assert f"{cost.cached[1].kept_bytes:,} bytes" in text
    assert "gives the same for" in text  # the formula and what ran


def test_fewer_keys_and_values_change_the_model_on_all_pages(open_page: OpenPage) -> None:
    page = open_page("decoder", writing="fewer keys and values", sentence=SHORT)
    assert not page.exception
    table = page.dataframe[0].value
    kept = [int(text.replace(",", "")) for text in table["bytes kept"]]
    assert [kept[0] // each for each in kept] == [1, 2, 4, 8]
    texts = table["translation"].tolist()
    assert texts[0] == runs.translator().translate(SHORT).text
    (told,) = (one.value for one in page.markdown if one.value.startswith("How few"))
    changed = [words_changed(texts[0], text) for text in texts]
    names = table["keys and values"].tolist()
    assert f"**{names[-1]}**" in told
    assert ("even then no word changes" in told) == (changed[-1] == 0)
    assert f"{changed[-1]} word" in told or not changed[-1]
    assert (
        f"**{[name for name, count in zip(names, changed, strict=True) if not count][-1]}**" in told
    )
    page = page.button_group(key="shared keys").set_value(4).run()
    assert not page.exception
    assert page.query_params["edits"] == "share.c.4_share.d.4"
    changed = [ShareKeysValues(kind, 4) for kind in ("decoder", "cross")]
    written = runs.translator().translate(SHORT, interventions=changed).text
    assert page.dataframe[0].value["translation"].tolist()[2] == written


def test_a_recurrent_model_has_no_keys_to_keep(open_page: OpenPage) -> None:
    page = open_page("decoder", writing="what is kept", sentence=SHORT, model="en-fr-dot")
    assert header(page)["branches"]
    assert not page.get("plotly_chart")
