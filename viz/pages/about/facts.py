"""The facts about a model: its sizes, its file, and two figures of its card."""

import streamlit as st

from model.checkpoints.card import Card
from model.recurrent.config import RecurrentConfig
from model.transformer.config import ModelConfig
from viz.compute import models, runs
from viz.language.text import _

IN_A_ROW = 5


def show_facts(card: Card | None) -> None:
    """Draw the model's sizes and the figures of its card, or more sizes if there is no card."""
    network = runs.translator().network
    config = network.config
    parameters = card.parameters if card else sum(one.numel() for one in network.parameters())
    facts = _sizes(config, f"{parameters / 1e6:.1f} M")
    if card:
        facts[_("Training steps")] = f"{card.steps_in_all:,}"
        facts[_("BLEU on test, greedy")] = str(card.bleu("test"))
    elif isinstance(config, ModelConfig):
        facts |= _widths(config)
    rows = list(facts.items())
    for start in range(0, len(rows), IN_A_ROW):
        row = rows[start : start + IN_A_ROW]
        for column, (name, value) in zip(st.columns(IN_A_ROW), row, strict=False):
            column.metric(name, value)
    if card is None:
        _say_where_from()


def _sizes(config: ModelConfig | RecurrentConfig, parameters: str) -> dict[str, str]:
    if isinstance(config, RecurrentConfig):
        return {
            _("Parameters, embedding aside"): parameters,
            _("Attention"): config.kind,
            _("Numbers in a state"): str(config.d_state),
        }
    return {
        _("Parameters"): parameters,
        _("Layers"): f"{config.encoder_layers} + {config.decoder_layers}",
        _("Heads in one attention"): str(config.heads),
    }


def _widths(config: ModelConfig) -> dict[str, str]:
    source, target = config.vocab_size, config.target_vocab_size
    shared = config.variant.target_pieces is None
    return {
        _("Model width"): str(config.d_model),
        _("Head width"): str(config.d_k),
        _("Feed-forward width"): str(config.d_ff),
        _("Activation"): config.variant.activation,
        _("Pieces"): f"{source:,}" if shared else f"{source:,} + {target:,}",
        _("Longest text in pieces"): str(runs.translator().max_tokens),
    }


def _say_where_from() -> None:
    file, size = models.weights_file(models.in_force())
    said = _(
        "The weights are those of the file {file} ({size:.1f} MB); the model computes in float32."
    )
    st.caption(said.format(file=f"`{file}`", size=size / 1e6))
    if runs.is_foreign():
        st.caption(
            _(
                "Models of this make are read as `MarianMTModel` of transformers reads them: the "
                "tests of this program compare logits, attention, greedy and beam search, on "
                "folders with random weights."
            )
        )
