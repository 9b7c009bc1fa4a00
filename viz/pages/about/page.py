"""About the model: all of it in one picture, and the views of its card."""

import streamlit as st

from viz.compute import runs
from viz.compute.smaller import smaller
from viz.language.text import _, later
from viz.pages.about.facts import show_facts
from viz.pages.about.panels import (
    show_causes,
    show_goals,
    show_heads,
    show_pronouns,
    show_quality,
    show_training,
    show_whole_model,
)
from viz.pages.about.paper import show_paper
from viz.pages.about.smaller_panel import show_smaller
from viz.pages.about.tables import said
from viz.pages.about.twins import show_twins
from viz.shell.finding import say
from viz.shell.header import choose_view, open_page

SMALLER = later("made smaller")

run = open_page()
card = runs.card()

network = runs.translator().network
is_transformer = network.config.kind == "transformer"
if is_transformer:
    config = run.recording.config
    sizes = {
        "millions": f"{sum(one.numel() for one in network.parameters()) / 1e6:.1f}",
        "count": config.heads * (config.encoder_layers + 2 * config.decoder_layers),
    }
    if card:
        whole = _(
            "How large is this model, and how good? **{millions} million numbers, {count} heads**; "
            "its translations of sentences kept out of training get **{bleu}** of 100 BLEU points."
        )
        say(whole.format(**sizes, bleu=card.bleu("test")))
    else:
        whole = _("How large is this model? **{millions} million numbers, {count} heads**.")
        say(whole.format(**sizes))
show_facts(card)
if is_transformer:
    show_whole_model(run, card)
    show_paper(run.recording.config, sum(one.numel() for one in network.parameters()), card)
    show_twins()
if card is None:
    st.info(
        _("This model was made elsewhere and has no card: nothing was measured here.")
        if runs.is_foreign()
        else _("This checkpoint has not been measured: python -m model.training.card does it.")
    )
    st.stop()
panels = {
    later("translation"): show_quality,
    **({later("pronouns"): show_pronouns} if card.pronouns else {}),
    **({later("causes"): show_causes} if card.causes else {}),
    later("heads"): show_heads,
    later("training"): show_training,
    **({later("goals"): show_goals} if card.goals else {}),
}
reduced = smaller()
view = choose_view([*panels, *([SMALLER] if reduced else [])], "about")
if reduced and view == SMALLER:
    show_smaller(reduced)
else:
    panels[view](card)
st.caption(
    _("Learned from {data}, {note}. Licence of the data: {licence}.").format(
        data=said(card.data["name"]),
        licence=said(card.data["licence"]),
        note=said(card.data["note"]),
    )
)
