"""A model unlike the paper's: pages say what it does with its own embeddings and positions."""

from collections.abc import Iterator

import pytest

from tests.app.conftest import OpenPage
from tests.app.shown import purposes
from tests.fixtures.marian_folder import TINY, write_marian
from viz.compute import batches
from viz.server.arguments import CHECKPOINT, name_models

SENTENCE = "The quick fox."
LONGER = "The animal was too tired, and we saw it."


@pytest.fixture(scope="module", autouse=True)
def _named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    sizes = TINY | {"share_encoder_decoder_embeddings": False, "scale_embedding": False}
    folder = write_marian(tmp_path_factory.mktemp("variant") / "plain", sizes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHECKPOINT, "")
        name_models(["--checkpoint", str(folder)])
        yield


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("encoder.embedding", "as it is. Encoder and decoder have a table each."),
        ("decoder.logits", "A learned bias of the piece is added to its score."),
    ],
)
def test_the_architecture_says_what_this_model_does(
    open_page: OpenPage, block: str, said: str
) -> None:
    page = open_page("layers", block=block, sentence=SENTENCE)
    assert not page.exception
    texts = purposes(page)
    assert texts[block].endswith(said)
    assert not any("times √d_model" in one or "serves both inputs" in one for one in texts.values())


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_piece_enters_without_a_factor(open_page: OpenPage, side: str) -> None:
    view = {"tokens": "embedding", "pieces_of": side}
    page = open_page("tokens", sentence=SENTENCE, **view)
    assert not page.exception
    strips, lengths = (one.proto.spec for one in page.get("plotly_chart"))
    assert "e times" not in strips
    assert "scaled" not in lengths
    texts = " ".join(one.value for one in page.markdown)
    assert "as it is, without a factor" in texts
    assert "would drown" not in texts


@pytest.mark.parametrize(
    ("model", "said"),
    [("en-fr-rotary", "Zeros: nothing"), ("en-fr-learned", "learned in training")],
)
def test_positions_of_a_twin_are_its_own(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, model: str, said: str
) -> None:
    monkeypatch.setenv(CHECKPOINT, model)
    page = open_page("layers", block="encoder.positions", sentence=SENTENCE)
    texts = purposes(page)
    assert said in texts["encoder.positions"]
    assert not any("Sines and cosines" in one for one in texts.values())


def test_nothing_is_joined_to_embeddings_to_which_nothing_is_added(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHECKPOINT, "en-fr-rotary")
    page = open_page("positions", positions="added or joined", sentence=SENTENCE)
    assert not page.exception
    assert "adds nothing to its embeddings" in page.info[0].value
    assert not page.get("plotly_chart")


@pytest.mark.parametrize(
    ("model", "said"),
    [("en-fr-rotary", "only how far apart"), ("en-fr-learned", "told where a piece stands")],
)
def test_padding_on_the_left_moves_only_what_is_told_its_place(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, model: str, said: str
) -> None:
    monkeypatch.setenv(CHECKPOINT, model)
    found = batches.batch((LONGER, "Thinking machines"), "left")
    assert (max(found.off) < 1e-3) == (model == "en-fr-rotary")
    page = open_page("block", sentence=LONGER, **{"block view": "a batch with padding"})
    page.segmented_control(key="batch side").set_value("left").run()
    texts = [one.value for one in page.markdown]
    assert any(said in one for one in texts)
    assert any("which is rounding" in one for one in texts) == (model == "en-fr-rotary")
