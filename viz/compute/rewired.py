"""The model rewired as some introductions wrongly describe it; cached."""

from model.measures import rewired
from model.measures.rewired import Alone
from model.recurrent.looking import Looking
from viz.compute import ancestors, runs
from viz.compute.models import kept


@kept
def exchanged(sentence: str) -> float:
    """Return the log-probability of the translation with the sides of cross-attention swapped.

    Raises ValueError where the model cannot run like this: the result has a vector for each piece
    of the source, and the decoder needs a vector for each piece of its own.
    """
    recording, loaded = runs.run(sentence).recording, runs.translator()
    target = (*recording.target_ids, loaded.tokenizer.end_id)
    return rewired.exchanged_log_prob(loaded.model, recording.source_ids, target)


@kept
def alone(sentence: str, position: int) -> Alone:
    """Remove all pieces but one from the first layer; ValueError when that piece does not exist."""
    return rewired.alone(runs.translator().model, runs.source(sentence).ids, position)


@kept
def cached_without_mask(sentence: str) -> float:
    """Return the look-ahead mask's largest change of a logit in a decoder with a cache."""
    recording = runs.run(sentence).recording
    ids = recording.source_ids, recording.target_ids
    return rewired.cached_without_mask(runs.translator().model, *ids)


def local(sentence: str, upside_down: bool) -> tuple[str, float]:
    """Translate with local attention; return the run and the mean weight of a window's end piece.

    That is the share of all weight on the piece furthest from the centre of its window.
    """
    run = ancestors.looked("local-p", sentence, Looking(upside_down=upside_down))
    recording = run.recording
    weights = recording.attention("cross")[0, 0].astype(float)  # T S
    centre = recording["decoder.0.cross_attn.position"]  # T
    bell = recording["decoder.0.cross_attn.gaussian"][0]  # T S
    shares = []
    for row, middle, near in zip(weights, centre, bell > 0, strict=True):
        steps = near.nonzero()[0]
        if len(steps) and row.sum():
            furthest = max(steps, key=lambda position: abs(position - middle))
            shares.append(row[furthest] / row.sum())
    return run.translation.text, float(sum(shares) / len(shares)) if shares else 0.0
