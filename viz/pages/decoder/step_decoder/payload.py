"""A scene as one run of bytes: `[u32 header length][JSON header][arrays, branch after branch]`."""

import json
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from viz.pages.decoder.step_decoder.branch import BeamTree, Branch, Piece, Scene, Step, TreeNode

LEVELS = 255


def encode(scene: Scene, extra: Mapping[str, object]) -> bytes:
    """Pack a scene, and what else the header shall say, into the component's message."""
    drawn = [*scene.branches, *([scene.node] if scene.node else [])]
    header = {
        **extra,
        "source": list(scene.source_tokens),
        "begin": scene.begin_token,
        "endId": scene.end_id,
        "layers": scene.layers,
        "heads": scene.heads,
        "width": scene.width,
        "vocabulary": scene.vocabulary,
        "bandSizes": list(scene.band_sizes),
        "branches": [_branch(branch) for branch in drawn],
        "tree": _tree(scene.tree) if scene.tree else None,
        "problem": scene.problem,
    }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return len(text).to_bytes(4, "little") + text + b"".join(_arrays(branch) for branch in drawn)


def quantise(weights: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Round weights to multiples of 1/255."""
    return np.rint(weights * LEVELS).clip(0, LEVELS).astype(np.uint8)


def _arrays(branch: Branch) -> bytes:
    weights = quantise(branch.self_attn).tobytes() + quantise(branch.cross_attn).tobytes()
    odds = branch.exact.astype("<f4").tobytes() + branch.bands.astype("<f4").tobytes()
    return weights + branch.mask.astype(np.uint8).tobytes() + odds


def _branch(branch: Branch) -> dict[str, object]:
    return {
        "kind": branch.kind,
        "kept": branch.kept,
        "forced": branch.forced,
        "text": branch.text,
        "exact": branch.exact.shape[1],
        "steps": [_step(step) for step in branch.steps],
    }


def _step(step: Step) -> dict[str, object]:
    return {
        "chosen": _piece(step.chosen) if step.chosen else None,
        "rank": step.rank,
        "held": step.held,
        "draw": step.draw,
        "top": [_piece(piece) for piece in step.top],
    }


def _piece(piece: Piece) -> list[object]:
    return [piece.id, piece.token, round(piece.log_prob, 5)]


def _tree(tree: BeamTree) -> dict[str, object]:
    return {"nodes": [_node(node) for node in tree.nodes], "winner": tree.winner}


def _node(node: TreeNode) -> list[object]:
    log_prob, score = round(node.log_prob, 4), round(node.score, 4)
    return [node.parent, node.id, node.token, node.depth, log_prob, score, node.fate]
