import io
import pickle
import threading
import zipfile
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import torch

from model.interventions.base import Intervention
from model.interventions.heads import AblateHead
from model.interventions.masks import BlockAttention, PadSource
from model.interventions.patches import PatchActivation
from model.recording.recording import Recording, record
from model.sites.sites import KINDS, Kind, Stack, attention_site
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from model.translator import Translator

SOURCE, TARGET = (40, 41, 42, 43, 44, 45, 2), (1, 60, 61, 62)
S, T = len(SOURCE), len(TARGET)


def make(
    model: Transformer,
    source: tuple[int, ...] = SOURCE,
    target: tuple[int, ...] = TARGET,
    interventions: tuple[Intervention, ...] = (),
) -> Recording:
    names = [f"s{i}" for i in range(len(source))], [f"t{i}" for i in range(len(target))]
    return record(model, source, target, *names, interventions)


@pytest.fixture(scope="module")
def recording(model: Transformer) -> Recording:
    return make(model)


@pytest.mark.parametrize(
    "interventions",
    [(), (AblateHead("encoder", 1, 0, "mean"), BlockAttention("encoder", 2, 3), PadSource(12))],
)
def test_a_recording_survives_pickling(
    model: Transformer, interventions: tuple[Intervention, ...]
) -> None:
    whole = make(model, interventions=interventions)
    again = pickle.loads(pickle.dumps(whole))
    assert again.interventions == whole.interventions
    assert (again.source_tokens, again.target_ids) == (whole.source_tokens, whole.target_ids)
    assert again.arrays.keys() == whole.arrays.keys()
    for site, array in whole.arrays.items():
        np.testing.assert_array_equal(again[site], array)
        assert not again[site].flags.writeable
    asked = ("encoder", 1, 2, 3, 4)
    np.testing.assert_array_equal(
        again.score_parts(*asked).values, whole.score_parts(*asked).values
    )
    assert again.edits.keys() == whole.edits.keys()
    site = "encoder.1.self_attn.z"
    rising = np.arange(whole[site].size, dtype=np.float32).reshape(whole[site].shape)
    np.testing.assert_array_equal(again.edited(site, rising), whole.edited(site, rising))


def test_a_recording_with_a_patch_survives_pickling(translator: Translator) -> None:
    donor = "The dog sleeps."
    patches = (
        PatchActivation("encoder.memory", 1, donor),
        PatchActivation("decoder.1.cross_attn.z", 1, donor, head=2),
    )
    whole = translator.record("The cat sleeps.", None, patches)
    again = pickle.loads(pickle.dumps(whole))
    assert again.edits.keys() == whole.edits.keys()
    for site in ("encoder.memory", "decoder.1.cross_attn.z"):
        ones = np.ones_like(whole[site])
        np.testing.assert_array_equal(again.edited(site, ones), whole.edited(site, ones))
        assert not (again.edited(site, ones) == ones).all()


def test_a_recording_with_a_function_survives_pickling(translator: Translator) -> None:
    site, off = "encoder.1.ffn.out", (AblateHead("encoder", 1, 0),)
    whole = translator.record("The cat sleeps.", None, off, edits={site: torch.neg})
    again = pickle.loads(pickle.dumps(whole))
    ones = np.ones_like(whole[site])
    np.testing.assert_array_equal(again.edited(site, ones), -ones)
    assert again.edits.keys() == whole.edits.keys()


def test_a_kind_that_there_is_not_is_refused_everywhere(recording: Recording) -> None:
    asks = (
        lambda: recording.attention("x"),  # pyrefly: ignore[bad-argument-type]
        lambda: recording.tokens("x"),  # pyrefly: ignore[bad-argument-type]
        lambda: recording.part("x", 0, "q"),  # pyrefly: ignore[bad-argument-type]
        lambda: recording.reads("x", 0),  # pyrefly: ignore[bad-argument-type]
        lambda: recording.score_parts("x", 0, 0, 0, 0),  # pyrefly: ignore[bad-argument-type]
    )
    for ask in asks:
        with pytest.raises(
            ValueError, match="kind must be one of encoder, decoder, cross, not 'x'"
        ):
            ask()


def test_parts_of_what_is_no_number_are_refused(recording: Recording) -> None:
    with pytest.raises(ValueError, match=r"piece must be 0 to .*, not 'est'"):
        recording.logit_parts(0, "est")  # pyrefly: ignore[bad-argument-type]
    numbers = np.arange(4)
    found = recording.score_parts("encoder", numbers[1], numbers[2], numbers[3], numbers[0])
    assert found.total == recording.score_parts("encoder", 1, 2, 3, 0).total


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def mask_of(recording: Recording, kind: Kind) -> np.ndarray:
    return recording["decoder.cross_mask" if kind == "cross" else f"{kind}.mask"]


