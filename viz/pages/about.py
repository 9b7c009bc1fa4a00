"""About the model: what it learned from, how well it translates, what its heads do."""

import numpy as np
import streamlit as st

from viz import compute, state
from viz.figures.about import head_scores, training_curves
from viz.header import open_page
from viz.text import _

open_page(
    _("About the model"),
    _("Everything on these pages comes from one trained model. This is its card."),
)

card = compute.card()
if card is None:
    st.info(_("This checkpoint has not been measured: python -m model.training.card does it."))
    st.stop()
config = compute.translator().config
facts = st.columns(5)
facts[0].metric(_("Parameters"), f"{card.parameters / 1e6:.1f} M")
facts[1].metric(_("Layers"), f"{config.encoder_layers} + {config.decoder_layers}")
facts[2].metric(_("Heads a layer"), config.heads)
facts[3].metric(_("Training steps"), f"{card.steps:,}")
facts[4].metric(_("BLEU on test, greedy"), card.bleu("test"))
st.caption(
    _("Learned from {data}. Licence of the data: {licence}. {note}").format(
        data=card.data["name"], licence=card.data["licence"], note=card.data["note"]
    )
)

quality, pronouns, heads, training = st.tabs(
    [_("Translation"), _("Pronouns"), _("Heads"), _("Training")]
)

with quality:
    st.markdown(
        _(
            "BLEU and chrF (0 to 100, higher is better) compare translations with those of people, "
            "by the number of words in the English sentence."
        )
    )
    for split, column in zip(("dev", "test"), st.columns(2), strict=True):
        for strategy, rows in card.quality[split].items():
            column.caption(f"{split}, {strategy}")
            column.dataframe(rows, hide_index=True)
    st.subheader(_("As it comes out"), anchor=False)
    st.dataframe(card.samples, hide_index=True)
    st.subheader(_("What it is bad at"), anchor=False)
    st.dataframe(card.weak_spots, hide_index=True)

with pronouns:
    st.markdown(
        _(
            "*It* becomes **il** or **elle**, by the gender of what it stands for. Measured on "
            "generated sentences whose nouns, adjectives or whole frame were kept out of training: "
            "how often the pronoun is right, and how often the whole sentence is, in per cent."
        )
    )
    st.dataframe([{"set": name, **row} for name, row in card.pronouns.items()], hide_index=True)

with heads:
    report = card.heads
    if report is None:
        st.info(_("No head report comes with this checkpoint."))
    else:
        st.markdown(
            _(
                "Each score is a mean over the queries of {sentences} dev sentences "
                "({pronouns} pronoun sentences for *antecedent*). It says where a head looks, "
                "not why the model decides."
            ).format(sentences=report["sentences"], pronouns=report["pronoun_sentences"])
        )
        for goal in report["goals"]:
            if not goal["reached"]:
                st.warning(
                    _(
                        "No head reaches {goal} for *{score}*: the nearest is {kind} "
                        "{layer}.{head} with {value:.2f}. {tried}"
                    ).format(**goal, tried=report["tried"])
                )
        row = st.container(horizontal=True, gap="medium")
        kind = row.segmented_control(
            _("Attention"),
            list(report["scores"]),
            default="encoder",
            required=True,
            key="about_kind",
        )
        names = list(report["scores"][kind or "encoder"])
        name = row.selectbox(_("Measured"), names, key="about_score") or names[0]
        scores = np.array(report["scores"][kind or "encoder"][name])
        figure = head_scores(scores, name, name == "antecedent", state.current_theme())
        st.plotly_chart(figure, theme=None, config={"displaylogo": False})
        st.caption(_("The best head for each score:"))
        st.dataframe(report["best"], hide_index=True)

with training:
    log = card.training_log
    if not log:
        st.info(_("No training log comes with this checkpoint."))
    else:
        steps = [line for line in log if "loss" in line]
        dev = [line for line in log if "dev_loss" in line]
        figure = training_curves(
            [line["step"] for line in steps],
            [line["loss"] for line in steps],
            [line["learning_rate"] for line in steps],
            [line["step"] for line in dev],
            [line["dev_loss"] for line in dev],
            state.current_theme(),
        )
        st.plotly_chart(figure, theme=None, config={"displaylogo": False})
    st.caption(
        _("{steps} steps in {hours} hours on {machine}.").format(
            steps=card.steps, hours=card.hours, machine=card.machine
        )
    )
    st.json(card.settings, expanded=False)
