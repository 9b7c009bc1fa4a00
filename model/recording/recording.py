"""A recorded forward pass as read-only numpy arrays, and the one function that makes it."""

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.families import Config, Network, transformer_config
from model.interventions.base import Intervention, Lengths
from model.interventions.donors import Donors
from model.interventions.prepare import prepare
from model.recording import parts
from model.recording.markup import html, sites_table
from model.recording.parts import Parts, ScoreParts
from model.recording.weights import NO_WEIGHTS, Weights, read_only
from model.sites.sites import (
    SUBLAYERS,
    Kind,
    Stack,
    Sublayer,
    attention_inputs,
    attention_site,
    check_kind,
    mask_site,
    stack_output,
)
from model.sites.tap import Edit, Recorder
from model.transformer.config import ModelConfig
from model.transformer.layers import additive_scores
from model.words import SPECIAL_TOKENS

PAD_TOKEN = SPECIAL_TOKENS[0]


@dataclass(frozen=True)
class RecordedSite:
    """A recorded site: its name, the names and sizes of its dimensions, and its meaning."""

    name: str
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    meaning: str


@dataclass(frozen=True, eq=False)
class Addition:
    """A sublayer's output and the residual stream it is added to, both (n, D)."""

    sublayer: Sublayer
    before: NDArray[np.float32]
    added: NDArray[np.float32]


class NotRecorded(KeyError, ValueError):
    """Nothing is recorded under a name."""

    __str__ = ValueError.__str__  # KeyError's puts quotes around the sentence


