"""The questions of single scenes of the shipped lessons: a table of special measures.

Measures that are of use to lessons in general are in `measures.py`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from model.interventions import link_text
from model.interventions.blocks import LeaveOutSublayer
from model.learning.beginning import xavier_bound
from model.learning.optimizers import Settings, walk
from model.measures.atlas.roles import ROLES
from model.measures.decoding_cost import kept_bytes
from model.measures.unigram import Round, Scores
from model.sites.sites import STACKS
from model.transformer.config import Positions
from model.words import find_word, words_of
from viz.compute import (
    atlas,
    cheating,
    decodes,
    effects,
    learning,
    models,
    positions,
    prefixes,
    rewired,
    runs,
    smaller,
    vocabulary,
    weights,
)
from viz.compute.pronouns import pronoun_shares
from viz.compute.runs import Subject
from viz.language.text import later
from viz.shell.lessons import sinks
from viz.shell.lessons.form import Value, effect_of, forms

Floats = NDArray[np.float64]
W_Q = "encoder.layers.0.self_attn.q.weight"
RATE, LAYERS, CHEAT_WORDS = 0.1, 6, 8
LIKE_THEM = "thousand"
"""The end of the name of the twin with all of the paper's parts."""


RUNS, FAILS = later("runs"), later("does not run")
VERDICTS = (RUNS, FAILS)
"""The answers to the question whether something can be computed at all.

Lessons compare these texts, and show their translations.
"""


def _unchanged(subject: Subject, site: str) -> Floats:
    return effect_of(subject).before.recording[site].astype(np.float64)


def _largest(difference: Floats) -> float:
    return float(np.abs(difference).max())


def _length(vectors: NDArray[np.floating]) -> float:
    return float(np.linalg.norm(vectors.astype(np.float64)))


def _sinusoids(subject: Subject, base: float = 10_000, i_counts: str = "pairs") -> Floats:
    """Return the paper's positions (n, D); i counts pairs of dimensions, or single dimensions."""
    length, width = _unchanged(subject, "encoder.positions").shape
    dimension = np.arange(width)
    i = dimension // 2 if i_counts == "pairs" else dimension
    angles = np.arange(length)[:, None] / base ** (2 * i / width)
    return np.where(dimension % 2 == 0, np.sin(angles), np.cos(angles))


def _position_error(subject: Subject, base: float = 10_000, i_counts: str = "pairs") -> float:
    return _largest(_unchanged(subject, "encoder.positions") - _sinusoids(subject, base, i_counts))


def _position(subject: Subject, which: str) -> Floats:
    return _unchanged(subject, "encoder.positions")[0 if which == "first" else -1]


def _factor(subject: Subject, of: str) -> float:
    """Return how many times longer the model's positions are than the paper's.

    With "embedding", it is how many times longer the embedded pieces are than their table rows.
    """
    rows = weights.vocabulary().embedding[list(runs.source(subject.sentence).ids)]
    if of == "positions":
        return _length(_unchanged(subject, "encoder.positions")) / _length(_sinusoids(subject))
    return _length(_unchanged(subject, "encoder.embedding")) / _length(rows)


def _norm_error(subject: Subject, divisor: str) -> float:
    """Return the largest error if the first LayerNorm divides by the deviation, or the variance."""
    added = effect_of(subject).before.recording.additions("encoder", 0)[0]
    x = added.before.astype(np.float64) + added.added
    variance = x.var(axis=-1, keepdims=True)
    by = np.sqrt(variance + 1e-5) if divisor == "deviation" else variance
    norm = "encoder.layers.0.norm1"
    gain, bias = (weights.parameter(f"{norm}.{part}") for part in ("weight", "bias"))
    normed = (x - x.mean(-1, keepdims=True)) / by * gain + bias
    return _largest(_unchanged(subject, "encoder.0.norm1") - normed)


def _w_o_error(subject: Subject, how: str) -> float:
    """Return the largest error if the heads' outputs are multiplied by W_O, or its transpose."""
    site = "encoder.0.self_attn"
    heads = np.concatenate(list(_unchanged(subject, f"{site}.z")), axis=1)  # S D
    matrix, bias = (
        weights.parameter(f"encoder.layers.0.self_attn.out.{part}").astype(np.float64)
        for part in ("weight", "bias")
    )
    product = heads @ (matrix if how == "transposed" else matrix.T) + bias
    return _largest(product - _unchanged(subject, f"{site}.out"))


