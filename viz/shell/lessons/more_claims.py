"""Measures that settle more claims, most of them by running the model as the claim says."""

import numpy as np
from numpy.typing import NDArray

from model.learning.optimizers import Settings, walk
from model.measures.decoding_cost import kept_bytes
from model.measures.smaller import Smaller
from model.sites.sites import Kind
from model.words import find_word, words_of
from viz.compute import claims, decodes, learning, runs, smaller, vocabulary, weights
from viz.compute.runs import Subject
from viz.shell.lessons.subject import Form, effect_of
from viz.shell.lessons.whole import kind_called

_RUNS = {True: "runs", False: "does not run"}


def _local(_upside_down: bool) -> tuple[Form, Form]:
    name = " without the minus" if _upside_down else ""
    return (
        Form(
            f"translation by local attention{name}",
            "",
            lambda subject: claims.local(subject.sentence, _upside_down)[0],
        ),
        Form(
            f"weight at the edge of the window{name}",
            "share",
            lambda subject: claims.local(subject.sentence, _upside_down)[1],
        ),
    )


def _heads_and_out(subject: Subject) -> tuple[NDArray[np.float64], ...]:
    """Return all heads' z side by side (S, D), W_O (D, D), its bias (D,) and the output (S, D)."""
    recording, site = effect_of(subject).before.recording, "encoder.0.self_attn"
    z = recording[f"{site}.z"].astype(np.float64)  # H S Dk
    matrix, bias = (
        weights.parameter(f"encoder.layers.0.self_attn.out.{part}").astype(np.float64)
        for part in ("weight", "bias")
    )
    concat = z.transpose(1, 0, 2).reshape(z.shape[1], -1)  # S D
    return concat, matrix.T, bias, recording[f"{site}.out"].astype(np.float64)


def _on_the_right(subject: Subject) -> float:
    concat, matrix, bias, out = _heads_and_out(subject)
    return float(np.abs(concat @ matrix + bias - out).max())


def _transposed(subject: Subject) -> float:
    concat, matrix, bias, out = _heads_and_out(subject)
    return float(np.abs(concat @ matrix.T + bias - out).max())


def _on_the_left(subject: Subject) -> str:
    concat, matrix, _bias, _out = _heads_and_out(subject)
    return _RUNS[matrix.shape[1] == concat.shape[0]]


