"""About the model: what it learned from, how well it translates, what its heads do."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.compute import runs
from viz.pages.about.figures import head_scores, training_curves
from viz.shared.text import _
from viz.shell import state
from viz.shell.header import open_page

_LINE = "border-bottom:1px solid color-mix(in srgb,currentColor 18%,transparent);padding:6px 12px"


def column_names() -> dict[str, str]:
    """Name the columns of the card's tables."""
    return {
        "words": _("words"),
        "sentences": _("sentences"),
        "bleu": "BLEU",
        "chrf": "chrF",
        "set": _("kept out of training"),
        "right_pronoun": _("right pronoun, %"),
        "exact": _("whole sentence right, %"),
        "en": _("English"),
        "fr": _("French, as it comes out"),
        "what": _("what"),
    }


def looks_at() -> dict[str, str]:
    """Say what the scores of the head report measure."""
    return {
        "previous": _("the token before"),
        "same": _("the token itself"),
        "next": _("the token after"),
        "first": _("the first token"),
        "end": _("the end token"),
        "punctuation": _("punctuation"),
        "aligned_given": _("the word aligned with the piece it was given (share of queries)"),
        "aligned_predicted": _("the word aligned with the piece it predicts (share of queries)"),
        "antecedent": _("what 'it' stands for, minus the other noun"),
    }


def show(where: DeltaGenerator, rows: Sequence[Mapping[str, object]]) -> None:
    """Draw a table of the card under the names that people read."""
    names = column_names()
    named = [{names.get(name, name): value for name, value in row.items()} for row in rows]
    where.dataframe(named, hide_index=True)


def show_texts(rows: Sequence[Mapping[str, str]]) -> None:
    """Draw a table of sentences, which wrap where a dataframe would cut them."""
    names = column_names()

    def line(tag: str, cells: Iterable[str]) -> str:
        return "".join(f'<{tag} style="{_LINE};text-align:left">{escape(c)}</{tag}>' for c in cells)

    body = [line("th", (names[name] for name in rows[0])), *(line("td", r.values()) for r in rows)]
    table = "".join(f"<tr>{cells}</tr>" for cells in body)
    st.html(f'<table style="border-collapse:collapse;width:100%">{table}</table>')


open_page(
    _("About the model"),
    _("Everything on these pages comes from one trained model. This is its card."),
)

card = runs.card()
if card is None:
    st.info(_("This checkpoint has not been measured: python -m model.training.card does it."))
    st.stop()
config = runs.translator().config
facts = st.columns(5)
facts[0].metric(_("Parameters"), f"{card.parameters / 1e6:.1f} M")
facts[1].metric(_("Layers"), f"{config.encoder_layers} + {config.decoder_layers}")
facts[2].metric(_("Heads a layer"), config.heads)
facts[3].metric(_("Training steps"), f"{card.steps:,}")
facts[4].metric(_("BLEU on test, greedy"), card.bleu("test"))
st.caption(
    _("Learned from {data}, {note}. Licence of the data: {licence}.").format(
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
            show(column, rows)
    st.subheader(_("As it comes out"), anchor=False)
    show_texts(card.samples)
    st.subheader(_("What it is bad at"), anchor=False)
    show_texts(card.weak_spots)

with pronouns:
    st.markdown(
        _(
            "*It* becomes **il** or **elle**, by the gender of what it stands for. Measured on "
            "generated sentences whose nouns, adjectives or whole frame were kept out of training: "
            "how often the pronoun is right, and how often the whole sentence is, in per cent."
        )
    )
    show(st.container(), [{"set": name, **row} for name, row in card.pronouns.items()])

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
        looks = looks_at()
        for goal in report["goals"]:
            if not goal["reached"]:
                st.warning(
                    _(
                        "No head reaches {goal} for *{what}*: the nearest is {kind} "
                        "{layer}.{head} with {value:.2f}. {tried}"
                    ).format(**goal, what=looks[goal["score"]], tried=report["tried"])
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
        name = row.selectbox(_("Looks at"), names, format_func=looks.__getitem__, key="about_score")
        scores = np.array(report["scores"][kind or "encoder"][name])
        figure = head_scores(scores, _("value"), name == "antecedent", state.current_theme())
        st.plotly_chart(figure, theme=None, config={"displaylogo": False})
        st.caption(_("The best head for each score:"))
        show(
            st.container(),
            [
                {
                    "attention": best["kind"],
                    "looks at": looks[best["score"]],
                    "layer": best["layer"],
                    "head": best["head"],
                    "value": f"{best['value']:.2f}",
                }
                for best in report["best"]
            ],
        )

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
    with st.expander(_("All settings of the run")):
        st.json(card.settings)
