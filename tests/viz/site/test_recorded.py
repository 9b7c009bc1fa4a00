"""What is recorded for the site: where examples look, and the branches that are forced ahead."""

import math

import pytest

from tests.sentences import TIRED_OR_WIDE
from viz.compute import cuts, decodes, examples, models, runs
from viz.compute.runs import Subject
from viz.site import recorded


def test_the_rival_of_the_pronoun_is_forced_ahead_and_the_adjective_follows_it() -> None:
    subject = Subject(TIRED_OR_WIDE.first)
    found = recorded.branches(subject)
    names = {runs.token_names(one.forced)[0]: one for one in found}
    text = decodes.decode(subject, forced=names["elle"].ids).translation.text
    assert "elle était trop fatiguée" in text


def test_every_likely_piece_that_was_not_taken_is_forced_at_its_own_step() -> None:
    """At the steps of every example, held against the choices themselves."""
    for one in examples.current().sentences[:6]:
        choices = decodes.decode(Subject(one.text)).choices
        taken = tuple(choice.chosen.id for choice in choices)
        forced = {(len(b.prefix), b.forced[0]) for b in recorded.branches(Subject(one.text))}
        for branch in recorded.branches(Subject(one.text)):
            assert branch.prefix == taken[: len(branch.prefix)]
            assert branch.forced[0] != taken[len(branch.prefix)]
        for step, choice in enumerate(choices):
            first = next(piece for piece in choice.alternatives if piece.id != choice.chosen.id)
            if math.exp(first.log_prob) >= recorded.LIKELY:
                assert (step, first.id) in forced


def test_the_explorer_opens_where_the_example_looks() -> None:
    one = examples.current().sentences[2]  # attention?kind=cross&layer=4&head=8&step=7
    (drawn,) = recorded.attention([one])
    start = drawn.header["start"]
    assert isinstance(start, dict)
    assert (start["kind"], start["heads"]["cross"], start["query"]) == ("cross", [3, 7], 6)


def test_the_decoder_opens_at_that_step_and_head_and_knows_what_was_recorded() -> None:
    one = examples.current().sentences[2]
    greedy, beam = (drawn.header for drawn in recorded.decoder([one]))
    view, branches = greedy["view"], greedy["branches"]
    assert isinstance(view, dict)
    assert isinstance(branches, list)
    assert (view["step"], view["attention_layer"], view["attention_head"]) == (7, 3, 7)
    assert len(branches) == 1 + len(recorded.branches(Subject(one.text)))
    assert (beam["recorded"], greedy["headOffers"]) == ([], None)
    assert beam["tree"] is not None


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