def _if_i_counts(subject: Subject, what: str) -> float:
    """Return the largest error of the paper's formula if i counts the pairs, or the dimensions."""
    table = effect_of(subject).before.recording["encoder.positions"].astype(np.float64)
    length, width = table.shape
    dimension = np.arange(width)
    known = {"pairs": dimension // 2, "dimensions": dimension}
    if what not in known:
        raise ValueError(f"i counts pairs or dimensions, not {what!r}")
    angles = np.arange(length)[:, None] / 10000 ** (2 * known[what] / width)
    formula = np.where(dimension % 2 == 0, np.sin(angles), np.cos(angles))
    return float(np.abs(table - formula).max())


def _position(subject: Subject, which: str) -> NDArray[np.float64]:
    table = effect_of(subject).before.recording["encoder.positions"].astype(np.float64)
    places = {"first": 0, "last": len(table) - 1}
    if which not in places:
        raise ValueError(f"a sentence has a first and a last position, no {which!r}")
    return table[places[which]]


def _mean_of(subject: Subject, which: str) -> float:
    return float(_position(subject, which).mean())


def _length_of(subject: Subject, which: str) -> float:
    return float(np.linalg.norm(_position(subject, which)))


def _lift(subject: Subject) -> float:
    return _mean_of(subject, "last") - _mean_of(subject, "first")


def _place(subject: Subject, word: str) -> int:
    return find_word(words_of(effect_of(subject).before.source.tokens), word).first


def _attention_alone(subject: Subject, word: str) -> float:
    return claims.alone(subject.sentence, _place(subject, word)).attention


def _ffn_alone(subject: Subject, word: str) -> float:
    return claims.alone(subject.sentence, _place(subject, word)).feed_forward


def _distance_in(subject: Subject, kind: str) -> float:
    """Return the mean distance, in pieces, at which queries look in the changed model."""
    of: Kind = kind_called(kind)
    if of == "cross":
        raise ValueError("cross-attention looks at another sentence: it has no distances")
    attention = effect_of(subject).forced.attention(of)  # L H n n
    places = np.arange(attention.shape[-1])
    return float((attention * np.abs(places[:, None] - places)).sum(axis=-1).mean())


def _distance_before(subject: Subject, kind: str) -> float:
    return _distance_in(Subject(subject.sentence), kind)


def _sides(subject: Subject) -> str:
    return _RUNS[claims.exchanged(subject.sentence).log_prob is not None]


def _returned(subject: Subject) -> float:
    return float(claims.exchanged(subject.sentence).returned)


def _needed(subject: Subject) -> float:
    return float(claims.exchanged(subject.sentence).needed)


def _exchanged_log_prob(subject: Subject) -> float:
    found = claims.exchanged(subject.sentence).log_prob
    if found is None:
        raise ValueError("with its sides exchanged cross-attention does not run here")
    return found


FULL_RATE, DROPOUT = 0.1, 0.1


def _dropped(subject: Subject) -> float:
    """Return how far dropout on the weights of head 1.1 moves its z at the first piece."""
    found = learning.attention_draws(subject.sentence, (0, 0, 0), DROPOUT, (0, 1, 2))
    return float(np.abs(found.z[1:] - found.z[0]).max())


def _again(subject: Subject) -> float:
    """Return how far the z of that head differs between two runs without dropout."""
    first = learning.attention_draws(subject.sentence, (0, 0, 0), DROPOUT, (0, 1, 2)).z[0]
    return float(
        np.abs(effect_of(subject).before.recording["encoder.0.self_attn.z"][0, 0] - first).max()
    )


def _gradients(subject: Subject) -> NDArray[np.float64]:
    """Return the length of the whole gradient at each of the first steps without warm-up."""
    found = learning.first_steps(subject.sentence, FULL_RATE)
    return np.sqrt((found.gradients.astype(np.float64) ** 2).sum(axis=1))


def _first_gradient(subject: Subject) -> float:
    return float(_gradients(subject)[0])


def _growth(subject: Subject) -> float:
    gradients = _gradients(subject)
    return float(gradients.max() / gradients[0])


def _first_step(subject: Subject) -> float:
    updates = learning.first_steps(subject.sentence, FULL_RATE).updates[0].astype(np.float64)
    return float(np.sqrt((updates**2).sum()))


def _cached_without_mask(subject: Subject) -> float:
    return claims.cached_without_mask(subject.sentence)


def _adds(subject: Subject, cached: bool) -> float:
    cost = decodes.cost(subject.sentence)
    return float(sum(step.multiply_adds for step in (cost.cached if cached else cost.afresh)))


def _fewer(subject: Subject) -> float:
    return _adds(subject, cached=False) / _adds(subject, cached=True)


def _cache_changes(subject: Subject) -> float:
    return decodes.cost(subject.sentence).largest_difference


def _kept_by_one(subject: Subject) -> float:
    """Return the share of the cache that is left if all heads share keys and values."""
    config, run = runs.translator().config, runs.run(subject.sentence)
    sizes = len(run.recording.target_ids), len(run.source.ids)
    return kept_bytes(config, *sizes, 1) / kept_bytes(config, *sizes, config.heads)


def _slots(subject: Subject, count: str) -> str:
    return vocabulary.limited(subject.sentence, int(count))[1].text


def _row(method: str, amount: float) -> Smaller:
    found = smaller.smaller()
    for row in found.rows if found else ():
        if (row.method, row.amount) == (method, amount):
            return row
    raise ValueError("this model has not been measured made smaller like that")


def _whole_bleu(_subject: Subject) -> float:
    return _row("whole", 0).bleu


def _bleu_at(_subject: Subject, bits: str) -> float:
    return _row("quantised", int(bits)).bleu


def _bleu_lost(subject: Subject, bits: str) -> float:
    return _whole_bleu(subject) - _bleu_at(subject, bits)


def _bleu_without(_subject: Subject, share: str) -> float:
    return _row("pruned", int(share) / 100).bleu


def _adams_step(_subject: Subject, times: str) -> float:
    """Return the length of Adam's first step on a gradient of this size, at learning rate 0.1."""
    step = walk("adam", (float(times), 0.0), 1.0, 1, Settings(0.1)).steps[0, 0]
    return abs(float(step))


FORMS: tuple[Form, ...] = (
    Form("translation with <count> slots", "", _slots),
    Form("BLEU of the whole model", ".1f", _whole_bleu),
    Form("BLEU at <bits> bits", ".1f", _bleu_at),
    Form("BLEU lost at <bits> bits", ".1f", _bleu_lost),
    Form("BLEU without <share> % of the weights", ".1f", _bleu_without),
    Form("first step of Adam on a gradient of <times>", ".3f", _adams_step),
    *_local(False),
    *_local(True),
    Form("largest error with W_O on the right", "error", _on_the_right),
    Form("largest error with W_O transposed", "error", _transposed),
    Form("W_O on the left", "", _on_the_left),
    Form("largest position error if i counts <what>", "error", _if_i_counts),
    Form("mean of the <which> position", ".2f", _mean_of),
    Form("length of the <which> position", ".2f", _length_of),
    Form("rise of the mean over the positions", ".3f", _lift),
    Form("change of attention at <word> without the others", "error", _attention_alone),
    Form("change of feed-forward at <word> without the others", "error", _ffn_alone),
    Form("mean distance of <kind>", ".2f", _distance_in),
    Form("mean distance before of <kind>", ".2f", _distance_before),
    Form("cross-attention with its sides exchanged", "", _sides),
    Form("vectors from exchanged cross-attention", ".0f", _returned),
    Form("vectors that the decoder needs", ".0f", _needed),
    Form("log-probability with exchanged cross-attention", ".1f", _exchanged_log_prob),
    Form("change of z by attention dropout in training", ".2f", _dropped),
    Form("change of z by attention dropout in translation", "error", _again),
    Form("length of the first gradient without warm-up", ".1f", _first_gradient),
    Form("growth of the gradient without warm-up", ".1f", _growth),
    Form("length of the first step without warm-up", ".1f", _first_step),
    Form("logit change by the mask with a cache", "error", _cached_without_mask),
    Form("times fewer multiply-adds with the cache", ".1f", _fewer),
    Form("logit change by the cache", "error", _cache_changes),
    Form("share of the cache with one key for all heads", "share", _kept_by_one),
)
