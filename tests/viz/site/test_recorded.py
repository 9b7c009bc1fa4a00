"""What is recorded for the site: where examples look, and the pieces that are rivals."""

import pytest

from tests.sentences import TIRED_OR_WIDE
from viz.compute import cuts, examples, models, runs, weights
from viz.site import recorded


def test_the_rival_of_the_pronoun_is_shown_with_it() -> None:
    names = {runs.token_names([id_])[0]: rival for id_, rival in recorded.rivals().items()}
    assert runs.token_names([names["▁il"]]) == ["▁elle"]
    assert names.keys() < set(weights.vocabulary("output").tokens)


def test_the_explorer_opens_where_the_example_looks() -> None:
    one = examples.current().sentences[2]  # attention?kind=cross&layer=4&head=8&step=7
    (drawn,) = recorded.attention([one])
    start = drawn.header["start"]
    assert isinstance(start, dict)
    assert (start["kind"], start["heads"]["cross"], start["query"]) == ("cross", [3, 7], 6)


def test_the_decoder_opens_at_that_step_and_head() -> None:
    one = examples.current().sentences[2]
    (drawn,) = recorded.decoder([one])
    view = drawn.header["view"]
    assert isinstance(view, dict)
    assert (view["step"], view["attention_layer"], view["attention_head"]) == (7, 3, 7)


def test_the_story_s_sentences_open_at_the_heads_of_its_arcs() -> None:
    one = examples.current().sentences[0]
    assert one.text == TIRED_OR_WIDE.first
    cross, _encoder = cuts.heads(TIRED_OR_WIDE)
    view = recorded.decoder([one])[0].header["view"]
    assert isinstance(view, dict)
    assert (view["attention_layer"], view["attention_head"]) == (cross.layer, cross.head)


def test_heads_are_born_in_examples_that_were_recorded_while_it_learned() -> None:
    found = recorded.born_sentences(examples.current().sentences)
    assert [one.text for one in found[:2]] == [TIRED_OR_WIDE.first, TIRED_OR_WIDE.second]
    assert len(recorded.heads_born(found[:1])) == 1


def test_a_model_without_a_history_has_no_heads_being_born() -> None:
    with models.using("zh-en"):
        assert recorded.born_sentences(examples.current().sentences) == ()


def test_without_a_story_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "current", lambda: examples.NONE)
    with pytest.raises(ValueError, match="no pair of sentences"):
        recorded.story("", "")
