"""The attention explorer as one frame in a notebook, and its figures to save."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from model.recording.recording import Recording
from model.recording.sites import Kind
from model.translator import Translator
from model.words import WORD_START, is_special
from viz.components.attention_explorer.file import explorer_page
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.notebook.outputs import Outputs, attentions, numbers
from viz.notebook.paper.attention import Choice, Merge, View, attention_picture
from viz.notebook.paper.picture import png, svg

HEIGHT = 800
"""Pixels of the frame."""

Array = NDArray[np.floating]


class Svg(str):
    """The text of an SVG, which a notebook shows as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class Png(bytes):
    """The bytes of a PNG, which a notebook shows as the picture."""

    __slots__ = ()

    def _repr_png_(self) -> bytes:
        return bytes(self)


class Explorer:
    """Every layer, head and token of one pass as lines, grid and matrix; it needs no network."""

    def __init__(
        self, recording: Recording | ExplorerRecording, translator: Translator | None = None
    ) -> None:
        """Show a recording; a translator names the model and the pieces that it predicts.

        Raises ValueError when a side is longer than the explorer draws.
        """
        if isinstance(recording, Recording):
            recording = _of(recording, translator)
        self.recording = recording

    @classmethod
    def from_arrays(
        cls,
        *,
        encoder: Array | None = None,
        decoder: Array | None = None,
        cross: Array | None = None,
        source: Sequence[str] = (),
        target: Sequence[str] = (),
        name: str = "arrays",
    ) -> Self:
        """Show weights (L, H, query, key) of any model; any of the three may be missing.

        The encoder's tokens are those of the source, the decoder's those of the target; across,
        target tokens look at source tokens. Kinds may differ in layers and heads. Raises
        ValueError saying which axis does not fit its tokens, or which weights are no share.
        """
        parts = {"encoder": encoder, "decoder": decoder, "cross": cross}
        arrays = {kind: _shares(kind, array) for kind, array in parts.items()}
        sides = tuple(map(_token, source)), tuple(map(_token, target))
        return cls(
            ExplorerRecording(
                *sides,
                predicted_tokens=(),
                encoder=arrays["encoder"],
                decoder=arrays["decoder"],
                cross=arrays["cross"],
                special_tokens=frozenset(token for side in sides for token in side if _mute(token)),
                sentence=_text(sides[0] or sides[1]),
                translation=_text(sides[1]) if sides[0] and sides[1] else None,
                checkpoint=name,
            )
        )

    @classmethod
    def from_outputs(
        cls,
        outputs: Outputs,
        source: Sequence[str] = (),
        target: Sequence[str] = (),
        *,
        row: int = 0,
        name: str = "model",
    ) -> Self:
        """Show the output of a model of transformers that was called with output_attentions=True.

        `row` is the sentence of the batch. Raises ValueError when there is no attention in it, or
        as `from_arrays` does.
        """
        found = attentions(outputs, row, encodes=bool(source))
        return cls.from_arrays(**found, source=source, target=target, name=name)

    def page(self, view: str = "", dark: bool | None = None) -> str:
        """Return the explorer as a page; `view` as the links of the app write it, after "#".

        `dark` None follows the notebook, or else the browser.
        """
        return explorer_page(self.recording, view, dark)

    def save(self, path: str | Path, view: str = "") -> Path:
        """Write the page to a file that opens in any browser, offline; return its path."""
        path = Path(path)
        path.write_text(self.page(view), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.page())}" title="{escape(self.recording.sentence)}" '
            f'style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        )

    def svg(
        self,
        *,
        view: View = "matrix",
        kind: Kind = "cross",
        layer: int = 1,
        head: int | Sequence[int] | None = None,
        merge: Merge = "mean",
        queries: Sequence[int] | None = None,
        keys: Sequence[int] | None = None,
    ) -> Svg:
        """Return a figure for a paper as SVG: real text, white background, a caption.

        Numbers count from 1, as on screen: layer=5, head=6 is "cross 5.6". Several heads (None:
        all of the layer) are merged in a matrix, by their mean or maximum, and drawn as lines of
        their own colours otherwise. `queries` and `keys` choose tokens by their places. Raises
        ValueError naming what there is not.
        """
        choice = _choice(view, kind, layer, head, merge, queries, keys)
        return Svg(svg(attention_picture(self.recording, choice)))

    def png(
        self,
        *,
        view: View = "matrix",
        kind: Kind = "cross",
        layer: int = 1,
        head: int | Sequence[int] | None = None,
        merge: Merge = "mean",
        queries: Sequence[int] | None = None,
        keys: Sequence[int] | None = None,
        scale: int = 2,
    ) -> Png:
        """Return the same figure as PNG, `scale` pixels for one of the SVG's.

        Raises ValueError also when this machine has no font to letter it with.
        """
        choice = _choice(view, kind, layer, head, merge, queries, keys)
        return Png(png(attention_picture(self.recording, choice), scale))


def _choice(
    view: View,
    kind: Kind,
    layer: int,
    head: int | Sequence[int] | None,
    merge: Merge,
    queries: Sequence[int] | None,
    keys: Sequence[int] | None,
) -> Choice:
    heads = (head,) if isinstance(head, int) else head
    chosen = [None if part is None else tuple(part) for part in (heads, queries, keys)]
    return Choice(kind, layer, chosen[0], view, merge, chosen[1], chosen[2])


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
        checkpoint="Headlight" if translator is None else translator.folder.name,
    )


def _shares(kind: str, array: Array | None) -> NDArray[np.float32] | None:
    """Check that the weights of each row sum to 1, or to 0 in rows of padding."""
    if array is None:
        return None
    weights = numbers(array)
    if (
        not np.isfinite(weights).all()
        or weights.min(initial=0) < 0
        or weights.max(initial=0) > 1.01
    ):
        raise ValueError(f"{kind}: weights from 0 to 1 expected, as they are after softmax")
    return weights


def _token(token: str) -> str:
    """Write the mark of a space before a word as SentencePiece does."""
    return token.replace("\u0120", WORD_START).replace("\u010a", "\u21b5")


def _mute(token: str) -> bool:
    return is_special(token) or (len(token) > 2 and token[0] + token[-1] in ("<>", "[]"))


def _text(tokens: Sequence[str]) -> str:
    """Join tokens into text; without marks of spaces there is one between any two."""
    words = [token for token in tokens if not _mute(token)]
    marked = any(WORD_START in word for word in words)
    return ("" if marked else " ").join(words).replace(WORD_START, " ").strip()
