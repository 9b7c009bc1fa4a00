import pytest
import torch

from model import load_translator
from model.measures.decoding_cost import (
    DecodingCost,
    Products,
    decoding_cost,
    expected,
    kept_bytes,
)
from model.transformer.transformer import Transformer
from model.translator import Translator

SENTENCE = "The cat is sleeping."


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator("en-fr")


@pytest.fixture(scope="module")
def cost(translator: Translator) -> DecodingCost:
    return decoding_cost(translator.model, translator.source(SENTENCE).ids, 30)


def test_products_of_matrices_are_counted_and_nothing_else() -> None:
    one, other = torch.ones(3, 4), torch.ones(4, 5)
    with Products() as products:
        (one @ other).softmax(dim=-1)
        _ = torch.ones(2, 3, 4) @ other
        torch.nn.functional.linear(one, torch.ones(7, 4), torch.ones(7))
    assert products.count == 3 * 4 * 5 + 2 * 3 * 4 * 5 + 3 * 4 * 7
    _ = one @ other
    assert products.count == 3 * 4 * 5 + 2 * 3 * 4 * 5 + 3 * 4 * 7


def test_both_ways_write_what_the_translator_writes(
    translator: Translator, cost: DecodingCost
) -> None:
    assert cost.ids == (*translator.translate(SENTENCE).ids, translator.tokenizer.end_id)
    assert cost.largest_difference < 1e-4
    assert all(step.seconds > 0 for step in (*cost.cached, *cost.afresh))


def test_what_ran_is_what_the_sizes_say(translator: Translator, cost: DecodingCost) -> None:
    for keeps, way in ((True, cost.cached), (False, cost.afresh)):
        for place, step in enumerate(way, start=1):
            assert (step.given, step.computed) == (place, 1 if keeps else place)
            reads = not keeps or place == 1
            assert step.multiply_adds == expected(translator.config, step, cost.source, reads)


def test_the_cache_holds_keys_and_values_of_all_pieces(
    translator: Translator, cost: DecodingCost
) -> None:
    config = translator.config
    for step in cost.cached:
        assert step.kept_bytes == kept_bytes(config, step.given, cost.source, config.heads)
    assert {step.kept_bytes for step in cost.afresh} == {0}
    assert kept_bytes(config, 3, 4, 2) * 4 == kept_bytes(config, 3, 4, 8)


def test_it_ends_at_the_longest(model: Transformer) -> None:
    found = decoding_cost(model, (5, 6, 2), 3)
    assert len(found.ids) == len(found.cached) == len(found.afresh) <= 3
    reports: list[tuple[int, int]] = []
    decoding_cost(model, (5, 6, 2), 1, lambda done, of: reports.append((done, of)))
    assert reports == [(0, 4), (1, 4), (2, 4), (3, 4)]
