"""The places of the architecture's boxes and lines, in pixels: encoder left, decoder right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from model.sites.sites import Stack
from viz.pages.layers.architecture.blocks import Block, entry_blocks, exit_blocks, layer_blocks

WIDTH = 224
"""The width of a row of boxes."""
LEFT: dict[Stack, int] = {"encoder": 10, "decoder": 282}
TOTAL_WIDTH = LEFT["decoder"] + WIDTH + 16
PICTURES = 18
"""The height of the heads' pictures in a box of attention."""
NAME = 54
"""The width that the name of a row of closed layers takes."""
_BOX, _BAR, _GAP, _FRAME, _BESIDE = 21, 18, 5, 16, 3
_ENTRY = (0.37, 0.36, 0.27)
_EXIT = (0.66, 0.34)
"""The relative widths of the blocks before the first layer and after the last, by title length."""
FLOW = 141
"""The lines from row to row, from a stack's left edge: beside a frame's name, between layers."""
_ABOVE, _LINE = 21, 16
"""The room above and below a stack for a line of words, and for another line."""


@dataclass(frozen=True)
class Box:
    """A block, or a closed layer (`block` None), with its upper edge y, which grows downwards."""

    stack: Stack
    layer: int | None
    block: Block | None
    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> int:
        """Return the y of the box's middle."""
        return self.y + self.height // 2


@dataclass(frozen=True)
class Line:
    """An SVG path: from row to row, around a sublayer, or from the memory."""

    kind: Literal["flow", "residual", "memory"]
    path: str


@dataclass(frozen=True)
class Drawing:
    """All boxes and lines, and the frames of the open layers: stack, layer, y and height.

    Below each stack is room for one or two lines of `words`.
    """

    height: int
    words: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    frames: tuple[tuple[Stack, int, int, int], ...]


def draw(layers: dict[Stack, int], opened: int) -> Drawing:
    """Lay out both stacks from the bottom up, with layer `opened` (from 0) open in both.

    A stack with fewer layers opens its last layer. The layers below the open layer share a row, and
    so do the layers above it.
    """
    stacks: tuple[Stack, Stack] = ("encoder", "decoder")
    rising = {
        stack: _rising(stack, layers[stack], min(opened, layers[stack] - 1)) for stack in stacks
    }
    words = 1 if 0 < opened < max(layers.values()) - 1 else 2  # rows of closed layers take room
    below = _ABOVE + _LINE * (words - 1)
    height = max(boxes[-1].y + boxes[-1].height for boxes in rising.values()) + _ABOVE + below
    boxes = tuple(
        replace(box, y=height - below - box.y - box.height)
        for stack in stacks
        for box in rising[stack]
    )
    frames = tuple(_frame(stack, boxes) for stack in stacks)
    lines = (*_flow(boxes), *_residuals(boxes), *_memory(boxes))
    return Drawing(height, words, boxes, lines, frames)


def _rising(stack: Stack, layers: int, opened: int) -> list[Box]:
    """Place the boxes of a stack; here y grows upwards from the bottom."""
    placed: list[Box] = []
    y = 0

    def put(row: Sequence[tuple[int | None, Block | None]], height: int = _BOX) -> None:
        nonlocal y
        if row:
            placed.extend(_row(stack, row, y, height))
            y += height + _GAP

    put([(None, block) for block in entry_blocks(stack)])
    put([(layer, None) for layer in range(opened)], _BAR)
    y += _GAP
    for block in layer_blocks(stack, opened):
        put([(opened, block)], _BOX + PICTURES * is_attention(block))
    y += _FRAME
    put([(layer, None) for layer in range(opened + 1, layers)], _BAR)
    put([(None, block) for block in exit_blocks(stack)])
    return placed


def is_attention(block: Block) -> bool:
    """Return True if a block is attention: its box has pictures of its heads."""
    return "_attn." in block.site


def _row(
    stack: Stack, row: Sequence[tuple[int | None, Block | None]], y: int, height: int
) -> list[Box]:
    """Place blocks or closed layers side by side; closed layers follow the name of their row."""
    before = NAME if row[0][1] is None else 0
    own = next((own for own in (_ENTRY, _EXIT) if len(own) == len(row) and not before), None)
    shares = own or [1 / len(row)] * len(row)
    room = WIDTH - before + _BESIDE
    ends = [round(room * sum(shares[: at + 1])) for at in range(len(row))]
    return [
        Box(stack, layer, block, LEFT[stack] + before + left, y, right - left - _BESIDE, height)
        for (layer, block), left, right in zip(row, (0, *ends), ends, strict=False)
    ]


def _frame(stack: Stack, boxes: tuple[Box, ...]) -> tuple[Stack, int, int, int]:
    own = [box for box in boxes if box.stack == stack and box.layer is not None and box.block]
    top = min(box.y for box in own) - _FRAME
    bottom = max(box.y + box.height for box in own) + _GAP
    layer = own[0].layer
    return stack, layer if layer is not None else 0, top, bottom - top


def _flow(boxes: tuple[Box, ...]) -> list[Line]:
    """Return the lines from each row to the row above it."""
    lines: list[Line] = []
    for below, above in pairwise(boxes):
        if below.stack == above.stack and below.y != above.y:
            x = LEFT[below.stack] + FLOW
            lines.append(Line("flow", f"M{x} {below.y}V{above.y + above.height}"))
    return lines


def _residuals(boxes: tuple[Box, ...]) -> list[Line]:
    """Return the lines around each sublayer, from its input to its Add & norm."""
    lines: list[Line] = []
    start: Box | None = None
    for box in boxes:
        if box.layer is None or box.block is None:
            start = None
            continue
        start = start or box
        if ".norm" in box.block.site:
            right = LEFT[box.stack] + WIDTH
            low = start.y + start.height + _GAP // 2
            lines.append(
                Line(
                    "residual",
                    f"M{LEFT[box.stack] + FLOW} {low}H{right + 10}V{box.middle}H{right}",
                )
            )
            start = None
    return lines


def _memory(boxes: tuple[Box, ...]) -> list[Line]:
    """Return the lines from the memory to the cross-attention of each row of decoder layers."""
    memory = next(box for box in boxes if box.block and box.block.site == "encoder.memory")
    trunk = (LEFT["encoder"] + WIDTH + LEFT["decoder"]) // 2 + 5
    start = f"M{LEFT['encoder'] + WIDTH} {memory.middle}H{trunk}"
    takers = {
        box.middle
        for box in boxes
        if box.stack == "decoder"
        and box.layer is not None
        and (box.block is None or ".cross_attn." in box.block.site)
    }
    return [Line("memory", f"{start}V{middle}H{LEFT['decoder']}") for middle in sorted(takers)]
