"""Whether a recording here agrees with a Marian model that transformers opened."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from model.recording.recording import Recording


def assert_recorded_alike(theirs: Callable[..., Any], recording: Recording) -> None:
    """Check logits and the attention of all heads to 1e-4, on the recording's own ids."""
    with torch.inference_mode():
        outputs = theirs(
            input_ids=torch.tensor([recording.source_ids]),
            decoder_input_ids=torch.tensor([recording.target_ids]),
            output_attentions=True,
        )
    np.testing.assert_allclose(recording.logits, outputs.logits[0], rtol=0, atol=1e-4)
    for kind in ("encoder", "decoder", "cross"):
        weights = torch.cat(list(outputs[f"{kind}_attentions"]))  # L H T S
        np.testing.assert_allclose(recording.attention(kind), weights, rtol=0, atol=1e-4)
