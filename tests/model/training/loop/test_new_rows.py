"""Where the embeddings of added pieces start."""

import torch

from model.checkpoints.checkpoint import load_checkpoint
from model.training.data.more_pieces import NewPiece, with_pieces
from model.training.loop.new_rows import longer_embedding

PIECES = [
    NewPiece("▁THE", "capitals", -5),
    NewPiece("▁STREET", "capitals", -5),
    NewPiece("there", "inner", -9),
    NewPiece("(", "sign", -15),
    NewPiece("❤", "sign", -15),
    NewPiece("🙏", "sign", -15),
]


def test_new_rows_start_near_what_they_replace_and_apart_from_each_other() -> None:
    old = load_checkpoint("en-fr-dot").tokenizer  # en-fr has them already, after the same pieces
    rows = load_checkpoint("en-fr").model.state_dict()["embedding.weight"][: len(old)]
    new = with_pieces(old, PIECES)
    longer = longer_embedding(old, new, rows)
    assert longer.shape == (len(new), rows.size(1))
    assert torch.equal(longer[: len(old)], rows)

    def nearest(token: str) -> str:
        near = torch.cosine_similarity(longer[new.id(token)], rows)
        return old.token(int(near.argmax()))

    for token, like in (("▁THE", "▁the"), ("▁STREET", "▁street"), ("there", "▁there"), ("(", ",")):
        assert nearest(token) == like
    shift = longer[new.id("▁THE")] - rows[old.id("▁the")]
    torch.testing.assert_close(longer[new.id("▁STREET")] - rows[old.id("▁street")], shift)
    heart, hands = longer[new.id("❤")], longer[new.id("🙏")]
    assert torch.cosine_similarity(heart, hands, dim=0) < 0.5


def test_without_new_pieces_the_embedding_stays() -> None:
    loaded = load_checkpoint("en-fr")
    rows = loaded.model.state_dict()["embedding.weight"]
    assert longer_embedding(loaded.tokenizer, loaded.tokenizer, rows) is rows
