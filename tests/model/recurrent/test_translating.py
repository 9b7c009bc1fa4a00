"""The Translator on recurrent checkpoints: the same calls, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from model import AblateHead, Beam, Greedy, Sampling, load_translator
from model.checkpoints.checkpoint import load_checkpoint
from model.training.evaluate import translate_all
from model.translator import Translator

SENTENCE = "The animal was too tired."


def test_weights_survive_the_folder_and_the_embedding_is_not_stored_again(
    recurrent_folder: Path, checkpoint_folder: Path
) -> None:
    found, shared = load_checkpoint(recurrent_folder), load_checkpoint(checkpoint_folder)
    assert "embedding.weight" not in found.model.state_dict()
    assert torch.equal(found.model.embedding.weight, shared.model.embedding.weight)
    assert {path.name for path in recurrent_folder.iterdir()} == {
        "config.json",
        "model.safetensors",
        "card.json",
    }
    assert found.tokenizer.serialized == shared.tokenizer.serialized


def test_greedy_takes_the_most_probable_piece_of_the_recorded_logits(
    recurrent: Translator,
) -> None:
    translation = recurrent.translate(SENTENCE, Greedy())
    recording = recurrent.record(SENTENCE, translation)
    best = recording.logits.argmax(axis=-1)
    np.testing.assert_array_equal(best[: len(translation.ids)], translation.ids)
    log_probs = torch.from_numpy(recording.logits.copy()).double().log_softmax(-1)
    following = torch.tensor([*translation.ids, recurrent.tokenizer.end_id])[: len(log_probs)]
    steps = log_probs.gather(1, following[:, None])[:, 0]
    ended = len(translation.ids) + 1 < recurrent.limits(recurrent.source(SENTENCE)).max_length
    wanted = float(steps.sum() if ended else steps[: len(translation.ids)].sum())
    assert translation.log_prob == pytest.approx(wanted, abs=1e-3)


def test_batches_translate_as_one_sentence_alone_does(recurrent: Translator) -> None:
    texts = [SENTENCE, "The cat sleeps.", "My sister works at the bank."]
    together = translate_all(recurrent.network, recurrent.tokenizer, texts)
    assert together == [recurrent.translate(text).text for text in texts]


def test_beam_sampling_steps_and_forced_pieces_work(recurrent: Translator) -> None:
    greedy, wide = recurrent.translate(SENTENCE), recurrent.translate(SENTENCE, Beam(width=3))
    assert greedy.tokens
    assert wide.tokens
    assert recurrent.translate(SENTENCE, Beam(width=1)).ids == greedy.ids
    seeded = Sampling(seed=4)
    assert recurrent.translate(SENTENCE, seeded) == recurrent.translate(SENTENCE, seeded)
    forced = recurrent.forced_ids("chat")
    steps = list(recurrent.steps(SENTENCE, forced=forced))
    assert [step.chosen.id for step in steps[: len(forced)]] == list(forced)
    assert [step.forced for step in steps[: len(forced) + 1]] == [*[True] * len(forced), False]


def test_what_only_a_transformer_can_do_is_refused_in_one_sentence(
    recurrent: Translator,
) -> None:
    said = f"this needs a Transformer; the model is recurrent .{recurrent.network.config.kind}."
    ablation = AblateHead("cross", layer=0, head=0)
    for ask in (
        lambda: recurrent.translate(SENTENCE, interventions=[ablation]),
        lambda: recurrent.record(SENTENCE, "Le chat.", [ablation]),
        lambda: recurrent.model,
        lambda: recurrent.config,
    ):
        with pytest.raises(ValueError, match=said):
            ask()


@pytest.mark.parametrize("kind", ["additive"], indirect=True)
def test_another_embedding_than_it_learned_with_is_refused(recurrent_folder: Path) -> None:
    path = recurrent_folder / "card.json"
    card = json.loads(path.read_text())
    path.write_text(json.dumps(card | {"embedding_sha256": "0" * 64}))
    with pytest.raises(ValueError, match="not the embedding that this model was trained with"):
        load_translator(recurrent_folder)


@pytest.mark.parametrize("kind", ["additive"], indirect=True)
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"embedding": "nowhere"}, "no checkpoint .*nowhere"),
        ({"d_state": 30}, "has the shape .*36.*, not .*30"),
        ({"kind": "convolution"}, "kind must be one of"),
        ({"kind": "dot"}, "does not belong to this model"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_named(
    changed: dict[str, str | int], said: str, recurrent_folder: Path
) -> None:
    path = recurrent_folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    with pytest.raises(ValueError, match=said):
        load_translator(recurrent_folder)
