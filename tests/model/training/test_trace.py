"""Held-out pairs are traced with the shipped model, and their words have the roles they have."""

import numpy as np
import pytest

from model import load_translator
from model.measures.mean_trace import ROLES
from model.training.generated.coreference import held_out_minimal_pairs
from model.training.trace import measure, places_of_roles


def test_pairs_are_traced_from_the_adjective_to_the_step_that_decides() -> None:
    translator, pairs = load_translator("en-fr"), held_out_minimal_pairs(2, unseen_frame=False)
    found = measure(translator, pairs)
    assert found.encoder.shape == (len(ROLES), translator.config.encoder_layers + 1)
    assert 1 <= found.traced <= found.pairs == 2
    assert found.decoder[0, -1] == pytest.approx(1, abs=1e-4)  # all that the answer is read from
    assert np.abs(found.decoder[1, -1]) == pytest.approx(0, abs=1e-6)
    assert found.encoder[2, 0] == pytest.approx(0, abs=1e-6)  # "it" is "it" in both


def test_every_piece_has_one_role() -> None:
    tokenizer = load_translator("en-fr").tokenizer
    for pair in held_out_minimal_pairs(5, unseen_frame=True):
        sentence = pair.sentences[0]
        places = places_of_roles(tokenizer, sentence)
        pieces = tokenizer.pieces(sentence.source)
        assert sorted(place for own in places for place in own) == list(range(len(pieces)))
        assert [pieces[place].token for place in places[2]] == ["▁it"]
