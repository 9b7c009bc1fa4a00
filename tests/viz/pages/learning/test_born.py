"""What is said of a head that is born follows from the history of the training."""

import numpy as np

from model.recording.history import CUTS
from viz.compute import learning
from viz.pages.learning import born
from viz.pages.learning.marks import becomes_cause


def test_the_dip_between_two_shares_of_right_pronouns_is_not_left_out() -> None:
    history = learning.history()
    assert history is not None
    cause = becomes_cause(history)
    right = history.cuts[:, CUTS.index("none")]
    said = " ".join(born.captions(history))
    if cause and cause.dip:
        assert f"{np.nanmin(right[: cause.moment]):.0%}" in said
        assert f"{right[~np.isnan(right)][-1]:.0%}" in said


def test_all_runs_that_go_on_are_named_in_one_sentence() -> None:
    history = learning.history()
    assert history is not None
    said = born.captions(history)
    begun = [f"{int(history.steps[begin]):,}" for begin in history.runs[1:]]
    for step in begun[:-1]:
        assert len([one for one in said if step in one and "grey line" in one]) == 1
    assert len([one for one in said if "another run goes on" in one]) == 1
