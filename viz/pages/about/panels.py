"""The views of the model's card: quality, pronouns, heads, causes, training and goals."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from model.checkpoints.card import Card
from model.measures.atlas.roles import ROLES
from model.recording.history import UNDECIDED
from model.results import Run
from model.sites.sites import Head
from model.words import is_unspaced
from viz.compute import atlas
from viz.figures.figure import show_figure
from viz.figures.labels import kind_names
from viz.figures.table import show_table
from viz.language.taught import as_list, taught
from viz.language.text import _, _n
from viz.link.choice import choose_one
from viz.link.to_head import link_to_head
from viz.pages.about.figures import head_scores, training_curves
from viz.pages.about.picture import whole_model
from viz.pages.about.tables import cut_names, known_roles, looks_at, said, show, show_texts
from viz.shell import state

SECOND_SET = "right pronoun, %: second set"
"""The beginning of the goal for pronouns in sentences unlike those of the training."""


def show_quality(card: Card) -> None:
    """Draw BLEU and chrF on both splits, sample translations, and weak spots."""
    st.markdown(
        _(
            "BLEU and chrF (0 to 100, higher is better) compare the model's translations with "
            "those that people wrote. Each row has the sentences with so many words."
        )
    )
    if any(is_unspaced(text) for row in card.samples for text in row.values()):
        st.markdown(_("A character of a script without spaces counts as a word."))
    for split, column in zip(("dev", "test"), st.columns(2), strict=True):
        for strategy, rows in card.quality[split].items():
            column.caption(_("{split}, {strategy}").format(**_decoding(split, strategy)))
            show(column, [{**row, "words": _words(row["words"])} for row in rows])
    st.subheader(_("As it comes out"), anchor=False)
    show_texts(card.samples)
    st.subheader(_("What it is bad at"), anchor=False)
    show_texts([{**spot, "what": said(spot["what"])} for spot in card.weak_spots])


def _decoding(split: str, strategy: str) -> dict[str, str]:
    name, _space, width = strategy.partition(" ")
    shown = _("beam {width}").format(width=width) if name == "beam" else _("greedy")
    return {"split": {"dev": _("dev"), "test": _("test")}[split], "strategy": shown}


def _words(count: str) -> str:
    """Write the range of words in the sentences of a row: "all", "1-5" or "over 20"."""
    if count.startswith("over "):
        return _("over {count}").format(count=count.removeprefix("over "))
    return _("all") if count == "all" else count


def show_pronouns(card: Card) -> None:
    """Draw how often the pronoun is right in sentences whose words were kept out of training."""
    st.markdown(
        _(
            "*It* becomes **il** or **elle**, by the gender of what it stands for. Measured on "
            "generated sentences whose nouns, adjectives or whole frame were kept out of training: "
            "how often the pronoun is right, and how often the whole sentence is, in per cent."
        )
    )
    show(st.container(), [{"set": said(name), **row} for name, row in card.pronouns.items()])
    if second := [goal for goal in card.goals if goal["what"].startswith(SECOND_SET)]:
        st.markdown(_("And in sentences of other kinds, which nothing was chosen by:"))
        show(st.container(), [_goal(goal) for goal in second])


def show_heads(card: Card) -> None:
    """Draw a score of each head, such as its weight on the token before or the noun of "it"."""
    report = card.heads
    if report is None:
        st.info(_("No head report comes with this checkpoint."))
        return
    st.markdown(
        _(
            "Each score is a mean over the queries of {sentences} dev sentences "
            "({pronouns} pronoun sentences for *antecedent*). It says where a head looks, "
            "not why the model decides."
        ).format(sentences=report["sentences"], pronouns=report["pronoun_sentences"])
    )
    _say_what_was_not_reached(report)
    looks = looks_at()
    row = st.container(horizontal=True, gap="medium")
    kinds = list(report["scores"])
    kind = choose_one(_("Attention"), kinds, "about_kind", default="encoder", row=row, link=False)
    scores = report["scores"][kind]
    name = row.selectbox(
        _("Looks at"), list(scores), format_func=looks.__getitem__, key="about_score"
    )
    signed = name == "antecedent"
    show_figure(head_scores(np.array(scores[name]), _("value"), signed, state.current_theme()))
    _say_which_layers_align(report["sentences"])
    st.caption(_("The best head for each score:"))
    alike = _("Where else?")
    show(st.container(), [_best_head(best, looks, alike) for best in report["best"]], alike)


def _say_which_layers_align(measured: int) -> None:
    """Say which layers of cross-attention align, and their best heads, over the atlas.

    `measured` is the number of sentences that the head report was measured on.
    """
    index = atlas.find(())
    if index is None or "cross" not in index.kinds:
        return
    scores = index.scores("cross")
    told: dict[str, str] = {}
    for role in ("aligned_given", "aligned_predicted"):
        weights = scores[ROLES["cross"].index(role)]  # L H
        layer = int(weights.mean(axis=1).argmax())
        best = np.unravel_index(weights.argmax(), weights.shape)
        told |= {
            f"{role}_layer": str(layer + 1),
            f"{role}_mean": f"{weights[layer].mean():.2f}",
            f"{role}_head": state.head_name(Head("cross", int(best[0]), int(best[1]))),
            f"{role}_most": f"{weights.max():.2f}",
        }
    st.markdown(
        _(
            "**Which layer of cross-attention aligns?** Over the {sentences} sentences of the "
            "atlas (the table below has {measured}), layer {aligned_given_layer} gives most to the "
            "source word of the word just read (mean of its heads {aligned_given_mean}; of all "
            "heads {aligned_given_head} most, {aligned_given_most}), layer "
            "{aligned_predicted_layer} to that of the word it writes next "
            "({aligned_predicted_mean}; {aligned_predicted_head} {aligned_predicted_most})."
        ).format(sentences=f"{len(index):,}", measured=f"{measured:,}", **told)
    )


def _say_what_was_not_reached(report: dict[str, Any]) -> None:
    looks = looks_at()
    for goal in report["goals"]:
        if not goal["reached"]:
            st.warning(
                _(
                    "No head reaches {goal} for *{what}*: the nearest is {kind} "
                    "{layer}.{head} with {value:.2f}. {tried}"
                ).format(**goal, what=looks[goal["score"]], tried=said(report["tried"]))
            )


def _best_head(best: dict[str, Any], looks: dict[str, str], alike: str) -> dict[str, object]:
    head = Head(best["kind"], best["layer"] - 1, best["head"] - 1)
    return {
        "attention": kind_names()[best["kind"]],
        "looks at": looks[best["score"]],
        "layer": best["layer"],
        "head": best["head"],
        "value": f"{best['value']:.2f}",
        alike: link_to_head("atlas", state.sentence(), head),
    }


def show_causes(card: Card) -> None:
    """Draw how often cutting a link changes its word, and how often turning it writes another.

    Of a model that knows no il and elle, only the second was measured.
    """
    assert card.causes is not None
    if "pictures" in card.causes:
        _show_cuts(card.causes)
    if turned := card.causes.get("turned"):
        st.subheader(_("Links as handles"), anchor=False)
        st.markdown(
            _(
                "The step that writes a word was made to look at another word of the same kind. It "
                "counts how often the other word's translation is then the likeliest."
            )
        )
        show(st.container(), [_turned(row) for row in turned])
    if lookers := card.causes.get("lookers"):
        st.markdown(
            _(
                'Several encoder heads look from "it" at its noun. Each was turned onto the other '
                "noun alone; it counts how often the pronoun changed with it."
            )
        )
        show(st.container(), [_looker(row) for row in lookers])


def _show_cuts(causes: Mapping[str, Any]) -> None:
    """Draw what cutting each kind of link changes, and what il or elle depends on."""
    st.markdown(
        _(
            "Attention shows where a head looks. Here each link was **cut** in all heads of its "
            "kind, in sentences kept out of training, and the model asked again for the word it "
            "belongs to. A picture counts as a cause if the word changes in at least a fifth of "
            "the sentences, and three times as often as after the same cut at a random place. It "
            "is a handle if the word becomes another one as soon as the link is **turned** onto "
            "that one's key."
        )
    )
    show(st.container(), [_cut(row) for row in causes["pictures"]])
    st.subheader(_("What il or elle depends on"), anchor=False)
    cuts = cut_names("{}.{}".format(*causes["carrier"]))
    sets = causes["pronouns"].items()
    rows = [
        {"cut": named, **{said(name): _pronouns(of, cut) for name, of in sets}}
        for cut, named in cuts.items()
        if all(cut in of["right"] for _name, of in sets)
    ]
    show(st.container(), rows)
    st.caption(
        _(
            "How often il or elle is right, wrong, and undecided, which is when the two are within "
            "{limit} nats of each other, at most 52 to 48. In brackets: how often the right one is "
            "the likelier, by however little."
        ).format(limit=UNDECIDED)
    )


def _pronouns(measured: dict[str, dict[str, float]], cut: str) -> str:
    """Say how often the pronoun is right under a cut; files from before tell only the likelier."""
    likelier = f"{measured['right'][cut]:.0%}"
    if not measured.get("sure"):
        return likelier
    right, wrong = measured["sure"][cut], measured["wrong"][cut]
    return _("{right} right, {wrong} wrong, {undecided} undecided ({likelier})").format(
        right=f"{right:.0%}",
        wrong=f"{wrong:.0%}",
        undecided=f"{abs(1 - right - wrong):.0%}",
        likelier=likelier,
    )


def _turned(row: dict[str, Any]) -> dict[str, object]:
    return {
        "turn": said(row["name"]),
        "in": _turned_heads(row["heads"]),
        "sentences": row["sentences"],
        "becomes": f"{100 * row['turned']:.0f}%",
        "likely_other": f"{100 * row['probability']:.0f}%",
    }


def _turned_heads(name: str) -> str:
    """Return the name of the turned heads; a single head's name has its layer and number."""
    single = name.removeprefix("head ")
    return said(name) if single == name else _("cross {head} alone").format(head=single)


