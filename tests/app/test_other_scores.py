"""A model with additive scores and without ReLU: no page takes its scores for dot products."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from model.checkpoints.checkpoint import CHECKPOINTS, save_checkpoint
from model.tokenizer import Tokenizer
from model.transformer.config import PAPER, ModelConfig
from model.transformer.transformer import Transformer
from tests.app.conftest import OpenPage
from viz.server.arguments import CHECKPOINT, name_models

SENTENCE = "The quick fox."
CONFIG = ModelConfig(
    d_model=16,
    heads=2,
    d_ff=32,
    encoder_layers=2,
    decoder_layers=2,
    variant=replace(PAPER, activation="none"),
    scores="additive",
)


@pytest.fixture(scope="module", autouse=True)
def _named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    tokenizer = Tokenizer.from_file(CHECKPOINTS / "en-fr-words" / "tokenizer.model")
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("additive") / "other"
    weights = Transformer(CONFIG).state_dict()
    save_checkpoint(folder, CONFIG, weights, tokenizer, {"name": "other"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHECKPOINT, "")
        name_models(["--checkpoint", str(folder)])
        yield


def test_one_head_shows_its_weights_and_no_chain_of_products(open_page: OpenPage) -> None:
    page = open_page("head", sentence=SENTENCE)
    assert not page.exception
    assert not [one for one in page.segmented_control if one.key == "one_head"]
    assert any("v \\tanh(q + k)" in one.value for one in page.latex)
    assert not any("q\\,k" in one.value for one in page.latex)


def test_a_score_is_not_taken_apart(open_page: OpenPage) -> None:
    page = open_page("why", sentence=SENTENCE)
    assert not page.exception
    assert any("v tanh(q + k)" in one.value for one in page.info)


@pytest.mark.parametrize("edits", ["raw.e", "tie.e.qk", "relu.e.1"])
def test_a_link_with_a_change_that_does_not_fit_opens_all_the_same(
    open_page: OpenPage, edits: str
) -> None:
    page = open_page("lab_scale", edits=edits, sentence=SENTENCE)
    assert not page.exception


@pytest.mark.parametrize("name", ["attention", "layers", "block", "lab_blocks", "about"])
def test_a_page_opens(open_page: OpenPage, name: str) -> None:
    assert not open_page(name, sentence=SENTENCE).exception
