"""Where else a head looks like this, against brute force, on the tiny model and made-up vectors."""

import numpy as np
import pytest
import torch

from model import Translator, load_translator
from model.measures.atlas.atlas import Atlas
from model.measures.atlas.measure import measured
from model.measures.atlas.roles import Sentence
from model.measures.atlas.search import Vectors, by_output, by_scores, by_words, vectors_of
from model.sites.sites import Head, Kind, attention_site
from model.words import is_special, words_of

TEXTS = (
    "I don't know the name of the cat.",
    "The cat is on the table.",
    "He bought a new car and a bicycle.",
    "She is the sister of my friend.",
    "Tom didn't want to eat the apple.",
    "The name of the street is on the map.",
)
HEADS = [Head("encoder", 1, 2), Head("decoder", 2, 1), Head("cross", 0, 3)]


@pytest.fixture(scope="module")
def shipped() -> Translator:
    """A model with random weights writes nothing but special tokens."""
    return load_translator("en-fr")


@pytest.fixture(scope="module")
def atlas(shipped: Translator) -> Atlas:
    return measured(shipped, [Sentence(text) for text in TEXTS])


def made_up(count: int) -> Vectors:
    rng = np.random.default_rng(1)
    places = np.stack([np.arange(count), np.arange(count) % 3, np.arange(count) % 4], axis=1)
    parts = (rng.normal(size=(count, 5)).astype(np.float32) for _ in range(3))
    return Vectors(places, rng.random(count).astype(np.float32), *parts)


def test_nearest_scores_are_those_of_every_place_one_by_one() -> None:
    vectors, rng = made_up(60), np.random.default_rng(2)
    q, k = rng.normal(size=5), rng.normal(size=5)
    mean_q, mean_k = vectors.q.mean(0), vectors.k.mean(0)
    scores = [
        min((q - mean_q) @ (there - mean_k), (here - mean_q) @ (k - mean_k)) / 5**0.5
        for here, there in zip(vectors.q, vectors.k, strict=True)
    ]
    expected = sorted(range(60), key=lambda at: -scores[at])[:7]
    found = by_scores(vectors, q, k, 7)
    assert [one.sentence for one in found] == expected
    np.testing.assert_allclose([one.near for one in found], np.array(scores)[expected], rtol=1e-5)


def test_one_vector_for_all_keys_finds_the_same_places() -> None:
    vectors, rng = made_up(60), np.random.default_rng(3)
    q, k, shift = (rng.normal(size=5) for _ in range(3))
    keys = (vectors.k + shift).astype(np.float32)
    moved = Vectors(vectors.places, vectors.weights, vectors.q, keys, vectors.z)
    first, second = by_scores(vectors, q, k, 9), by_scores(moved, q, k + shift, 9)
    assert [one.sentence for one in first] == [one.sentence for one in second]


def test_what_is_written_is_compared_by_its_direction() -> None:
    vectors = made_up(40)
    found = by_output(vectors, 3 * vectors.z[17], 5)
    cosines = [
        float(z @ vectors.z[17] / np.linalg.norm(z) / np.linalg.norm(vectors.z[17]))
        for z in vectors.z
    ]
    assert [one.sentence for one in found] == sorted(range(40), key=lambda n: -cosines[n])[:5]
    assert found[0].near == pytest.approx(1)


@pytest.mark.parametrize("head", HEADS)
def test_vectors_are_those_of_a_recording(shipped: Translator, atlas: Atlas, head: Head) -> None:
    found = vectors_of(shipped, atlas, head, range(len(atlas)))
    kind: Kind = head.kind
    for at in (0, 11, len(found.places) - 1):
        number, query, key = found.places[at]
        source, target = atlas.pieces(number)
        ids = [shipped.tokenizer.id(token) for token in target[1:]]
        recording = shipped.record(atlas.text(number), ids)
        assert recording.source_tokens == source
        own = {
            part: recording[attention_site(kind, head.layer, part)][head.head]
            for part in ("q", "k", "z", "weights")
        }
        assert own["weights"][query].argmax() == key
        np.testing.assert_allclose(found.q[at], own["q"][query], atol=1e-5)
        np.testing.assert_allclose(found.k[at], own["k"][key], atol=1e-5)
        np.testing.assert_allclose(found.z[at], own["z"][query], atol=1e-5)
        assert not is_special(recording.tokens(kind)[0][query])


@pytest.mark.parametrize("head", HEADS)
def test_words_are_found_where_a_recording_has_them(
    shipped: Translator, atlas: Atlas, head: Head
) -> None:
    queries, keys = atlas.tokens(head.kind, 3)
    word = words_of(queries)[1]
    ((strongest, _),) = atlas.links(head, [3])
    asked = looks = 0
    wanted = next(w for w in words_of(keys) if w.first <= strongest[word.first] <= w.last).text
    with torch.inference_mode():
        for number in range(len(atlas)):
            queries, keys = atlas.tokens(head.kind, number)
            ids = [shipped.tokenizer.id(token) for token in atlas.pieces(number)[1][1:]]
            weights = shipped.record(atlas.text(number), ids).attention(head.kind)
            own = weights[head.layer, head.head]
            for one in words_of(queries):
                if one.text.lower() == word.text.lower():
                    asked += 1
                    rows = own[one.first : one.last + 1]
                    key = int(rows[rows.max(1).argmax()].argmax())
                    inside = next(w for w in words_of(keys) if w.first <= key <= w.last)
                    looks += inside.text.lower() == wanted.lower()
    found = by_words(atlas, head, word.text.upper(), wanted, 9999)
    assert (found.asked, found.looks) == (asked, looks)
    assert len(found.found) == looks
    weights = [one.weight for one in found.found]
    assert weights == sorted(weights, reverse=True)
