"""From a reader's choices to what the step decoder draws: decodes turned into branches."""

from dataclasses import replace

from model.decoding.steps import Choice, Strategy
from viz.compute import decodes, runs
from viz.compute.decodes import Decoding, Subject
from viz.pages.decoder.step_decoder.branch import (
    BeamTree,
    Branch,
    BranchKind,
    Piece,
    Scene,
    Step,
    TreeNode,
)
from viz.pages.decoder.step_decoder.view import DecoderView, Forcing


def scene_of(subject: Subject, view: DecoderView, problem: str) -> Scene:
    """Decode every branch of a view; ValueError when a forced id does not exist."""
    translator = runs.translator()
    free = decodes.decode(subject, _strategy(view))
    branches = [_branch(subject, view, "free", Forcing((), ()))]
    branches += [_branch(subject, view, "forced", forcing) for forcing in view.branches]
    if view.given:
        branches.append(_branch(subject, view, "given", Forcing((), given_ids(view.given))))
    tree, node = _tree(subject, view)
    config, tokenizer = translator.config, translator.tokenizer
    return Scene(
        free.source_tokens,
        tokenizer.token(tokenizer.begin_id),
        tokenizer.end_id,
        config.decoder_layers,
        config.heads,
        config.d_model,
        config.vocab_size,
        free.band_sizes,
        tuple(branches),
        node,
        tree,
        problem,
    )


def clearest_layer(subject: Subject) -> int:
    """Return the layer whose mean head looks at the source most pointedly, for a first view."""
    cross = decodes.decode(subject).cross_attn  # L H T S
    return int(cross.mean(axis=1).max(axis=-1).mean(axis=-1).argmax())


def given_ids(text: str) -> tuple[int, ...]:
    """Cut a given translation into ids, the end token last."""
    tokenizer = runs.translator().tokenizer
    return (*tokenizer.encode(text), tokenizer.end_id)


def _strategy(view: DecoderView) -> Strategy:
    return decodes.strategy(
        view.strategy,
        view.width,
        view.penalty,
        view.temperature,
        view.top_k,
        view.top_p,
        view.seed,
    )


def _branch(subject: Subject, view: DecoderView, kind: BranchKind, forcing: Forcing) -> Branch:
    decoding = decodes.decode(subject, _strategy(view), forcing.ids)
    return _drawn(decoding, kind, forcing)


def _drawn(decoding: Decoding, kind: BranchKind, forcing: Forcing) -> Branch:
    return Branch(
        kind,
        len(forcing.prefix),
        len(forcing.forced),
        decoding.translation.text,
        tuple(_step(choice) for choice in decoding.choices),
        decoding.self_attn,
        decoding.cross_attn,
        decoding.mask,
        decoding.exact,
        decoding.bands,
    )


def _step(choice: Choice) -> Step:
    top = tuple(_piece(one.id, one.log_prob) for one in choice.alternatives)
    chosen = _piece(choice.chosen.id, choice.chosen.log_prob)
    return Step(chosen, choice.rank, choice.forced, choice.draw, top)


def _piece(id_: int, log_prob: float) -> Piece:
    return Piece(id_, runs.translator().tokenizer.token(id_), log_prob)


def _tree(subject: Subject, view: DecoderView) -> tuple[BeamTree | None, Branch | None]:
    """Search the tree behind the branch on screen, and look at the node chosen in it, if any."""
    if view.strategy != "beam":
        return None, None
    forcings = [Forcing((), ()), *view.branches]
    forced = forcings[view.branch].ids if view.branch < len(forcings) else given_ids(view.given)
    found = decodes.beam_tree(subject, view.width, view.penalty, forced)
    tokenizer = runs.translator().tokenizer
    nodes = tuple(
        TreeNode(
            node.parent,
            node.id,
            tokenizer.token(node.id),
            node.depth,
            node.log_prob,
            node.score,
            node.fate,
        )
        for node in found.nodes
    )
    tree = BeamTree(nodes, found.winner)
    if view.node is None or not 0 < view.node < len(nodes):
        return tree, None
    return tree, _looked_at(subject, found.prefix(view.node)[1:])


def _looked_at(subject: Subject, ids: tuple[int, ...]) -> Branch:
    """Show a hypothesis and, unless it is finished, the open step after it."""
    decoding = decodes.decode(subject, forced=ids, steps=len(ids) + 1)
    branch = _drawn(decoding, "node", Forcing(ids, ()))
    if len(branch.steps) == len(ids):
        return branch
    return replace(branch, steps=(*branch.steps[:-1], replace(branch.steps[-1], chosen=None)))