def test_every_site_of_the_table_is_recorded_with_its_dims(
    recording: Recording, config: ModelConfig
) -> None:
    sizes = {
        "S": S,
        "T": T,
        "H": config.heads,
        "D": config.d_model,
        "Dk": config.d_k,
        "F": config.d_ff,
        "V": config.vocab_size,
    }
    assert len(set(sizes.values())) == len(sizes) - 1  # only H and T agree
    table, found = config.sites(), recording.sites()
    assert sorted(site.name for site in found) == sorted(table)
    for site in found:
        assert site.dims == table[site.name].dims
        assert site.meaning == table[site.name].meaning
        assert site.shape == tuple(sizes[dim] for dim in site.dims), site.name
        assert recording[site.name].dtype == (bool if "mask" in site.name else np.float32)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_the_softmax_of_the_masked_scores(recording: Recording, kind: Kind) -> None:
    mask = mask_of(recording, kind)
    for layer in range(recording.config.layers(kind)):
        scores = recording[attention_site(kind, layer, "scores")]
        weights = recording[attention_site(kind, layer, "weights")]
        np.testing.assert_allclose(weights, softmax(np.where(mask, scores, -np.inf)), atol=1e-6)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
        assert not weights[:, ~mask].any()
        assert (weights[:, mask] > 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_scores_and_outputs_follow_from_q_k_and_v(recording: Recording, kind: Kind) -> None:
    for layer in range(recording.config.layers(kind)):
        q, k, v, scores, weights, z = (
            recording[attention_site(kind, layer, part)]
            for part in ("q", "k", "v", "scores", "weights", "z")
        )
        np.testing.assert_allclose(
            scores, q @ k.swapaxes(1, 2) / recording.config.d_k**0.5, rtol=1e-4, atol=1e-5
        )
        np.testing.assert_allclose(z, weights @ v, rtol=1e-4, atol=1e-5)


def test_heads_side_by_side_times_the_output_matrix_are_out(
    recording: Recording, model: Transformer
) -> None:
    z = recording["encoder.0.self_attn.z"]
    matrix = model.encoder.layers[0].get_submodule("self_attn.out")
    joined = torch.from_numpy(z.transpose(1, 0, 2).reshape(S, -1))
    np.testing.assert_allclose(recording["encoder.0.self_attn.out"], matrix(joined), atol=1e-5)


def test_the_residual_stream_fits_together(recording: Recording, config: ModelConfig) -> None:
    for stack in ("encoder", "decoder"):
        total = recording[f"{stack}.embedding"] + recording[f"{stack}.positions"]
        np.testing.assert_array_equal(recording[f"{stack}.input"], total)
        for layer in range(config.encoder_layers if stack == "encoder" else config.decoder_layers):
            above = f"{stack}.{layer - 1}.norm{2 if stack == 'encoder' else 3}"
            x = recording[above if layer else f"{stack}.input"]
            added = x + recording[f"{stack}.{layer}.self_attn.out"]
            centred = added - added.mean(axis=-1, keepdims=True)
            expected = centred / np.sqrt(added.var(axis=-1, keepdims=True) + 1e-5)
            np.testing.assert_allclose(recording[f"{stack}.{layer}.norm1"], expected, atol=1e-5)
    np.testing.assert_array_equal(recording["encoder.memory"], recording["encoder.1.norm2"])


def test_attention_stacks_the_layers(recording: Recording) -> None:
    assert recording.attention("encoder").shape == (2, 4, S, S)
    assert recording.attention("decoder").shape == (3, 4, T, T)
    cross = recording.attention("cross")
    assert cross.shape == (3, 4, T, S)
    assert cross.dtype == np.float32
    np.testing.assert_array_equal(cross[2], recording["decoder.2.cross_attn.weights"])


@pytest.mark.parametrize("kind", KINDS)
def test_what_attention_reads_gives_its_queries_keys_and_mask(
    recording: Recording, model: Transformer, kind: Kind
) -> None:
    layer = 1
    x, source, mask = recording.reads(kind, layer)
    np.testing.assert_array_equal(mask, mask_of(recording, kind))
    stack, name = attention_site(kind, layer, "q").split(".")[::2]
    inner = model.get_submodule(f"{stack}.layers.{layer}.{name}")
    for part, read in (("q", x), ("k", source)):
        projected = inner.get_submodule(part)(torch.tensor(read)).numpy()  # n D
        by_head = recording.part(kind, layer, part).swapaxes(0, 1).reshape(len(read), -1)
        np.testing.assert_allclose(by_head, projected, atol=1e-5)


def test_additions_are_what_each_norm_gets(recording: Recording) -> None:
    expected: dict[Stack, list[str]] = {
        "encoder": ["self_attn", "ffn"],
        "decoder": ["self_attn", "cross_attn", "ffn"],
    }
    for stack, sublayers in expected.items():
        for layer in range(recording.config.layers(stack)):
            found = recording.additions(stack, layer)
            assert [addition.sublayer for addition in found] == sublayers
            for number, addition in enumerate(found, start=1):
                total = recording[f"{stack}.{layer}.sum{number}"]
                np.testing.assert_allclose(addition.before + addition.added, total, atol=1e-6)
                out = recording[f"{stack}.{layer}.{addition.sublayer}.out"]
                np.testing.assert_array_equal(addition.added, out)


def test_logits_are_those_of_the_bare_model(recording: Recording, model: Transformer) -> None:
    expected = model(torch.tensor([SOURCE]), torch.tensor([TARGET]))[0]  # T V
    np.testing.assert_array_equal(recording.logits, expected.numpy())


def test_tokens_name_the_rows_and_columns_of_each_kind(recording: Recording) -> None:
    for kind in KINDS:
        queries, keys = recording.tokens(kind)
        assert recording.attention(kind).shape[-2:] == (len(queries), len(keys))
    assert recording.tokens("cross") == (recording.target_tokens, recording.source_tokens)


def test_nothing_in_a_recording_can_be_changed(recording: Recording) -> None:
    with pytest.raises(ValueError, match="read-only"):
        recording["encoder.input"][0, 0] = 1
    with pytest.raises(FrozenInstanceError):
        recording.target_ids = ()  # pyrefly: ignore[read-only]
    with pytest.raises(TypeError):
        recording.arrays["encoder.input"] = 1  # pyrefly: ignore[unsupported-operation]
    assert not any(array.flags.writeable for array in recording.arrays.values())


def test_an_unknown_site_or_kind_is_named(recording: Recording) -> None:
    with pytest.raises(ValueError, match=r"nothing is recorded under 'encoder\.7\.q'"):
        recording["encoder.7.q"]
    with pytest.raises(ValueError, match="kind must be one of encoder, decoder, cross, not 'self'"):
        recording.attention("self")  # pyrefly: ignore[bad-argument-type]


def test_a_recording_outlives_changes_of_the_model(config: ModelConfig) -> None:
    torch.manual_seed(1)
    model = Transformer(config).eval().requires_grad_(False)
    recording = make(model)
    before = recording["encoder.positions"].copy(), recording["encoder.input"].copy()
    for tensor in (*model.parameters(), *model.buffers()):
        tensor.zero_()
    np.testing.assert_array_equal(recording["encoder.positions"], before[0])
    np.testing.assert_array_equal(recording["encoder.input"], before[1])


def test_recording_leaves_nothing_on_the_model(model: Transformer) -> None:
    def state() -> list[tuple[str, list[str]]]:
        return [(name, sorted(vars(module))) for name, module in model.named_modules()]

    before = state()
    make(model)
    assert state() == before
    hooks = ("_forward_hooks", "_forward_pre_hooks")
    assert not any(getattr(module, hook) for module in model.modules() for hook in hooks)


def test_three_threads_on_one_model_record_what_one_alone_records(model: Transformer) -> None:
    jobs: list[tuple[tuple[int, ...], tuple[int, ...], tuple[Intervention, ...]]] = [
        (SOURCE, TARGET, ()),
        (tuple(range(50, 75)), (1, *range(80, 95)), (AblateHead("encoder", 1, 2),)),
        ((99, 2), (1, 9, 8), (AblateHead("cross", 0, 0),)),
    ]
    expected = [make(model, *job) for job in jobs]
    start, found = threading.Barrier(len(jobs)), [list[Recording]() for _ in jobs]

    def work(number: int) -> None:
        start.wait(timeout=60)
        for _ in range(15):
            found[number].append(make(model, *jobs[number]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    for alone, together in zip(expected, found, strict=True):
        assert len(together) == 15
        for recording in together:
            for site, array in alone.arrays.items():
                np.testing.assert_array_equal(recording[site], array)


def test_the_archive_holds_everything_under_its_name(recording: Recording) -> None:
    with np.load(io.BytesIO(recording.archive()), allow_pickle=False) as archive:
        assert set(recording.arrays) < set(archive.files)
        for name, array in recording.arrays.items():
            np.testing.assert_array_equal(archive[name], array)
        assert archive["source_tokens"].tolist() == recording.source_tokens
        assert archive["target_tokens"].tolist() == recording.target_tokens
        assert archive["source_ids"].tolist() == list(SOURCE)
        assert archive["target_ids"].tolist() == list(TARGET)


def test_the_archive_is_compressed(recording: Recording) -> None:
    with zipfile.ZipFile(io.BytesIO(recording.archive())) as archive:
        assert all(entry.compress_type == zipfile.ZIP_DEFLATED for entry in archive.infolist())
