"""The scene of the step decoder, from the reader's choices: decodes as branches."""

from dataclasses import replace

from model.decoding.beam import Tree
from viz.compute import decodes, runs, weights
from viz.compute.runs import Subject
from viz.link.branches import Forcing
from viz.pages.decoder.step_decoder.branch import Branch, BranchKind, Scene
from viz.pages.decoder.step_decoder.view import DecoderView

BUDGET = 400
"""The cost that all branches of a view may have, in steps: about 3 seconds of a slow core."""

START, LONG, TWICE = 3, 32, 128
"""The cost of reading the source and recording is 3 steps, and another step for every 32 pieces.

With a source of 128 pieces, a step costs twice as much.
"""


def scene_of(subject: Subject, view: DecoderView, problem: str) -> Scene:
    """Decode all branches of a view; ValueError when a forced id does not exist."""
    branches = [_branch(subject, view, "free", Forcing((), ()))]
    branches += [_branch(subject, view, "forced", forcing) for forcing in view.branches]
    if view.given:
        branches.append(_branch(subject, view, "given", Forcing((), given_ids(view.given))))
    tree = _tree(subject, view)
    return Scene(
        runs.translator().network.config,
        weights.vocabulary("output").tokens,
        tuple(branches),
        _looked_at(subject, tree, view.node) if tree else None,
        tree,
        problem,
    )


def affordable(subject: Subject, view: DecoderView) -> DecoderView:
    """Return the view with its branches up to the branch that uses up `BUDGET`.

    The free branch comes first, then the branch on screen, then the others in their order.
    Raises ValueError when a forced id does not exist.
    """
    left = BUDGET - _cost(_branch(subject, view, "free", Forcing((), ())), view)
    forcings = [*view.branches, *([Forcing((), given_ids(view.given))] if view.given else [])]
    fitting: set[int] = set()
    for at in sorted(range(len(forcings)), key=lambda at: at + 1 != view.branch):
        if left > 0:
            left -= _cost(_branch(subject, view, "forced", forcings[at]), view)
            fitting.add(at)
    branches = tuple(one for at, one in enumerate(view.branches) if at in fitting)
    given = view.given if len(view.branches) in fitting else ""
    on_screen = sum(at < view.branch for at in fitting) if view.branch - 1 in fitting else 0
    return replace(view, branches=branches, given=given, branch=on_screen)


def _cost(branch: Branch, view: DecoderView) -> float:
    """Return the cost of a branch, in steps of a greedy decode."""
    width = view.width if view.strategy == "beam" else 1
    source, steps = len(branch.decoding.source_tokens), len(branch.decoding.choices)
    return START + source / LONG + steps * (1 + source / TWICE) * (1 + width) / 2


def given_ids(text: str) -> tuple[int, ...]:
    """Cut a given translation into ids, with the end token last."""
    tokenizer = runs.translator().target_tokenizer
    return (*tokenizer.encode(text), tokenizer.end_id)


def _branch(subject: Subject, view: DecoderView, kind: BranchKind, forcing: Forcing) -> Branch:
    decoding = decodes.decode(subject, view.chosen(), forcing.ids)
    return Branch(kind, len(forcing.prefix), len(forcing.forced), decoding)


def _tree(subject: Subject, view: DecoderView) -> Tree | None:
    """Return the beam tree of the branch on screen; None for other strategies."""
    if view.strategy != "beam":
        return None
    forcings = [Forcing((), ()), *view.branches]
    forced = forcings[view.branch].ids if view.branch < len(forcings) else given_ids(view.given)
    return decodes.decode(subject, view.chosen(), forced).tree


def _looked_at(subject: Subject, tree: Tree, node: int | None) -> Branch | None:
    """Return a hypothesis of the tree as a branch, with the open step after it if unfinished.

    None if there is no such node.
    """
    if node is None or not 0 < node < len(tree.nodes):
        return None
    ids = tree.prefix(node)[1:]
    decoding = decodes.decode(subject, forced=ids, steps=len(ids) + 1)
    return Branch("node", len(ids), 0, decoding, open=len(decoding.choices) > len(ids))
