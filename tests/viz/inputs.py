"""A tiny model, one recording of it, and its sublayers as the page about a head reads them."""

from functools import cache

import torch

from model.interventions.base import Intervention
from model.recording.recording import Recording, record
from model.sites.sites import Head, Kind
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer
from viz.pages.head.numbers import Recorded, Sublayer
from viz.pages.head.reading import read

CONFIG = ModelConfig(40, 24, heads=3, d_ff=20, encoder_layers=2, decoder_layers=3, max_length=32)
SOURCE, TARGET = (7, 9, 30, 11, 2), (1, 21, 8, 22, 9, 33)


@cache
def tiny_model() -> Transformer:
    torch.manual_seed(11)
    model = Transformer(CONFIG).eval().requires_grad_(False)
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            parameter.normal_(std=0.3)
    return model


@cache
def tiny_recording(*interventions: Intervention) -> Recording:
    source = [f"s{id_}" for id_ in SOURCE]
    target = [f"t{id_}" for id_ in TARGET]
    return record(tiny_model(), SOURCE, TARGET, source, target, interventions)


def sublayer_of(
    kind: Kind, layer: int, recording: Recording | None = None
) -> tuple[Sublayer, Recorded]:
    return read(recording or tiny_recording(), Head(kind, layer, 0))
