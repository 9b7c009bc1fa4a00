"""The running model rewired as introductions describe it; cached, as in runs."""

from dataclasses import dataclass

from model.measures import rewired
from model.measures.rewired import Alone
from model.recurrent.looking import Looking
from viz.compute import ancestors, runs
from viz.compute.models import kept


@dataclass(frozen=True)
class Exchanged:
    """The result of cross-attention with its sides swapped; None where it cannot run."""

    returned: int
    needed: int
    log_prob: float | None


@kept
def exchanged(sentence: str) -> Exchanged:
    """Run the model on its own translation with queries of the encoder, values of the decoder."""
    recording, loaded = runs.run(sentence).recording, runs.translator()
    target = (*recording.target_ids, loaded.tokenizer.end_id)
    try:
        found = rewired.exchanged_log_prob(loaded.model, recording.source_ids, target)
    except ValueError:
        found = None
    return Exchanged(len(recording.source_ids), len(recording.target_ids), found)


@kept
def alone(sentence: str, place: int) -> Alone:
    """Remove all pieces but one from the first layer; ValueError when it does not exist."""
    return rewired.alone(runs.translator().model, runs.source(sentence).ids, place)


@kept
def cached_without_mask(sentence: str) -> float:
    """Return the look-ahead mask's largest change of a logit in a decoder with a cache."""
    recording = runs.run(sentence).recording
    ids = recording.source_ids, recording.target_ids
    return rewired.cached_without_mask(runs.translator().model, *ids)


def local(sentence: str, upside_down: bool) -> tuple[str, float]:
    """Translate with local attention; return it and the mean weight of a window's end pieces.

    That is the share of all weight on the piece of each window furthest from its centre.
    """
    run = ancestors.looked("local-p", sentence, Looking(upside_down=upside_down))
    recording = run.recording
    weights = recording.attention("cross")[0, 0].astype(float)  # T S
    centre = recording["decoder.0.cross_attn.position"]  # T
    bell = recording["decoder.0.cross_attn.gaussian"][0]  # T S
    shares = []
    for row, middle, near in zip(weights, centre, bell > 0, strict=True):
        places = near.nonzero()[0]
        if len(places) and row.sum():
            furthest = max(places, key=lambda place: abs(place - middle))
            shares.append(row[furthest] / row.sum())
    return run.translation.text, float(sum(shares) / len(shares)) if shares else 0.0