def _alone(subject: Subject, sublayer: str, word: str) -> float:
    index = find_word(words_of(runs.source(subject.sentence).tokens), word).first
    alone = rewired.alone(subject.sentence, index)
    return alone.attention if sublayer == "attention" else alone.feed_forward


def _local(subject: Subject, minus: str) -> tuple[str, float]:
    return rewired.local(subject.sentence, minus == "without")


def _sides(subject: Subject) -> str:
    try:
        rewired.exchanged(subject.sentence)
    except ValueError:
        return FAILS
    return RUNS


def _without_feed_forward(subject: Subject, layer: str) -> str:
    without = LeaveOutSublayer("encoder", int(layer) - 1, "ffn")
    return effects.effect(subject.sentence, (without,)).after.translation.text


def _left(subject: Subject) -> str:
    """Tell whether the product of W_O (D, D) and all heads (S, D) is defined."""
    pieces, width = _unchanged(subject, "encoder.embedding").shape
    return RUNS if pieces == width else FAILS


def _adam(gradient: str) -> float:
    """Return the length of Adam's first step on a gradient."""
    return abs(float(walk("adam", (float(gradient), 0.0), 1.0, 1, Settings(RATE)).steps[0, 0]))


def _dropped(subject: Subject) -> Floats:
    """Return the z (3, Dk) of head 1.1 at the first piece: without dropout, then in two draws."""
    drawn = learning.attention_draws(subject.sentence, (0, 0, 0), RATE, (0, 1, 2))
    return drawn.z.astype(np.float64)


def _first_steps(subject: Subject, what: str) -> list[float]:
    """Return the lengths of the first gradients, or of the first steps without warm-up."""
    first = learning.first_steps(subject.sentence, RATE)
    vectors = first.gradients if what == "gradient" else first.updates
    return [_length(vector) for vector in vectors]


def _gradient_growth(subject: Subject, norms: str) -> float:
    translation = effect_of(subject).before.translation.text
    gradients = learning.first_gradients(subject.sentence, translation, LAYERS, "Xavier's")
    lengths = gradients.middle("after" if norms == "after" else "before", "decoder")
    return float(lengths[-1] / lengths[0])


def _grown(subject: Subject, factor: str) -> float:
    """Return how a vector grows in an encoder without norms, with its first weights multiplied."""
    times = float(factor)
    sizes = learning.first_weights(subject.sentence, "Xavier's", W_Q, (times,)).sizes[times]
    return float(sizes.stream[-1] / sizes.stream[0])


def _likeness(subject: Subject, start: str) -> float:
    """Return how alike heads are after training, from equal weights or from random ones."""
    by_start = learning.equal_heads(subject.sentence, learning.STARTS)
    return float(by_start[learning.ALIKE if start == "alike" else learning.DRAWN].likeness[-1])


def _moved(subject: Subject, mask: str) -> float:
    """Return how much the first half of a sentence changes when the second half is added."""
    half = len(runs.source(subject.sentence).ids) // 2
    return prefixes.changes(subject.sentence, half)[STACKS.index(mask)]  # pyrefly: ignore[bad-argument-type]


def _cosine(_subject: Subject, part: str) -> float:
    """Return the mean cosine between the same weights of two different encoder layers."""
    count = runs.translator().config.layers("encoder")
    rows = weights.of_layers("encoder", count, part)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)  # L n
    return float((units @ units.T)[~np.eye(count, dtype=np.bool_)].mean())


def _fewer(subject: Subject) -> float:
    cost = decodes.cost(subject.sentence)
    afresh, cached = (sum(step.multiply_adds for step in way) for way in (cost.afresh, cost.cached))
    return afresh / cached


def _kept_by_one(subject: Subject) -> float:
    """Return the share of the cache that is left if all heads share keys and values."""
    config, run = runs.translator().config, runs.run(subject.sentence)
    sizes = len(run.recording.target_ids), len(run.source.ids)
    return kept_bytes(config, *sizes, 1) / kept_bytes(config, *sizes, config.heads)


