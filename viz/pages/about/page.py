"""About the model: its data, its quality and its heads."""

import streamlit as st

from model.transformer.config import ModelConfig
from viz.compute import runs
from viz.language.text import _, later
from viz.pages.about.panels import (
    show_goals,
    show_heads,
    show_pronouns,
    show_quality,
    show_training,
)
from viz.pages.about.tables import said
from viz.shell.header import choose_view, open_page

open_page()

card = runs.card()
if card is None:
    st.info(
        _("This model was made elsewhere and has no card: nothing was measured here.")
        if runs.is_foreign()
        else _("This checkpoint has not been measured: python -m model.training.card does it.")
    )
    st.stop()
config = runs.translator().network.config
parameters = f"{card.parameters / 1e6:.1f} M"
if isinstance(config, ModelConfig):
    facts = {_("Parameters"): parameters}
    facts[_("Layers")] = f"{config.encoder_layers} + {config.decoder_layers}"
    facts[_("Heads a layer")] = str(config.heads)
else:
    facts = {_("Parameters, embedding aside"): parameters}
    facts[_("Attention")] = config.kind
    facts[_("Numbers in a state")] = str(config.d_state)
facts[_("Training steps")] = f"{card.steps:,}"
facts[_("BLEU on test, greedy")] = str(card.bleu("test"))
for column, (name, value) in zip(st.columns(len(facts)), facts.items(), strict=True):
    column.metric(name, value)
st.caption(
    _("Learned from {data}, {note}. Licence of the data: {licence}.").format(
        data=said(card.data["name"]),
        licence=said(card.data["licence"]),
        note=said(card.data["note"]),
    )
)

panels = {
    later("translation"): show_quality,
    **({later("pronouns"): show_pronouns} if card.pronouns else {}),
    later("heads"): show_heads,
    later("training"): show_training,
    **({later("goals"): show_goals} if card.goals else {}),
}
panels[choose_view(list(panels), "about")](card)
