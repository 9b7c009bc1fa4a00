"""Files of pieces that were exchanged, in a model that has learned what its target is."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.checkpoints.checkpoint import load_checkpoint
from model.checkpoints.marian_sides import ASKED, LEAST
from model.checkpoints.marian_weights import aliases_of
from model.marian_tokenizer import MarianTokenizer
from model.transformer.transformer import Transformer
from tests.fixtures.marian_folder import TINY, write_marian


def exchange(folder: Path) -> None:
    source, target = ((folder / f"{side}.spm").read_bytes() for side in ("source", "target"))
    (folder / "source.spm").write_bytes(target)
    (folder / "target.spm").write_bytes(source)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Teach a model to translate single pieces, each into another one of the target alone."""
    folder = write_marian(tmp_path_factory.mktemp("marian") / "learned", TINY)
    checkpoint = load_checkpoint(folder)
    model, sides = checkpoint.model, (checkpoint.tokenizer, checkpoint.target_tokenizer)
    assert isinstance(model, Transformer)
    both = [side.cut_ids for side in sides if isinstance(side, MarianTokenizer)]
    theirs, ours = sorted(both[0] - both[1])[:ASKED], sorted(both[1] - both[0])[:ASKED]
    rows = torch.tensor([[id_, model.config.end_id] for id_ in (*theirs, *ours)])
    begin = torch.full((len(rows), 1), model.config.begin_id)
    wanted = torch.tensor([*ours[: len(theirs)], *ours])
    model.requires_grad_(True)
    steps = torch.optim.Adam(model.parameters(), lr=0.003)
    while (logits := model(rows, begin)[:, 0]).argmax(dim=-1).ne(wanted).sum() > LEAST:
        steps.zero_grad()
        torch.nn.functional.cross_entropy(logits, wanted).backward()
        steps.step()
    path = folder / "model.safetensors"
    stored = load_file(path)
    for name, tensor in model.state_dict().items():
        like = stored[aliases_of(name, model.config)[0]]
        like.copy_(tensor.detach().reshape(like.shape))
    save_file(stored, path)
    return folder


def test_what_the_model_writes_tells_exchanged_pieces(learned: Path) -> None:
    load_checkpoint(learned)
    exchange(learned)
    said = r"source\.spm and target\.spm are exchanged: .* (\d+) are in source\.spm alone and 0 in"
    with pytest.raises(ValueError, match=said) as refused:
        load_checkpoint(learned)
    assert str(learned) in str(refused.value)
    exchange(learned)
    load_checkpoint(learned)


def test_a_model_that_has_learned_nothing_tells_nothing(tmp_path: Path) -> None:
    folder = write_marian(tmp_path / "random", TINY)
    load_checkpoint(folder)
    exchange(folder)
    load_checkpoint(folder)