def _most_on(role: str) -> tuple[int, int, float]:
    """Return the cross head, from 1, with the largest mean weight on a role, and that weight."""
    if role not in ("aligned_given", "aligned_predicted"):
        raise ValueError(f"aligned_given or aligned_predicted expected, not {role!r}")
    scores = atlas.atlas(()).scores("cross")[ROLES["cross"].index(role)]  # L H
    layer, head = np.unravel_index(scores.argmax(), scores.shape)
    return int(layer) + 1, int(head) + 1, float(scores.max())


def _pruned(size: str) -> tuple[tuple[Round, ...], Scores]:
    return vocabulary.pruned(vocabulary.example_text(), int(size), 1)


def _as_sentence_piece(_subject: Subject, size: str) -> float:
    """Return the share of our pieces that SentencePiece's own trainer also keeps."""
    ours = _pruned(size)[1].keys()
    own = vocabulary.learned(vocabulary.example_text(), "unigram", int(size), 1).pieces
    return len({scored.piece for scored in own} & ours) / len(ours)


def _bleu(method: str, amount: float) -> float:
    measured = smaller.smaller()
    for row in measured.rows if measured else ():
        if (row.method, row.amount) == (method, amount):
            return row.bleu
    raise ValueError("this model has not been measured made smaller like that")


def _reduced_on(_subject: Subject) -> float:
    measured = smaller.smaller()
    if measured is None:
        raise ValueError("this model has not been measured made smaller")
    return float(measured.sentences)


def _right_pronouns(_subject: Subject, where: str) -> float:
    card = runs.card()
    sets = ("new frames", "known frames", "the second set")
    share = dict(zip(sets, pronoun_shares(card), strict=True))[where] if card else None
    if share is None:
        raise ValueError(f"the pronouns of this model were not measured in {where}")
    return share / 100


def _cheat() -> str:
    """Return the name of the model that cheats; ValueError if none belongs to the one in force."""
    if name := cheating.name():
        return name
    raise ValueError("no model is here that learned without the look-ahead mask")


def _cheat_begins(subject: Subject) -> str:
    """Return the first words that the cheating model writes; its nonsense would go on and on."""
    words = cheating.written(_cheat(), subject.sentence).split()
    return " ".join(words[:CHEAT_WORDS]) + (" …" if len(words) > CHEAT_WORDS else "")


def _cheat_finds(subject: Subject) -> float:
    translation = effect_of(subject).before.translation.text
    return float(cheating.seen(_cheat(), subject.sentence, translation).likely.mean())


def _copied(_subject: Subject, letters: str, kind: Positions) -> float:
    """Return the share of letters that a twin with these positions copies into the right place."""
    copies = positions.measured(positions.twins()[kind]).copies
    return next(row.right for row in copies if row.letters == int(letters))


def _twin(what: str) -> float:
    """Return the BLEU of a twin on the test set; ValueError without the twin or its card."""
    name = models.twin(models.in_force(), what)
    card = runs.card_of(name) if name else None
    if card is None:
        raise ValueError(f"no twin called {what!r} has been measured beside this model")
    return card.bleu("test")


def _neighbour(_subject: Subject, word: str) -> str:
    known = weights.vocabulary()
    own = runs.translator().tokenizer.id("▁" + word)
    cosines = known.units @ known.units[own]
    cosines[[own, *known.mute]] = -2
    return known.tokens[int(cosines.argmax())].strip("▁")


