"""A scene as the message to its component: arrays named by branch, from 0."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from viz.pages.decoder.step_decoder.branch import BeamTree, Branch, Piece, Scene, Step, TreeNode
from viz.shared.message import pack, quantise


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
    arrays = {
        f"{at} {name}": array
        for at, branch in enumerate(drawn)
        for name, array in _arrays(branch).items()
    }
    return pack(header, arrays)


def _arrays(branch: Branch) -> dict[str, NDArray[np.generic]]:
    return {
        "self": quantise(branch.self_attn),
        "cross": quantise(branch.cross_attn),
        "mask": branch.mask.astype(np.uint8),
        "exactLogs": branch.exact.astype("<f4"),
        "bandLogs": branch.bands.astype("<f4"),
    }


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
