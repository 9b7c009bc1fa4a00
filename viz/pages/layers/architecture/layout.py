"""The places of the architecture's boxes and lines, in pixels: encoder left, decoder right."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from model.sites.sites import Stack
from viz.pages.layers.architecture.blocks import Block, entry_blocks, exit_blocks, layer_blocks

WIDTH = 214
"""The width of a box."""
LEFT: dict[Stack, int] = {"encoder": 12, "decoder": 280}
TOTAL_WIDTH = LEFT["decoder"] + WIDTH + 16
_BOX, _BAR, _GAP, _FRAME = 30, 18, 8, 24
_MARGIN = 26


@dataclass(frozen=True)
class Box:
    """A block, or a closed layer (`block` None), with its upper edge y, which grows downwards."""

    stack: Stack
    layer: int | None
    block: Block | None
    y: int
    height: int

    @property
    def middle(self) -> int:
        """Return the y of the box's middle."""
        return self.y + self.height // 2


@dataclass(frozen=True)
class Line:
    """An SVG path: from box to box, around a sublayer, or from the memory."""

    kind: Literal["flow", "residual", "memory"]
    path: str


@dataclass(frozen=True)
class Drawing:
    """All boxes and lines, and the frames of the open layers: stack, layer, y and height."""

    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    frames: tuple[tuple[Stack, int, int, int], ...]


def draw(layers: dict[Stack, int], opened: int) -> Drawing:
    """Lay out both stacks from the bottom up, with layer `opened` (from 0) open in both.

    A stack with fewer layers opens its last one.
    """
    stacks: tuple[Stack, Stack] = ("encoder", "decoder")
    rising = {
        stack: _rising(stack, layers[stack], min(opened, layers[stack] - 1)) for stack in stacks
    }
    height = max(boxes[-1].y + boxes[-1].height for boxes in rising.values()) + 2 * _MARGIN
    boxes = tuple(
        Box(box.stack, box.layer, box.block, height - _MARGIN - box.y - box.height, box.height)
        for stack in stacks
        for box in rising[stack]
    )
    frames = tuple(_frame(stack, boxes) for stack in stacks)
    lines = (*_flow(boxes), *_residuals(boxes), *_memory(boxes))
    return Drawing(height, boxes, lines, frames)


def _rising(stack: Stack, layers: int, opened: int) -> list[Box]:
    """Place the boxes of a stack; here y grows upwards from the bottom."""
    placed: list[Box] = []
    y = 0

    def put(layer: int | None, block: Block | None) -> None:
        nonlocal y
        height = _BAR if block is None else _BOX
        placed.append(Box(stack, layer, block, y, height))
        y += height + _GAP

    for block in entry_blocks(stack):
        put(None, block)
    for layer in range(layers):
        if layer != opened:
            put(layer, None)
            continue
        y += _GAP
        for block in layer_blocks(stack, layer):
            put(layer, block)
        y += _FRAME
    for block in exit_blocks(stack):
        put(None, block)
    return placed


def _frame(stack: Stack, boxes: tuple[Box, ...]) -> tuple[Stack, int, int, int]:
    own = [box for box in boxes if box.stack == stack and box.layer is not None and box.block]
    top = min(box.y for box in own) - _FRAME
    bottom = max(box.y + box.height for box in own) + _GAP
    layer = own[0].layer
    return stack, layer if layer is not None else 0, top, bottom - top


def _flow(boxes: tuple[Box, ...]) -> list[Line]:
    """Return the lines from each box to the next one above it."""
    lines: list[Line] = []
    for below, above in pairwise(boxes):
        if below.stack == above.stack:
            x = LEFT[below.stack] + WIDTH // 2
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
                Line("residual", f"M{right - WIDTH // 2} {low}H{right + 9}V{box.middle}H{right}")
            )
            start = None
    return lines


def _memory(boxes: tuple[Box, ...]) -> list[Line]:
    """Return the lines from the memory to the cross-attention of each decoder layer."""
    memory = next(box for box in boxes if box.block and box.block.site == "encoder.memory")
    trunk = (LEFT["encoder"] + WIDTH + LEFT["decoder"]) // 2 + 8
    start = f"M{LEFT['encoder'] + WIDTH} {memory.middle}H{trunk}"
    takers = [
        box
        for box in boxes
        if box.stack == "decoder"
        and box.layer is not None
        and (box.block is None or ".cross_attn." in box.block.site)
    ]
    return [Line("memory", f"{start}V{box.middle}H{LEFT['decoder']}") for box in takers]
