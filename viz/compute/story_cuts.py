"""The numbers of the story: what cutting its links and turning its arcs does.

`python -m viz.compute.story_cuts` measures them for the shipped models, and keeps them in the
models' folders (story.json). They count only for the weights and the story that they were measured
with; otherwise, they are measured when they are first shown.
"""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from model.checkpoints.examples import StoryPair
from model.interventions.attention import TurnAttention
from viz.compute import cuts, examples, measured, models, pairs
from viz.compute.cuts import ArcHead, Cuts, OtherHead, Turn, Turns
from viz.compute.models import kept

FILE = "story.json"

Numbers = tuple[Cuts, Turns | None]
"""The cuts and the turns of a story."""


@kept
def cuts_and_turns(asked: StoryPair) -> Numbers:
    """Return the numbers of a story, kept or measured; ValueError when no head decides."""
    written = measured.read(models.in_force(), FILE)
    if written and written.get("story") == _asked(asked):
        return _read(written)
    return cuts.cuts(asked), cuts.turns(asked)


def written(asked: StoryPair) -> dict[str, Any]:
    """Measure a story on the model in force, and return its numbers as they are kept."""
    measured_cuts, turns = cuts.cuts(asked), cuts.turns(asked)
    arrays = {
        "likely": measured_cuts.likely,
        "others": measured_cuts.others,
        "weights": measured_cuts.weights,
    }
    return {
        "story": _asked(asked),
        "cuts": asdict(measured_cuts)
        | {name: np.array(one).tolist() for name, one in arrays.items()},
        "turns": [
            [[turn and asdict(turn) for turn in arc] for arc in side] for side in turns or ()
        ],
    }


def _asked(asked: StoryPair) -> list[Any]:
    """Return the story and the pieces between which it decides, as JSON has them."""
    decision = pairs.pair(asked.first, asked.second).decision
    parts = [*asdict(asked).values(), *(asdict(decision).values() if decision else ())]
    return [[*part] if isinstance(part, tuple) else part for part in parts]


def _read(numbers: dict[str, Any]) -> Numbers:
    """Return numbers as they were before they were written."""
    read = _frozen(numbers["cuts"])
    kept_cuts = Cuts(
        tuple(ArcHead(**head) for head in read["heads"]),
        read["carries"],
        np.array(read["likely"]),
        np.array(read["others"]),
        tuple(np.array(of_head) for of_head in read["weights"]),
        read["written"],
        tuple(
            tuple(tuple(OtherHead(**_frozen(head)) for head in side) for side in of_head)
            for of_head in read["also"]
        ),
    )
    turns = tuple(
        tuple(tuple(turn and _turn(turn) for turn in arc) for arc in side)
        for side in numbers["turns"]
    )
    return kept_cuts, turns or None


def _turn(read: dict[str, Any]) -> Turn:
    turned = TurnAttention(**_frozen(read["intervention"]))
    return Turn(**_frozen(read) | {"intervention": turned})


def _frozen(values: dict[str, Any]) -> dict[str, Any]:
    """Return values with tuples in the place of lists."""

    def frozen(value: object) -> object:
        return tuple(map(frozen, value)) if isinstance(value, list) else value

    return {name: frozen(value) for name, value in values.items()}


def of_shipped() -> Iterator[tuple[str, StoryPair]]:
    """Yield the shipped Transformers that have a story, and their stories."""
    for name in models.folders():
        if models.is_shipped(name) and not models.is_recurrent(name):
            with models.using(name):
                if story := examples.current().story:
                    yield name, story


def main() -> None:
    """Measure the stories of all shipped models, and keep the numbers."""
    argparse.ArgumentParser(
        prog="python -m viz.compute.story_cuts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    for name, story in of_shipped():
        print(f"{name} ...", flush=True)
        with models.using(name):
            measured.write(name, FILE, written(story))


if __name__ == "__main__":
    main()
