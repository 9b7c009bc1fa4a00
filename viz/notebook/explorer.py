"""The attention explorer as one frame in a notebook, and its figures as files."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import compress
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from model.checkpoints.checkpoint import write_whole
from model.recording.markup import PLAIN, html
from model.recording.recording import Recording
from model.sites.sites import KINDS, Head, Kind
from model.translator import Translator
from model.words import WORD_START, is_special
from viz.components.attention_explorer.file import explorer_page
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.notebook import arrays as checks
from viz.notebook.arrays import Given
from viz.notebook.outputs import Outputs, attended, attentions, is_generated
from viz.notebook.paper.attention import Choice, Merge, View, attention_picture, places
from viz.notebook.paper.picture import png, svg
from viz.notebook.static import static_html, static_svg, static_text
from viz.notebook.tokens import is_mute_token, texts

HEIGHT = 800
"""Pixels of the frame."""

Numbers = Sequence[int] | NDArray[np.integer]


class Svg(str):
    """The text of an SVG, which a notebook shows as the picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Say in a few words what it is."""
        return f"<SVG of {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)


class Png(bytes):
    """The bytes of a PNG, which a notebook shows as the picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Say in a few words what it is."""
        return f"<PNG of {len(self):,} bytes>"

    def _repr_png_(self) -> bytes:
        return bytes(self)


class Explorer:
    """Every layer, head and token of one pass as lines, grid and matrix; it needs no network.

    Args:
        recording: the pass that is shown.
        translator: the translator that recorded it. It adds the name of the model and the pieces
            that it predicts.

    Raises:
        ValueError: a side is longer than the explorer draws, or an argument is of the wrong type.

    >>> Explorer(recording, translator).recording.kinds
    ('encoder', 'decoder', 'cross')

    """

    def __init__(
        self, recording: Recording | ExplorerRecording, translator: Translator | None = None
    ) -> None:
        """Take the weights and tokens out of a recording."""
        if not isinstance(translator, Translator | None):
            raise ValueError(f"a Translator expected, found {type(translator).__name__}")
        if isinstance(recording, Recording):
            recording = _of(recording, translator)
        if not isinstance(recording, ExplorerRecording):
            raise ValueError(
                f"a Recording expected, found {type(recording).__name__}; arrays go to "
                "explorer.from_arrays, the output of another model to explorer.from_outputs"
            )
        self.recording = recording
        self.notes: tuple[str, ...] = ()
        self.view = ""

    @classmethod
    def from_arrays(
        cls,
        *,
        encoder: Given = None,
        decoder: Given = None,
        cross: Given = None,
        source: Sequence[str] = (),
        target: Sequence[str] = (),
        layers: Sequence[int] | None = None,
        queries: Numbers | None = None,
        keys: Numbers | None = None,
        name: str = "arrays",
    ) -> Self:
        """Show the weights of any model.

        The three kinds may differ in layers and heads, and any of them may be missing.

        Args:
            encoder: weights (L, H, S, S) of source tokens looking at each other; or a tuple of
                (1, H, S, S), one for each layer.
            decoder: those of target tokens looking at each other, (L, H, T, T).
            cross: those of target tokens looking at source tokens, (L, H, T, S).
            source: the source tokens.
            target: the target tokens.
            layers: the layers' own numbers, where a model has attention only in some.
            queries: the target tokens that are shown, by their places from 1; all by default.
            keys: the source tokens that are shown. Where there is only one side, `queries` and
                `keys` both choose its tokens.
            name: the name of the model on screen.

        Returns:
            The explorer. Its `notes` name blank rows, and rows that add up to less than 1.

        Raises:
            ValueError: an axis does not fit its tokens, weights are not shares, or a token is not
                a text.

        >>> weights = np.full((1, 1, 2, 3), 1 / 3)
        >>> made = Explorer.from_arrays(cross=weights, source=["a", "b", "c"], target=["x", "y"])
        >>> made.recording.kinds
        ('cross',)

        """
        parts = {"encoder": encoder, "decoder": decoder, "cross": cross}
        arrays = {
            kind: checks.layers(kind, part, layers)
            for kind, part in parts.items()
            if part is not None
        }
        arrays, sides = _chosen(arrays, (texts(source), texts(target)), queries, keys)
        notes: list[str] = []
        for kind, weights in arrays.items():
            if weights.ndim == 4:  # another shape is refused below, with its axes
                checks.check_rows(kind, weights)
                notes += checks.notes(kind, weights) if weights.size else []
        made = cls(_of_arrays(arrays, sides, ". ".join([name, *notes])))
        made.notes = tuple(notes)
        return made

    @classmethod
    def from_outputs(
        cls,
        outputs: Outputs,
        source: Sequence[str] = (),
        target: Sequence[str] = (),
        *,
        row: int = 0,
        attention_mask: Given = None,
        decoder_attention_mask: Given = None,
        layers: Sequence[int] | None = None,
        queries: Numbers | None = None,
        keys: Numbers | None = None,
        name: str = "model",
    ) -> Self:
        """Show the output of a transformers model that was called with output_attentions=True.

        Args:
            outputs: the output of one pass, as an object or a tuple; or that of generate(), greedy
                or by beams.
            source: the source tokens, with padding or without.
            target: the target tokens. After generate() they may include the last one, which no
                step has read.
            row: the sentence of the batch, from 0.
            attention_mask: the mask (B, S) that the model was given; padding is not shown.
            decoder_attention_mask: that of the decoder, (B, T).
            layers: as in `from_arrays`.
            queries: as in `from_arrays`.
            keys: as in `from_arrays`.
            name: the name of the model on screen.

        Returns:
            The explorer.

        Raises:
            ValueError: the output has no attention, or as in `from_arrays`.

        >>> outputs = {"attentions": [np.full((1, 4, 2, 2), 0.5)]}
        >>> Explorer.from_outputs(outputs, ["It", "works"]).recording.weights("encoder").shape
        (1, 4, 2, 2)

        """
        weights = attentions(outputs, row, len(source))
        if is_generated(outputs):
            if "decoder" in weights:
                target = target[: weights["decoder"].shape[2]]
            else:
                source = source[: weights["encoder"].shape[2]]
        masks = attended(attention_mask, row), attended(decoder_attention_mask, row)
        if weights.keys() == {"decoder"} and masks[1] is None:
            masks = None, masks[0]  # a model with one stack has one mask
        sides = (
            side if mask is None or len(side) != len(mask) else compress(side, mask)
            for side, mask in zip((source, target), masks, strict=True)
        )
        source, target = map(tuple, sides)
        chosen = {"layers": layers, "queries": queries, "keys": keys}
        seen = _seen(weights, masks)
        return cls.from_arrays(**seen, source=source, target=target, name=name, **chosen)

    def page(self, view: str = "", dark: bool | None = None) -> str:
        """Return the explorer as a page that needs no network.

        Args:
            view: what is shown first, in the form of the app's links, after "#".
            dark: whether it is dark. None follows the notebook, or else the browser.

        Returns:
            The page, as HTML.

        >>> Explorer(recording, translator).page("view=grid").startswith("<!doctype html>")
        True

        """
        return explorer_page(self.recording, view, dark)

    def save(self, path: str | Path, view: str = "") -> Path:
        """Write the page to a file that opens in any browser, offline.

        Args:
            path: the path of the file.
            view: as in `page`.

        Returns:
            The path.

        """
        path = Path(path)
        write_whole(path, self.page(view).encode())
        return path

    def __repr__(self) -> str:
        """Write whom each query looks at most in the head on which it opens."""
        return static_text(self.recording)

    def _repr_svg_(self) -> str:
        return static_svg(self.recording)

    def _repr_html_(self) -> str:
        said = "".join(f"<p {PLAIN}>{html(note)}</p>" for note in self.notes)
        page, title = escape(self.page(self.view)), escape(self.recording.sentence)
        style = f"width:100%;height:{HEIGHT}px;border:0"
        frame = f'<iframe srcdoc="{page}" title="{title}" style="{style}"></iframe>'
        return f"{said}{static_html(self.recording)}{frame}"

    def svg(
        self,
        *,
        view: View = "matrix",
        kind: Kind = "cross",
        layer: int = 1,
        head: str | int | Numbers | None = None,
        merge: Merge = "mean",
        queries: Numbers | None = None,
        keys: Numbers | None = None,
    ) -> Svg:
        """Draw a figure for a paper: real text, a white background, a caption.

        Args:
            view: "matrix" or "lines".
            kind: "encoder", "decoder" or "cross".
            layer: the layer, from 1 as on screen.
            head: the head, from 1; or its name on screen, such as "cross 5.6", instead of kind and
                layer; or several heads; None means all of the layer. A matrix merges them, lines
                have a colour for each.
            merge: how a matrix merges them, "mean" or "max".
            queries: the queries that are shown, by their places from 1; all by default.
            keys: the keys that are shown.

        Returns:
            The figure as SVG.

        Raises:
            ValueError: a number does not exist.

        >>> Explorer(recording, translator).svg(head="cross 5.6").startswith("<svg")
        True

        """
        choice = _choice((kind, layer, head), view, merge, queries, keys)
        return Svg(svg(attention_picture(self.recording, choice)))

    def png(
        self,
        *,
        view: View = "matrix",
        kind: Kind = "cross",
        layer: int = 1,
        head: str | int | Numbers | None = None,
        merge: Merge = "mean",
        queries: Numbers | None = None,
        keys: Numbers | None = None,
        scale: int = 2,
    ) -> Png:
        """Draw the same figure in pixels.

        Args:
            view: as in `svg`.
            kind: as in `svg`.
            layer: as in `svg`.
            head: as in `svg`.
            merge: as in `svg`.
            queries: as in `svg`.
            keys: as in `svg`.
            scale: the pixels for one of the SVG's.

        Returns:
            The figure as PNG.

        Raises:
            ValueError: a number does not exist, or this machine has no font for the figure.

        """
        choice = _choice((kind, layer, head), view, merge, queries, keys)
        return Png(png(attention_picture(self.recording, choice), scale))


def _choice(
    head: tuple[Kind, int, str | int | Numbers | None],
    view: View,
    merge: Merge,
    *tokens: Numbers | None,
) -> Choice:
    kind, layer, number = head
    if isinstance(number, str):
        kind, layer, number = (named := Head.named(number)).kind, named.layer + 1, named.head + 1
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    for name, chosen in zip(("queries", "keys"), tokens, strict=True):
        if chosen is not None and not isinstance(chosen, Iterable):
            raise ValueError(f"{name} must be places from 1, such as [1, 2], not {chosen!r}")
    heads = None if number is None else np.atleast_1d(number).tolist()  # numpy's numbers, too
    heads, queries, keys = (
        None if chosen is None else tuple(chosen) for chosen in (heads, *tokens)
    )
    return Choice(kind, layer, heads, view, merge, queries, keys)


def _of(recording: Recording, translator: Translator | None) -> ExplorerRecording:
    predicted: list[str] = []
    if translator is not None:
        ids = recording.logits.argmax(axis=1)  # T
        predicted = translator.target_tokenizer.tokens([int(id_) for id_ in ids])
    return ExplorerRecording(
        source_tokens=tuple(recording.source_tokens),
        target_tokens=tuple(recording.target_tokens),
        predicted_tokens=tuple(predicted),
        encoder=recording.attention("encoder"),
        decoder=recording.attention("decoder"),
        cross=recording.attention("cross"),
        special_tokens=frozenset(filter(is_special, [*recording.source_tokens, "<s>", "</s>"])),
        sentence=_text(recording.source_tokens),
        translation=_text(recording.target_tokens),
        checkpoint="Headlight" if translator is None else translator.name,
    )


def _of_arrays(
    arrays: dict[str, NDArray[np.float32]],
    sides: tuple[tuple[str, ...], tuple[str, ...]],
    checkpoint: str,
) -> ExplorerRecording:
    source, target = sides
    return ExplorerRecording(
        source,
        target,
        predicted_tokens=(),
        encoder=arrays.get("encoder"),
        decoder=arrays.get("decoder"),
        cross=arrays.get("cross"),
        special_tokens=frozenset(filter(is_mute_token, source + target)),
        sentence=_text(source or target),
        translation=_text(target) if source and target else None,
        checkpoint=checkpoint,
    )


def _chosen(
    arrays: dict[str, NDArray[np.float32]],
    sides: tuple[tuple[str, ...], tuple[str, ...]],
    queries: Numbers | None,
    keys: Numbers | None,
) -> tuple[dict[str, NDArray[np.float32]], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Keep the chosen tokens of both sides; a model of one side has one choice for both axes."""
    source, target = keys, queries
    if "cross" not in arrays:
        if queries is not None and keys is not None and list(queries) != list(keys):
            raise ValueError("queries and keys are the same tokens here: give one of them")
        source = target = queries if keys is None else keys
    names = ("source", source), ("target", target)
    kept = [
        places(name, None if one is None or not side else tuple(one), len(side))
        for (name, one), side in zip(names, sides, strict=True)
    ]
    chosen = dict(arrays)
    for kind, weights in arrays.items():
        if weights.ndim == 4 and not (source is None and target is None):
            rows, columns = kept[kind != "encoder"], kept[kind == "decoder"]
            chosen[kind] = weights[:, :, rows][..., columns]
    first, second = (
        tuple(side[index] for index in some) for side, some in zip(sides, kept, strict=True)
    )
    return chosen, (first, second)


def _seen(
    weights: dict[str, NDArray[np.float32]],
    masks: tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None],
) -> dict[str, NDArray[np.float32]]:
    """Leave out the queries and keys that the masks of source and target hide."""
    source, target = masks
    by_kind = {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}
    return {
        kind: _without(_without(array, by_kind[kind][0], 2), by_kind[kind][1], 3)
        for kind, array in weights.items()
    }


def _without(
    weights: NDArray[np.float32], mask: NDArray[np.bool_] | None, axis: int
) -> NDArray[np.float32]:
    """Leave out the hidden part of an axis by a mask; ValueError when it has another length."""
    if mask is None:
        return weights
    if len(mask) != weights.shape[axis]:
        raise ValueError(f"a mask of {weights.shape[axis]} tokens expected, not of {len(mask)}")
    return weights.compress(mask, axis)


def _text(tokens: Sequence[str]) -> str:
    """Join tokens into text; without marks of spaces, put one between any two."""
    words = [token for token in tokens if not is_mute_token(token)]
    marked = any(WORD_START in word for word in words)
    return ("" if marked else " ").join(words).replace(WORD_START, " ").strip()
