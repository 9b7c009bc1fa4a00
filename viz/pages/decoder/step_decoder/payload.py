"""A scene as the message to its component; the arrays are named by branch, from 0."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from model.decoding.beam import Node, Tree
from model.decoding.steps import Candidate, Choice
from viz.components.message import pack, quantise
from viz.compute.decodes import Decoding
from viz.pages.decoder.step_decoder.branch import Branch, Scene

Tokens = Sequence[str]
"""The name of every piece, by its id."""


def encode(scene: Scene, extra: Mapping[str, object]) -> bytes:
    """Pack a scene and more entries of the header into the component's message."""
    drawn = [*scene.branches, *([scene.node] if scene.node else [])]
    free, config, tokens = drawn[0].decoding, scene.config, scene.tokens
    header = {
        **extra,
        "source": list(free.source_tokens),
        "begin": tokens[config.begin_id],
        "endId": config.end_id,
        "sizes": {
            "self": list(free.self_attn.shape[:2]),
            "cross": list(free.cross_attn.shape[:2]),
        },
        "width": config.d_model,
        "vocabulary": len(tokens),
        "bandSizes": list(free.band_sizes),
        "branches": [_branch(branch, tokens) for branch in drawn],
        "tree": _tree(scene.tree, tokens) if scene.tree else None,
        "problem": scene.problem,
    }
    arrays = {
        f"{at} {name}": array
        for at, branch in enumerate(drawn)
        for name, array in _arrays(branch.decoding).items()
    }
    return pack(header, arrays)


def _arrays(decoding: Decoding) -> dict[str, NDArray[np.generic]]:
    return {
        "self": quantise(decoding.self_attn),
        "cross": quantise(decoding.cross_attn),
        "mask": decoding.mask.astype(np.uint8),
        "exactLogs": decoding.exact.astype("<f4"),
        "bandLogs": decoding.bands.astype("<f4"),
    }


def _branch(branch: Branch, tokens: Tokens) -> dict[str, object]:
    steps = [_step(choice, tokens) for choice in branch.decoding.choices]
    if branch.open:
        steps[-1]["chosen"] = None
    return {
        "kind": branch.kind,
        "kept": branch.kept,
        "forced": branch.forced,
        "text": branch.decoding.translation.text,
        "exact": branch.decoding.exact.shape[1],
        "steps": steps,
    }


def _step(choice: Choice, tokens: Tokens) -> dict[str, object]:
    return {
        "chosen": _piece(choice.chosen, tokens),
        "rank": choice.rank,
        "held": choice.forced,
        "draw": choice.draw,
        "top": [_piece(piece, tokens) for piece in choice.alternatives],
    }


def _piece(piece: Candidate, tokens: Tokens) -> list[object]:
    return [piece.id, tokens[piece.id], round(piece.log_prob, 5)]


def _tree(tree: Tree, tokens: Tokens) -> dict[str, object]:
    return {"nodes": [_node(node, tokens) for node in tree.nodes], "winner": tree.winner}


def _node(node: Node, tokens: Tokens) -> list[object]:
    log_prob, score = round(node.log_prob, 4), round(node.score, 4)
    return [node.parent, node.id, tokens[node.id], node.depth, log_prob, score, node.fate]