def _looker(row: dict[str, Any]) -> dict[str, object]:
    layer, head = row["head"]
    return {
        "head": f"{layer}.{head}",
        "value": f"{row['weight']:.2f}",
        "pronoun": f"{100 * row['turned']:.0f}%",
    }


def _cut(row: dict[str, Any]) -> dict[str, object]:
    likely = " → ".join(f"{100 * row[name]:.0f}%" for name in ("probability", "cut"))
    turned = row.get("turned")
    return {
        "link": said(row["name"]),
        "attention": kind_names()[row["kind"]],
        "sentences": row["sentences"],
        "changed": f"{100 * row['changed']:.0f}%",
        "changed_elsewhere": f"{100 * row['changed_elsewhere']:.0f}%",
        "turned": "" if turned is None else f"{100 * turned:.0f}%",
        "likely": likely,
        "is_cause": "✓" if row["is_cause"] else "✗",
    }


def show_training(card: Card) -> None:
    """Draw the losses and the learning rate of the run, and its settings."""
    if not card.training_log:
        st.info(_("No training log comes with this checkpoint."))
    else:
        steps = [line for line in card.training_log if "loss" in line]
        dev = [line for line in card.training_log if "dev_loss" in line]
        before = card.steps_before
        show_figure(
            training_curves(
                [before + line["step"] for line in steps],
                [line["loss"] for line in steps],
                [line["learning_rate"] for line in steps],
                [before + line["step"] for line in dev],
                [line["dev_loss"] for line in dev],
                state.current_theme(),
            )
        )
    run = _("{steps} steps in {hours} hours on {machine}.")
    if card.start:
        run = _("The last run: {steps} steps in {hours} hours on {machine}.")
    st.caption(run.format(steps=f"{card.steps:,}", hours=card.hours, machine=card.machine))
    if card.start:
        st.caption(
            _(
                "It went on from the weights of an earlier {name}, which had made {steps} steps."
            ).format(name=card.start["name"], steps=f"{card.steps_before:,}")
        )
    if card.mean:
        st.caption(_("What is shipped is a mean of several checkpoints, part by part:"))
        show_table(
            {
                _("checkpoint"): [each["name"] for each in card.mean],
                _("steps"): [f"{each['steps']:,}" for each in card.mean],
                _("encoder"): [f"{each['encoder']:.0%}" for each in card.mean],
                _("decoder"): [f"{each['decoder']:.0%}" for each in card.mean],
                _("embeddings"): [f"{each['embeddings']:.0%}" for each in card.mean],
            }
        )
    if tasks := taught(card.settings):
        st.markdown(as_list(tasks))
    with st.expander(_("All settings of the run")):
        st.json(card.settings)


