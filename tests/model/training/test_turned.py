"""Words whose link is turned, held against the intervention that turns one sentence alone."""

import pytest
import torch

from model import TurnAttention, load_translator
from model.families import transformer
from model.interventions.base import Lengths
from model.interventions.prepare import prepare
from model.sites.sites import Head
from model.sites.tap import Editor
from model.training.causes import share_turned
from model.training.data.minimal import MinimalPairs
from model.training.generated.coreference import held_out_minimal_pairs
from model.training.pictures import Heads, Picture, likely, pictures, turned_onto
from model.training.settings import TrainingSettings
from model.training.turned import Turn, lookers, surest_head, turning, turns
from model.translator import Translator

TEXT = "The boy sees the dog."


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator("en-fr")


@torch.no_grad()
def probability(translator: Translator, picture: Picture, *turn: TurnAttention) -> float:
    """Return the probability of the other word when one sentence alone is turned."""
    model, given = transformer(translator.model), picture.target[: picture.step + 1]
    run = prepare(turn, model.config, Lengths(len(picture.source), len(given)))
    source, target = torch.tensor([picture.source]), torch.tensor([given])
    logits = model(source, target, Editor(run.edits))[0, -1]
    return logits.softmax(-1)[picture.becomes].item()


@pytest.mark.parametrize(("source", "kinds", "least"), [("en", 6, 36), ("zh", 7, 7)])
def test_there_are_enough_sentences_of_every_kind(source: str, kinds: int, least: int) -> None:
    counts: dict[str, int] = {}
    for turn in turns(source):
        assert turn.own in turn.text
        assert turn.key in turn.text
        counts[turn.name] = counts.get(turn.name, 0) + 1
    assert len(counts) == kinds
    assert min(counts.values()) >= least


def test_turned_onto_her_the_chinese_model_writes_she() -> None:
    translator = load_translator("zh-en")
    some = turning(translator, [turn for turn in turns("zh") if turn.name == "he onto she"])
    model = transformer(translator.model)
    wanted = [int(picture.becomes or 0) for picture in some]
    turned = likely(model, some, wanted, lambda batch: turned_onto(batch, (), model))
    assert len(some) >= 5
    assert sum(right for _, right in turned) > 0.8 * len(some)


@pytest.mark.parametrize("heads", [(), ((4, None), (5, None)), ((4, 2),)])
def test_many_are_turned_as_one_alone(translator: Translator, heads: Heads) -> None:
    asked = [
        Turn("a", TEXT, "dog", "boy", "chien", "garçon"),
        Turn("a", "The black cat sees the white horse.", "horse", "cat", "cheval", "chat"),
    ]
    some = turning(translator, asked)
    assert len(some) == 2
    model = transformer(translator.model)
    wanted = [int(p.becomes or 0) for p in some]
    found = likely(model, some, wanted, lambda batch: turned_onto(batch, heads, model))
    for picture, (odds, _) in zip(some, found, strict=True):
        turn = TurnAttention("cross", picture.step, picture.onto, heads)
        assert odds == pytest.approx(probability(translator, picture, turn), abs=1e-4)


def test_a_word_that_is_not_written_is_left_out(translator: Translator) -> None:
    not_written = Turn("a", TEXT, "dog", "boy", "cheval", "garçon")
    same = Turn("a", TEXT, "dog", "boy", "chien", "chien")
    assert turning(translator, [not_written, same]) == []


def test_the_surest_head_looks_at_the_word(translator: Translator) -> None:
    (picture,) = turning(translator, [Turn("a", TEXT, "dog", "boy", "chien", "garçon")])
    layer, head = surest_head(transformer(translator.model), [picture])
    weights = translator.record(TEXT).attention("cross")[:, :, picture.step, list(picture.keys)]
    assert weights.sum(-1)[layer, head] == weights.sum(-1).max()


def test_pictures_without_another_word_are_not_turned(translator: Translator) -> None:
    found = pictures(translator.tokenizer, [])
    model, carrier = transformer(translator.model), Head("encoder", 5, 3)
    of_it = [p for p in found if p.name == '"it" to its noun'][:3]
    share = share_turned(model, of_it, carrier)
    assert share is not None
    assert 0 <= share <= 1
    without = [p for p in found if p.kind == "decoder"][:3]
    assert share_turned(model, without, carrier) is None


def test_heads_that_look_at_the_noun_are_found_with_their_weights(translator: Translator) -> None:
    model, tokenizer = transformer(translator.model), translator.tokenizer
    minimal = MinimalPairs(tokenizer, TrainingSettings(config=model.config))
    (batch,) = minimal.batches(held_out_minimal_pairs(2, unseen_frame=False))
    found = lookers(model, [batch])
    layer, head = (number - 1 for number in found[0]["head"])
    total = 0.0
    for row in range(len(batch.it)):
        text = tokenizer.decode([id_ for id_ in batch.source[row].tolist() if id_ > 2])
        own = (batch.nouns & ~batch.other)[row].nonzero().flatten().tolist()
        weights = translator.record(text).attention("encoder")[layer, head, int(batch.it[row])]
        total += float(weights[own].sum())
    assert found[0]["weight"] == pytest.approx(total / len(batch.it), abs=1e-3)
    assert found == sorted(found, key=lambda each: -each["weight"])
