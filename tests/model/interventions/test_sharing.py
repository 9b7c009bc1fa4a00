"""Tied matrices: the same as a model whose weights are copied, however it is run."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from model.interventions.base import Sizes
from model.interventions.compiled import canonical
from model.interventions.sharing import ShareKeysValues, TieQueries
from model.recording.recording import record
from model.sites.sites import STACKS, Stack
from model.transformer.config import Positions
from model.transformer.transformer import Transformer
from tests.model.interventions.samples import CONFIG, SOURCE, SOURCE_TOKENS, TARGET, TARGET_TOKENS
from tests.model.uneven import uneven

TOKENS = list(SOURCE_TOKENS), list(TARGET_TOKENS)


def copied(model: Transformer, stack: Stack, parts: str) -> Transformer:
    """Return a model whose keys, or values, have the weights of its queries."""
    changed = deepcopy(model)
    for layer in getattr(changed, stack).layers:
        for part in parts:
            getattr(layer.self_attn, part).load_state_dict(layer.self_attn.q.state_dict())
    return changed


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize(
    ("positions", "parts"), [("sinusoid", "k"), ("sinusoid", "kv"), ("rotary", "k")]
)
def test_it_is_a_model_with_copied_weights(stack: Stack, positions: Positions, parts: str) -> None:
    model = uneven(replace(CONFIG, positions=positions), seed=3, norms=True)
    tie = TieQueries(stack, values=parts == "kv")
    found = record(model, SOURCE, TARGET, *TOKENS, [tie]).logits
    expected = record(copied(model, stack, parts), SOURCE, TARGET, *TOKENS).logits
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert not np.allclose(found, record(model, SOURCE, TARGET, *TOKENS).logits, atol=1e-3)


def test_turned_queries_are_no_values() -> None:
    rotary = Sizes(replace(CONFIG, positions="rotary"))
    TieQueries("encoder").check(rotary)
    with pytest.raises(ValueError, match="turns its queries"):
        TieQueries("encoder", values=True).check(rotary)
    with pytest.raises(ValueError, match="stack must be one of"):
        TieQueries("cross").check(rotary)  # pyrefly: ignore[bad-argument-type]


def test_heads_share_what_is_tied() -> None:
    tie, share = TieQueries("decoder"), ShareKeysValues("decoder", 2)
    assert canonical([share, tie]) == (tie, share)
    model = uneven(CONFIG, seed=3, norms=True)
    both = record(model, SOURCE, TARGET, *TOKENS, [share, tie]).logits
    alone = record(copied(model, "decoder", "k"), SOURCE, TARGET, *TOKENS, [share]).logits
    np.testing.assert_allclose(both, alone, atol=1e-5)