def show_goals(card: Card) -> None:
    """Draw the goals of the training, and the values that it reached."""
    missed = sum(not goal["reached"] for goal in card.goals)
    st.markdown(
        _n(
            "What this model was meant to reach, and what was measured on data that it never "
            "learned from. {missed} of {count} goals is missed.",
            "What this model was meant to reach, and what was measured on data that it never "
            "learned from. {missed} of {count} goals are missed.",
            missed,
        ).format(missed=missed, count=len(card.goals))
    )
    # Those that are missed come first, as a long table shows only its first rows.
    show(
        st.container(), [_goal(goal) for goal in sorted(card.goals, key=lambda one: one["reached"])]
    )


def _goal(goal: dict[str, Any]) -> dict[str, object]:
    least = goal["sense"] == "at least"
    wanted = _("at least {goal:g}") if least else _("at most {goal:g}")
    return {
        "what": said(goal["what"]),
        "goal": wanted.format(goal=goal["goal"]),
        "value": f"{goal['figure']:.2f}",
        "reached": "✓" if goal["reached"] else "✗",
        "where": goal["note"],
    }


def show_whole_model(run: Run, card: Card | None) -> None:
    """Draw all layers and heads of a Transformer, and how they look at a run's sentence.

    Heads that, by its card, do one thing most of the time have a ring.
    """
    recording = run.recording
    sizes = len(recording.source_tokens), len(recording.target_tokens)
    texts = run.source.text, run.translation.text
    roles = known_roles(card.heads if card else None)
    with st.container(key="whole model"):
        st.html(whole_model(recording.config, state.miniatures_of(recording), texts, sizes, roles))
    st.caption(
        _(
            "In each square, rows are queries and columns are keys. Every layer of the decoder "
            "reads the memory."
        )
        + (" " + _("Orange: measured over many sentences.") if roles else "")
    )
