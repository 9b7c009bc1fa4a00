"""The paper's base model beside this one, number by number."""

import streamlit as st

from model.checkpoints.card import Card
from model.transformer.config import ModelConfig
from viz.figures.table import show_table
from viz.language.text import _
from viz.shell.folded import opened

SINUSOID = "sinusoid"


def show_paper(config: ModelConfig, parameters: int, card: Card | None) -> None:
    """Draw a table of both, folded; `parameters` are those of this model."""
    title = _("The paper and this model, number by number")
    if not (box := opened(title, "paper", ":material/description:")):
        return
    with box:
        show_table(rows(config, parameters, card))
        st.caption(
            _(
                "The paper is “Attention Is All You Need” (2017): its base model, from sections 3 "
                "and 5 and table 3."
            )
        )


def rows(config: ModelConfig, parameters: int, card: Card | None) -> list[dict[str, str]]:
    """Return a row for each size: its name, its value in the paper, and its value in this model."""
    settings = card.settings if card else {}
    shared = config.variant.target_pieces is None
    pieces = f"{config.vocab_size:,}"
    if not shared:
        pieces = f"{pieces} + {config.target_vocab_size:,}"
    named = {
        _("layers of the encoder (N)"): ("6", str(config.encoder_layers)),
        _("layers of the decoder (N)"): ("6", str(config.decoder_layers)),
        _("width (d_model)"): ("512", str(config.d_model)),
        _("heads (h)"): ("8", str(config.heads)),
        _("width of a head (d_k)"): ("64", str(config.d_k)),
        _("width of feed-forward (d_ff)"): ("2,048", f"{config.d_ff:,}"),
        _("pieces"): (_("about 37,000 (English to German)"), pieces),
        _("positions"): (SINUSOID, config.positions),
        _("parameters"): ("65 M", f"{parameters / 1e6:.1f} M"),
        _("dropout"): ("0.1", _number(settings.get("dropout"))),
        _("label smoothing"): ("0.1", _number(settings.get("smoothing"))),
        _("training steps"): ("100,000", f"{card.steps_in_all:,}" if card else ""),
    }
    return [
        {_("what"): name, _("paper"): paper, _("this model"): own}
        for name, (paper, own) in named.items()
    ]


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else ""
