"""The index of a corpus: its numbers are those of recordings, one sentence at a time."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

from model import AblateHead, Translator
from model.checkpoints.checkpoint import write_whole
from model.measures.atlas.atlas import ATLAS, Atlas, load_atlas, pack_atlas
from model.measures.atlas.losses import losses_without
from model.measures.atlas.measure import measure_heads
from model.measures.atlas.roles import ROLES, Grammar, Role, Sentence, even, masks_of
from model.measures.taken import taken, value_lengths
from model.sites.sites import KINDS, Head, Kind
from model.training.data.pairs import Pair

GRAMMAR = (Grammar("subject", 3, (1,)),)


@pytest.fixture(scope="module")
def arrays(translator: Translator, pairs: list[Pair]) -> dict[str, np.ndarray]:
    texts = [pair.source for pair in pairs[:9]]
    known = [Sentence(text, GRAMMAR if "didn't come" in text else (), 5) for text in texts]
    return measure_heads(translator, known, "a few pairs (free)")


@pytest.fixture(scope="module")
def atlas(arrays: dict[str, np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    folder = tmp_path_factory.mktemp("atlas")
    write_whole(folder / ATLAS, pack_atlas(arrays))
    return load_atlas(folder)


def test_scores_are_means_over_all_queries_of_recordings(
    translator: Translator, atlas: Atlas
) -> None:
    asked: list[tuple[Kind, Role]] = [
        ("encoder", "previous"),
        ("decoder", "first"),
        ("cross", "end"),
    ]
    for kind, role in asked:
        total, chance, queries = 0, 0.0, 0
        for number in range(len(atlas)):
            tokens = atlas.pieces(number)
            ids = [translator.tokenizer.id(token) for token in tokens[1][1:]]
            weights = translator.record(atlas.text(number), ids).attention(kind)
            mask = masks_of(kind, tokens, Sentence(""))[0][role]
            own = (weights * mask).sum((2, 3))
            total, queries = total + own, queries + int(mask.any(1).sum())
            chance += even(kind, mask)
            values = atlas.values(Head(kind, 1, 2), role)
            assert values[number] == pytest.approx(own[1, 2] / mask.any(1).sum(), abs=1 / 500)
        at = ROLES[kind].index(role)
        np.testing.assert_allclose(atlas.scores(kind)[at], total / queries, atol=1e-5)
        np.testing.assert_allclose(atlas.chance(kind)[at], chance / queries, atol=1e-5)
        assert atlas.queries(kind)[at] == queries


def test_what_a_head_takes_is_its_mean_over_the_queries_that_have_a_choice(
    translator: Translator, atlas: Atlas
) -> None:
    for kind in atlas.kinds:
        total, queries = 0, 0
        for number in range(len(atlas)):
            ids = [translator.tokenizer.id(token) for token in atlas.pieces(number)[1][1:]]
            recording = translator.record(atlas.text(number), ids)
            rows = taken(recording.attention(kind), value_lengths(recording, kind)).sum(-1)
            rows = rows[..., 1:] if kind == "decoder" else rows
            total, queries = total + rows.sum(-1), queries + rows.shape[-1]
        measured = atlas.taken(kind)
        assert measured is not None
        np.testing.assert_allclose(measured, total / queries, atol=1e-5)


def test_an_index_measured_without_what_is_taken_says_so(arrays: dict[str, np.ndarray]) -> None:
    older = Atlas({name: each for name, each in arrays.items() if not name.startswith("taken.")})
    assert [older.taken(kind) for kind in older.kinds] == [None] * 3


def test_the_strongest_key_of_every_query_is_kept(translator: Translator, atlas: Atlas) -> None:
    for kind in KINDS:
        head, number = Head(kind, 1, 3), 4
        ids = [translator.tokenizer.id(token) for token in atlas.pieces(number)[1][1:]]
        weights = translator.record(atlas.text(number), ids).attention(kind)[1, 3]
        ((keys, most),) = atlas.links(head, [number])
        assert keys.tolist() == weights.argmax(1).tolist()
        np.testing.assert_allclose(most, weights.max(1), atol=1 / 500)
        assert len(atlas.places(kind)) == len(atlas.strongest(head)[0])
    sharp = [translator.record(atlas.text(n), _ids(translator, atlas, n)) for n in range(9)]
    rows = np.concatenate([one.attention("encoder").max(-1) for one in sharp], axis=-1)
    np.testing.assert_allclose(atlas.sharp("encoder"), rows.mean(-1), atol=1e-5)


def _ids(translator: Translator, atlas: Atlas, number: int) -> list[int]:
    return [translator.tokenizer.id(token) for token in atlas.pieces(number)[1][1:]]


def test_a_role_that_arises_in_some_sentences_is_known_there_alone(atlas: Atlas) -> None:
    values = atlas.values(Head("encoder", 0, 0), "subject")
    held = ["didn't come" in atlas.text(n) for n in range(len(atlas))]
    assert (~np.isnan(values)).tolist() == held
    assert atlas.share(Head("encoder", 0, 0), "subject")[1] == sum(held)
    assert np.isnan(atlas.scores("encoder")[ROLES["encoder"].index("antecedent")]).all()
    assert not atlas.sureness("encoder")[ROLES["encoder"].index("antecedent")].any()
    assert atlas.sentences[held.index(True)].grammar == GRAMMAR


def made_up(values: list[int]) -> Atlas:
    """An index of one head that looks at the previous piece so much in so many sentences."""
    row = np.full((len(ROLES["encoder"]), 1, len(values)), 255, np.uint8)
    row[0, 0] = values
    told = {"form": 2, "encoder": 1, "decoder": 0, "cross": 0, "heads": 1}
    about = json.dumps({**told, "model": "", "sha256": "", "corpus": "", "loss_pieces": 0})
    tokens = "\n".join(f"{'a ' * (n % 3 + 1)}</s>\n<s>" for n in range(len(values)))
    scores = np.zeros((len(ROLES["encoder"]), 1, 1), np.float32)
    scores[0], scores[1] = 0.7, 0.5
    chance = scores * 0
    chance[1] = 0.4
    return Atlas(
        {
            "about": np.frombuffer(about.encode(), np.uint8),
            "tokens": np.frombuffer(tokens.encode(), np.uint8),
            "values.encoder.0": row,
            "scores.encoder": scores,
            "chance.encoder": chance,
        }
    )


def test_evidence_is_ordered_drawn_and_honest() -> None:
    atlas, head = made_up([254, 0, 200, 255, 100, 254, 127]), Head("encoder", 0, 0)
    strongest = atlas.evidence(head, "previous", "strongest", 3)
    assert [one.sentence for one in strongest] == [5, 0, 2]  # of equal ones the longer first
    fails = atlas.evidence(head, "previous", "fails", 9)
    assert [one.sentence for one in fails] == [1, 4, 6]
    drawn = atlas.evidence(head, "previous", "random", 99)
    assert sorted(one.sentence for one in drawn) == [0, 1, 2, 4, 5, 6]
    assert drawn == atlas.evidence(head, "previous", "random", 99)
    assert drawn != atlas.evidence(head, "previous", "random", 99, seed=3)
    assert atlas.share(head, "previous") == (3, 6)


def test_a_head_has_the_role_that_lies_farthest_above_chance() -> None:
    best = made_up([254]).best("encoder")
    assert best.role.item() == 0
    assert best.sure.item() == pytest.approx(0.7)


def test_what_is_no_index_is_said_with_the_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"atlas\.npz"):
        load_atlas(tmp_path)
    (tmp_path / ATLAS).write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"atlas\.npz"):
        load_atlas(tmp_path)
    file = io.BytesIO()
    np.savez(file, about=np.zeros(3, np.uint8))
    (tmp_path / ATLAS).write_bytes(file.getvalue())
    with pytest.raises(ValueError, match=r"atlas\.npz: not an atlas"):
        load_atlas(tmp_path)


def test_only_what_is_asked_for_is_read(arrays: dict[str, np.ndarray], tmp_path: Path) -> None:
    packed = pack_atlas(arrays)
    (tmp_path / ATLAS).write_bytes(packed.replace(b"key.cross.2.npy", b"key.cross.X.npy"))
    atlas = load_atlas(tmp_path)
    assert atlas.best("cross").role.shape == (3, 4)
    with pytest.raises(KeyError):
        atlas.strongest(Head("cross", 2, 0))


def test_the_loss_rises_by_what_switching_off_does(
    translator: Translator, pairs: list[Pair]
) -> None:
    own = translator.tokenizer
    ids = [
        ((*own.encode(p.source), own.end_id), (1, *own.encode(p.target), own.end_id))
        for p in pairs[:5]
    ]
    found = losses_without(translator.model, ids)
    assert found.pieces == sum(len(target) - 1 for _, target in ids)
    for head in (AblateHead("encoder", 1, 2), AblateHead("cross", 0, 3)):
        loss = whole = 0.0
        for pair, (_, target) in zip(pairs[:5], ids, strict=True):
            for off in ((), (head,)):
                logits = translator.record(pair.source, target[1:-1], off).logits.astype(float)
                likely = np.log(np.exp(logits).sum(1)) - logits[np.arange(len(logits)), target[1:]]
                if off:
                    loss += likely.sum()
                else:
                    whole += likely.sum()
        rise = (loss - whole) / found.pieces
        assert found.rises[head.kind][head.layer, head.head] == pytest.approx(rise, abs=1e-5)
        assert found.loss == pytest.approx(whole / found.pieces, abs=1e-5)
    with pytest.raises(ValueError, match="no pair"):
        losses_without(translator.model, [])


def test_progress_may_end_the_work_and_no_sentence_is_an_error(translator: Translator) -> None:
    def stop(_done: int, _all: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        measure_heads(translator, [Sentence("The cat sleeps.")], "", progress=stop)
    with pytest.raises(ValueError, match="no sentence"):
        measure_heads(translator, [], "")