_BY_STYLE: dict[str, dict[str, Callable[..., Value]]] = {
    "": {
        "neighbour of <word>": _neighbour,
        "least important <number> heads off": lambda s, count: link_text.write(
            effects.least_important(s.sentence, int(count))
        ),
        "W_O on the left": _left,
        "head most on <role>": lambda _, role: "cross {}.{}".format(*_most_on(role)),
        "layer of the head most on <role>": lambda _, role: str(_most_on(role)[0]),
        "number of the head most on <role>": lambda _, role: str(_most_on(role)[1]),
        "translation without feed-forward in encoder layer <number>": _without_feed_forward,
        "cross-attention with its sides exchanged": _sides,
        "translation by local attention <with/without> the minus": lambda s, minus: _local(
            s, minus
        )[0],
        "translation with <number> slots": lambda s, count: (
            vocabulary.limited(s.sentence, int(count))[1].text
        ),
        "translation of the cheat": lambda s: cheating.written(_cheat(), s.sentence),
        "beginning of the translation of the cheat": _cheat_begins,
    },
    "error": {
        "largest position error with base <number>": lambda s, base: _position_error(
            s, float(base)
        ),
        "largest position error if i counts <pairs/dimensions>": lambda s, what: _position_error(
            s, i_counts=what
        ),
        "largest error dividing by the <deviation/variance>": _norm_error,
        "largest error with W_O <on the right/transposed>": _w_o_error,
        "change of <attention/feed-forward> at <word> without the others": _alone,
        "change of z by attention dropout in translation": lambda s: _largest(
            _unchanged(s, "encoder.0.self_attn.z")[0, 0] - _dropped(s)[0]
        ),
        "logit change by the mask with a cache": lambda s: rewired.cached_without_mask(s.sentence),
        "logit change by the cache": lambda s: decodes.cost(s.sentence).largest_difference,
    },
    "share": {
        "pronouns right in <new frames/known frames/the second set>": _right_pronouns,
        "weight at the edge of the window <with/without> the minus": lambda s, minus: _local(
            s, minus
        )[1],
        "change of the first half under the mask of the <encoder/decoder>": _moved,
        "letters in place in rows of <number> with <sinusoid/learned/rotary> positions": _copied,
        "share of the cache with one key for all heads": _kept_by_one,
        "share of <number> unigram pieces as in SentencePiece": _as_sentence_piece,
        "what the cheat finds when it sees all": _cheat_finds,
    },
    ".0f": {
        "sentences of the reduced models": _reduced_on,
        "layers from given to predicted": lambda _: float(
            _most_on("aligned_predicted")[0] - _most_on("aligned_given")[0]
        ),
        "id of <piece>": lambda _, piece: float(runs.translator().tokenizer.id("▁" + piece)),
        "candidates for <number> unigram pieces": lambda _, size: float(_pruned(size)[0][0].before),
        "sentences of the atlas": lambda _: float(len(atlas.atlas(()))),
        "heads of the atlas": lambda _: float(
            sum(atlas.atlas(()).layers.values()) * atlas.atlas(()).heads
        ),
    },
    ",.0f": {"growth of a vector with weights times <number>": _grown},
    ".1f": {
        "log-probability with exchanged cross-attention": lambda s: rewired.exchanged(s.sentence),
        "length of the first <gradient/step> without warm-up": lambda s, what: _first_steps(
            s, what
        )[0],
        "growth of the gradient without warm-up": lambda s: (
            max(lengths := _first_steps(s, "gradient")) / lengths[0]
        ),
        "growth of the first gradients with norms <after/before>": _gradient_growth,
        "times fewer multiply-adds with the cache": _fewer,
        "BLEU of the whole model": lambda _: _bleu("whole", 0),
        "BLEU of the twin <name>": lambda _, what: _twin(what),
        "BLEU lost by the twin <name>": lambda _, what: _twin(LIKE_THEM) - _twin(what),
        "BLEU at <number> bits": lambda _, bits: _bleu("quantised", int(bits)),
        "BLEU lost at <number> bits": lambda _, bits: (
            _bleu("whole", 0) - _bleu("quantised", int(bits))
        ),
        "BLEU without <number> % of the weights": lambda _, share: _bleu(
            "pruned", int(share) / 100
        ),
    },
    ".2f": {
        "factor of the <positions/embedding>": _factor,
        "mean of the <first/last> position": lambda s, which: float(_position(s, which).mean()),
        "length of the <first/last> position": lambda s, which: _length(_position(s, which)),
        "change of z by attention dropout in training": lambda s: _largest(
            _dropped(s)[1:] - _dropped(s)[0]
        ),
        "largest mean weight on <role>": lambda _, role: _most_on(role)[2],
        "loss of its twin": lambda _: cheating.measured(_cheat()).twin.dev_loss[-1],
    },
    ".3f": {
        "rise of the mean over the positions": lambda s: float(
            _position(s, "last").mean() - _position(s, "first").mean()
        ),
        "Xavier's bound of W_Q": lambda _: xavier_bound(weights.parameter(W_Q).shape),
        "first step of Adam on a gradient of <number>": lambda _, gradient: _adam(gradient),
        "cosine of <part> between layers of the encoder": _cosine,
        "likeness of heads that began <alike/apart>": _likeness,
        "loss of the cheat": lambda _: cheating.measured(_cheat()).cheat.dev_loss[-1],
    },
}
QUESTIONS = (*forms(_BY_STYLE), *sinks.FORMS)
