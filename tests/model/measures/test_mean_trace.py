"""The mean of traces by role, and its file."""

from pathlib import Path

import numpy as np
import pytest

from model.measures.mean_trace import (
    MEAN_TRACE,
    ROLES,
    ROWS,
    MeanTrace,
    by_role,
    load_mean_trace,
    mean_trace,
    pack_mean_trace,
)
from model.recording.trace import Decided, Trace

NAN = np.nan


def traced(encoder: list[list[float]], decoder: list[list[float]]) -> Trace:
    maps = {"encoder": np.array(encoder), "decoder": np.array(decoder)}
    return Trace("residual", False, ((1,), (2,)), "", Decided((1,), (3, 4)), (1.0, -1.0), {}, maps)  # pyrefly: ignore[bad-argument-type]


def test_a_role_has_the_value_of_its_piece_that_moves_most() -> None:
    values = np.array([[0.1, 0.5], [-0.4, NAN], [NAN, NAN]])
    found = by_role(values, [[0, 1], [1, 2], [2], []])
    np.testing.assert_array_equal(found, [[-0.4, 0.5], [-0.4, NAN], [NAN, NAN], [NAN, NAN]])


def test_the_mean_leaves_out_what_is_not_known() -> None:
    roles = [[0], [1], [2], [3], [4]]
    one = traced([[1.0], [0.0], [0.5], [NAN], [0.2]], [[0.3], [0.1], [1.0]])
    two = traced([[0.0], [0.0], [1.0], [0.8], [NAN]], [[-0.5], [0.6]])
    found = mean_trace([one, two], [roles, roles], 5, "abc")
    np.testing.assert_allclose(found.encoder[:, 0], [0.5, 0.0, 0.75, 0.8, 0.2])
    np.testing.assert_allclose(found.decoder[:, 0], [0.8, -0.1])
    assert (found.pairs, found.traced, found.sha256) == (5, 2, "abc")
    with pytest.raises(ValueError, match="nothing to average"):
        mean_trace([], [], 5, "abc")


def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    found = MeanTrace(np.full((len(ROLES), 3), 0.25), np.full((len(ROWS), 2), NAN), 100, 97, "abc")
    (tmp_path / MEAN_TRACE).write_bytes(pack_mean_trace(found))
    read = load_mean_trace(tmp_path)
    np.testing.assert_array_equal(read.encoder, found.encoder)
    np.testing.assert_array_equal(read.decoder, found.decoder)
    assert (read.pairs, read.traced, read.sha256) == (100, 97, "abc")


def test_another_file_is_refused(tmp_path: Path) -> None:
    for content in (
        b"",
        b"PK",
        pack_mean_trace(MeanTrace(np.ones((2, 3)), np.ones((2, 3)), 1, 1, "")),
    ):
        (tmp_path / MEAN_TRACE).write_bytes(content)
        with pytest.raises(ValueError, match="not the mean trace of a model"):
            load_mean_trace(tmp_path)
    with pytest.raises(ValueError, match=MEAN_TRACE):
        load_mean_trace(tmp_path / "nowhere")