@dataclass(frozen=True, eq=False, repr=False)
class Recording(Mapping[str, NDArray[Any]]):
    """All arrays of one forward pass over one sentence pair; read-only, by the names of sites.

    Args:
        made_by: the configuration of the model.
        source_ids: the ids of the source, its padding included.
        target_ids: the ids that the decoder was given, the begin token first.
        source_tokens: the pieces of the source.
        target_tokens: those of the decoder's input; row t of the logits predicts the piece after
            `target_tokens[t]`.
        interventions: the interventions of the pass.
        arrays: the array of each site.
        weights: views of the model's own weights.
        edits: the functions that have changed sites, by site.
        functions: those of them that the caller wrote.
        donors: the sentences whose vectors were put in, None if there are none.

    >>> recording = translator.record("The cat is sleeping.")
    >>> recording["decoder.logits"] is recording.logits
    True

    """

    made_by: Config
    source_ids: tuple[int, ...]
    target_ids: tuple[int, ...]
    source_tokens: list[str]
    target_tokens: list[str]
    interventions: tuple[Intervention, ...]
    arrays: Mapping[str, NDArray[Any]]
    weights: Weights = NO_WEIGHTS
    edits: Mapping[str, Edit] = field(default_factory=dict)
    functions: Mapping[str, Edit] = field(default_factory=dict)
    donors: Donors | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle; edits that can be made again from the rest are left out."""
        edits = None if self.interventions or self.functions else dict(self.edits)
        return vars(self) | {
            "arrays": dict(self.arrays),
            "weights": dict(self.weights.arrays),
            "edits": edits,
            "functions": dict(self.functions),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the pickled state, read-only again."""
        values = vars(self)
        values.update(state)
        arrays, weights = (
            MappingProxyType({name: read_only(array) for name, array in state[part].items()})
            for part in ("arrays", "weights")
        )
        values.update(arrays=arrays, weights=Weights(weights))
        if self.edits is None:
            length = sum(token != PAD_TOKEN for token in self.source_tokens)
            edits = self.functions
            if self.interventions:
                lengths = Lengths(length, len(self.target_ids), self.donors)
                edits = prepare(self.interventions, self.config, lengths).then(edits)
            values.update(edits=edits)

    @property
    def config(self) -> ModelConfig:
        """Return the sizes of its Transformer; ValueError for a recurrent model."""
        return transformer_config(self.made_by)

    __eq__, __hash__ = object.__eq__, object.__hash__  # those of a mapping would compare all arrays

    def __getitem__(self, site: str) -> NDArray[Any]:
        """Return the array of a site; for a pattern, the arrays of all sites that match, stacked.

        Raises NotRecorded (a ValueError and a KeyError) when there is no such site, and ValueError
        when the sites that match a pattern differ in shape.

        >>> recording["encoder.*.ffn.out"].shape == (6, len(recording.source_tokens), 256)
        True
        """
        if site in self.arrays:
            return self.arrays[site]
        names = [name for name in self if fnmatchcase(name, f"{site}")]
        if len({self.arrays[name].shape for name in names}) > 1:
            raise ValueError(f"{site!r} names {len(names)} sites that differ in shape: {names[:3]}")
        if names:
            return np.stack([self.arrays[name] for name in names])
        near = get_close_matches(f"{site}", self, 1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise NotRecorded(f"nothing is recorded under {site!r}{meant}")

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the recorded sites, in the order of the pass."""
        return iter(self.arrays)

    def __len__(self) -> int:
        """Count the recorded sites."""
        return len(self.arrays)

    def __contains__(self, site: object) -> bool:
        """Tell whether a site of this name is recorded; a pattern is not a name."""
        return site in self.arrays

    def __repr__(self) -> str:
        """Describe the recording in one line: pieces, sites and interventions."""
        source, target = len(self.source_tokens), len(self.target_tokens)
        changed = f", {len(self.interventions)} interventions" if self.interventions else ""
        return f"Recording({source} source, {target} target pieces, {len(self)} sites{changed})"

    def _repr_html_(self) -> str:
        sites = ((site.name, site.dims, site.shape, site.meaning) for site in self.sites())
        return f"<p>{html(repr(self))}</p>{sites_table(sites)}"

    def attention(self, kind: Kind) -> NDArray[np.float32]:
        """Return the weights of all layers of a kind of attention.

        Args:
            kind: "encoder", "decoder" or "cross".

        Returns:
            An array (L, H, S, S), (L, H, T, T) or (L, H, T, S).

        Raises:
            ValueError: there is no such kind, or the model has no attention of it.

        >>> recording.attention("cross").sum(axis=-1).round(3).min()
        np.float32(1.0)

        """
        check_kind(kind)
        layers = range(self.made_by.layers(kind))
        if not layers:
            raise ValueError(f"the {self.made_by.kind} model has no {kind} attention")
        return np.stack([self[attention_site(kind, layer, "weights")] for layer in layers])

    def tokens(self, kind: Kind) -> tuple[list[str], list[str]]:
        """Return the query tokens and the key tokens of this kind of attention.

        Raises:
            ValueError: `kind` is none of "encoder", "decoder" and "cross".

        >>> recording.tokens("cross")[1] == recording.source_tokens
        True

        """
        check_kind(kind)
        queries = self.source_tokens if kind == "encoder" else self.target_tokens
        keys = self.target_tokens if kind == "decoder" else self.source_tokens
        return queries, keys

    def part(self, kind: Kind, layer: int, part: str) -> NDArray[np.float32]:
        """Return one array of an attention sublayer.

        Args:
            kind: "encoder", "decoder" or "cross".
            layer: the layer, from 0.
            part: "q", "k", "v", "scores", "weights", "z" or "out".

        Returns:
            The array of the site; (H, T, S) for scores and weights.

        Raises:
            NotRecorded: there is no such layer or part.

        >>> recording.part("cross", 0, "weights").shape == recording.attention("cross")[0].shape
        True

        """
        return self[attention_site(kind, layer, part)]

    def reads(
        self, kind: Kind, layer: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
        """Return what an attention sublayer reads.

        These are the vectors from which it makes its queries, (T, D), those from which it makes its
        keys and values, (S, D), and its mask, (T, S).
        """
        own, other = attention_inputs(kind, layer)
        return self[own], self[other], self[mask_site(kind)]

    @property
    def origin(self) -> tuple[object, ...]:
        """Return the ids of the translation, the interventions and the functions."""
        return self.target_ids[1:], self.interventions, self.functions

    def edited(self, site: str, array: NDArray[Any], *made_of: NDArray[Any]) -> NDArray[Any]:
        """Return `array`, in the shape recorded at a site, as the interventions change it there.

        It keeps its precision; where no intervention changes the site, the array itself is
        returned. `made_of` are the arrays that some interventions read: for keys and values, the
        queries.
        """
        edit = self.edits.get(site)
        if edit is None:
            return array
        return edit(*(torch.tensor(each)[None] for each in (array, *made_of)))[0].numpy()

    def score_factors(self, kind: Kind, layer: int) -> NDArray[np.float64]:
        """Return the factor by which interventions multiply each score, (H, T, S).

        It is 1 for an unchanged score or a forbidden link, and 0 where all scores of a row become
        equal. It is NaN where interventions do anything but multiply: from a score half as large,
        they would not make a result half as large.

        >>> bool((recording.score_factors("cross", 0) == 1).all())  # nothing is changed here
        True
        """
        site = attention_site(kind, layer, "scores")
        if site not in self.edits:
            return np.ones(self[site].shape)
        scores = self.unedited_scores(kind, layer)
        scores[scores == 0] = 1  # every factor gives 0 for 0
        whole, half, zero = (self.edited(site, share * scores) for share in (1, 0.5, 0))
        free = np.isfinite(whole)
        factors = np.divide(whole, scores, out=np.ones(scores.shape), where=free)
        multiplied = np.isclose(half, factors * scores / 2) & np.isclose(zero, 0)
        return np.where(multiplied | ~free, factors, np.nan)

    def unedited_scores(self, kind: Kind, layer: int) -> NDArray[np.float64]:
        """Return the scores (H, T, S) before interventions change them.

        They are q k / sqrt(d_k), or v tanh(q + k) in a model with additive scores.
        """
        q, k = (self.part(kind, layer, part).astype(np.float64) for part in ("q", "k"))
        if self.config.scores == "dot":
            return q @ k.swapaxes(-1, -2) / self.config.d_k**0.5
        stack, sublayer = attention_site(kind, layer, "scores").split(".")[::2]
        vector = self.weights[f"{stack}.layers.{layer}.{sublayer}.score_vector"]  # H Dk
        return additive_scores(*map(torch.as_tensor, (q, k, vector.astype(np.float64)))).numpy()

    def stream(self, stack: Stack) -> NDArray[np.float32]:
        """Return the residual stream of a stack, "encoder" or "decoder".

        Returns:
            (L + 1, n, D): at the input of the stack, then after each of its L layers.

        >>> len(recording.stream("encoder")) == translator.config.layers("encoder") + 1
        True

        """
        layers = range(-1, self.config.layers(stack))
        return np.stack([self[stack_output(stack, layer)] for layer in layers])

    def additions(self, stack: Stack, layer: int) -> list[Addition]:
        """Return the output of each sublayer of a layer, in order, and what it is added to."""
        before = self[stack_output(stack, layer - 1)]
        additions: list[Addition] = []
        for number, sublayer in enumerate(SUBLAYERS[stack], start=1):
            additions.append(Addition(sublayer, before, self[f"{stack}.{layer}.{sublayer}.out"]))
            before = self[f"{stack}.{layer}.norm{number}"]
        return additions

    def residual_parts(self, stack: Stack, layer: int, token: int) -> Parts:
        """Return the parts of a token's vector at the input of a layer.

        Args:
            stack: "encoder" or "decoder".
            layer: the layer, from 0; the number after the last means the output of the stack.
            token: the token, from 0.

        Returns:
            The parts (P, D): the embedding, the position, the output of each earlier sublayer and
            the bias of each norm, all as they are after the norms so far. They add up to
            `stream(stack)[layer, token]` within 1e-4.

        Raises:
            ValueError: there is no such layer or token, or the model is not a Transformer.

        >>> parts = recording.residual_parts("encoder", 2, 1)
        >>> bool(abs(parts.total - recording.stream("encoder")[2, 1]).max() < 1e-4)
        True

        """
        return parts.residual_parts(self, stack, layer, token)

    def score_parts(self, kind: Kind, layer: int, head: int, query: int, key: int) -> ScoreParts:
        """Return one score, q k / sqrt(d_k), as query parts times key parts.

        Args:
            kind: "encoder", "decoder" or "cross".
            layer: the layer, from 0.
            head: the head in its layer, from 0.
            query: the row, from 0.
            key: the key, from 0.

        Returns:
            The products (Pq, Pk). The parts are those of `residual_parts`, projected, and the
            biases of W_Q and W_K, multiplied by the interventions' factor on the score. All pairs
            add up to the recorded score within 1e-4; for a forbidden link, they add up to its score
            before it was forbidden.

        Raises:
            ValueError: there is no such layer, head, query or key, interventions change the score
                other than by a factor, or the model is not a Transformer.

        >>> parts = recording.score_parts("encoder", 5, 3, 2, 1)
        >>> abs(parts.total - recording.part("encoder", 5, "scores")[3, 2, 1]) < 1e-4
        np.True_

        """
        return parts.score_parts(self, kind, layer, head, query, key)

    def logit_parts(self, step: int, piece: int, other: int | None = None) -> Parts:
        """Return the logit of a piece at a step, or its lead over another piece, as parts.

        Args:
            step: the step, from 0.
            piece: the id of the piece.
            other: the id of the piece whose logit is subtracted, if any.

        Returns:
            The parts (P,): the embedding, the position, every head of the decoder through W_O,
            every feed-forward output and the biases, each after the norms and multiplied by the
            piece's embedding. They add up to `logits[step, piece]`, less the logit of `other`,
            within 1e-4. What a head does by way of later layers belongs to their parts, not to its
            own.

        Raises:
            ValueError: there is no such step or piece, or the model is not a Transformer.

        >>> parts = recording.logit_parts(0, 7)
        >>> bool(abs(parts.total - recording.logits[0, 7]) < 1e-4)
        True

        """
        return parts.logit_parts(self, step, piece, other)

    def sites(self) -> list[RecordedSite]:
        """List every recorded site with its dims and actual shape, in the order of the pass.

        >>> recording.sites()[0].name in recording
        True
        """
        sites = self.made_by.sites()
        return [
            RecordedSite(name, sites[name].dims, array.shape, sites[name].meaning)
            for name, array in self.arrays.items()
        ]

    def archive(self) -> bytes:
        """Pack every recorded site, the tokens and the ids into the bytes of an NPZ file.

        >>> file = np.load(io.BytesIO(recording.archive()))
        >>> len(file["source_ids"]) == len(recording.source_tokens)
        True
        """
        tokens = {
            "source_tokens": np.array(self.source_tokens),
            "target_tokens": np.array(self.target_tokens),
            "source_ids": np.array(self.source_ids),
            "target_ids": np.array(self.target_ids),
        }
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, array in (tokens | dict(self.arrays)).items():
                with archive.open(f"{name}.npy", "w") as entry:
                    np.lib.format.write_array(entry, np.asarray(array), allow_pickle=False)
        return file.getvalue()

    @property
    def logits(self) -> NDArray[np.float32]:
        """Return the logit of every piece as the next one, at each step: (T, V)."""
        return self["decoder.logits"]


NO_EDITS: Mapping[str, Edit] = MappingProxyType({})


@torch.inference_mode()
def record(
    model: Network,
    source_ids: Sequence[int],
    target_ids: Sequence[int],
    source_tokens: list[str],
    target_tokens: list[str],
    interventions: Sequence[Intervention] = (),
    *,
    weights: Weights | None = None,
    edits: Mapping[str, Edit] = NO_EDITS,
    donors: Donors | None = None,
) -> Recording:
    """Run the model once and record every site, as the interventions and then `edits` change it.

    `weights` may be passed to save time in repeated recordings; they are the model's own. `donors`
    are the other sentences that interventions take vectors from.

    Raises ValueError when an intervention does not fit the model or the sentence, when a query is
    left without any key, when the model has no site of an edit, or when the logits become NaN.
    """
    lengths = Lengths(len(source_ids), len(target_ids), donors)
    if interventions:
        run = prepare(interventions, transformer_config(model.config), lengths)
        edits, source_ids = run.then(edits), run.padded(source_ids)
    source_tokens = source_tokens + [PAD_TOKEN] * (len(source_ids) - lengths.source)
    recorder = Recorder(edits)
    logits = model(torch.tensor([source_ids]), torch.tensor([target_ids]), recorder)
    recorded = recorder.finish()
    if bool(logits.isnan().any()):
        first = next(name for name, x in recorded.items() if bool(x.isnan().any()))
        raise ValueError(f"the changes make numbers NaN, first those of {first}")
    arrays = MappingProxyType({name: _frozen(x) for name, x in recorded.items()})
    return Recording(
        model.config,
        tuple(source_ids),
        tuple(target_ids),
        source_tokens,
        target_tokens,
        tuple(interventions),
        arrays,
        weights or Weights.of(model),
        edits,
        donors=donors and donors.without_model(),
    )


def _frozen(tensor: Tensor) -> NDArray[Any]:
    """Return the only row of a batch as a read-only array.

    A view is copied if it has another layout, or would keep a larger tensor in memory.
    """
    tensor = tensor.cpu()
    array = tensor[0].numpy()
    whole = tensor.untyped_storage().nbytes() == array.nbytes
    if not (whole and array.flags.c_contiguous):
        array = np.array(array, order="C")
    return read_only(array)
