"""Feed-forward without ReLU: one matrix in place of two."""

import numpy as np
import pytest

from model import load_translator
from model.interventions.blocks import LeaveOutReLU, ZeroUnit
from model.sites.sites import STACKS, Stack
from viz.components.recomputed import CLOSE
from viz.pages.lab_blocks.linear import difference, linear_places


@pytest.mark.parametrize("stack", STACKS)
def test_two_matrices_are_one_without_relu_and_only_then(stack: Stack) -> None:
    translator = load_translator()
    target = translator.translate("Thank you.")
    plain = translator.record("Thank you.", target)
    linear = translator.record("Thank you.", target, [LeaveOutReLU(stack, 1)])
    assert difference(linear, stack, 1) < CLOSE
    assert difference(plain, stack, 1) > CLOSE
    assert not np.allclose(linear.logits, plain.logits, atol=0.1)


def test_a_layer_with_a_unit_set_to_zero_is_not_recomputed() -> None:
    changes = [LeaveOutReLU("encoder", 0), LeaveOutReLU("decoder", 2), ZeroUnit("encoder", 0, 5)]
    assert linear_places(changes) == [("decoder", 2)]
