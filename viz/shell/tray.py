"""The tray of interventions: they are named in words and in groups, and each can be undone."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import streamlit as st

from model.interventions import link_text
from model.interventions.base import Intervention
from model.interventions.blocks import (
    LeaveOutNorm,
    LeaveOutReLU,
    LeaveOutResidual,
    LeaveOutSublayer,
    SkipLayer,
    SublayerIntervention,
    ZeroUnit,
)
from model.interventions.heads import MODE_WORDS, AblateHead
from model.interventions.link_text import Group
from model.interventions.masks import BlockAttention, HideSource, LiftMask
from model.interventions.positions import ScalePositions
from model.interventions.scale import ClampScores, ScaleScores, Unscale
from model.results import Run
from model.sites.sites import KINDS, STACKS, SUBLAYERS
from model.words import is_mute, words_of
from viz.figures.labels import kind_names, sublayer_names
from viz.figures.letters import STAGE
from viz.language.text import _, _n
from viz.language.wording import escaped, listed
from viz.link import edits
from viz.shell.intervention_words import group_words, said

MOST, MOST_ON_STAGE = 3, 2
"""The most chips that are shown; older ones are in a menu such as "+2"."""

NAMED = 3
"""The most masked words that are named one by one."""


@dataclass(frozen=True)
class Changes:
    """Interventions that belong together, such as all masked words, in the groups of a link."""

    groups: tuple[Group, ...]

    @property
    def all(self) -> tuple[Intervention, ...]:
        """Return all interventions of the groups."""
        return tuple(intervention for group in self.groups for intervention in group)


def show_tray(run: Run, always: bool) -> None:
    """Draw a chip for interventions that belong together, and the button that undoes all.

    If nothing is changed, nothing is drawn, or a line that says so if `always`. Style sheets give a
    tray that always stands a line of its own, and another one room beside the title.
    """
    trays = trayed(edits.in_force(run.left_out))
    if not trays and not always:
        return
    key = "edits row" if always else "edits row beside"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
        if not trays:
            st.caption(_("Nothing is changed yet: the model is as it was trained."))
            return
        st.markdown(
            f":orange-badge[:material/science: {_('The model is changed')}]", width="content"
        )
        shown = MOST_ON_STAGE if st.session_state.get(STAGE) else MOST
        older, newer = trays[:-shown], trays[-shown:]
        if older:
            with st.popover(f"+{len(older)}", width="content", key="older changes"):
                for changes in older:
                    for group in changes.groups:
                        _chip(run, group)
        for changes in newer:
            if len(changes.groups) == 1:
                _chip(run, changes.groups[0])
            else:
                _several(run, changes)
        st.button(
            _("Reset all"),
            key="reset edits",
            type="primary",
            icon=":material/restart_alt:",
            on_click=edits.set_interventions,
            args=((),),
        )


def trayed(interventions: Sequence[Intervention]) -> list[Changes]:
    """Gather the interventions that belong together; the newest come last."""
    age = {intervention: index for index, intervention in enumerate(interventions)}
    families: dict[Hashable, list[Group]] = {}
    for group in link_text.groups(interventions):
        families.setdefault(_family(group), []).append(group)
    trays = [Changes(tuple(groups)) for groups in families.values()]
    return sorted(trays, key=lambda changes: max(age[each] for each in changes.all))


def words(run: Run, changes: Changes) -> str:
    """Say in a few words what interventions that belong together do."""
    first, count = changes.all[0], len(changes.all)
    if len(changes.groups) == 1:
        return group_words(changes.groups[0], run.recording.config, run.source.tokens)
    match first:
        case AblateHead():
            return _("{count} {kind} heads off ({mode})").format(
                count=count, kind=kind_names()[first.kind], mode=said(MODE_WORDS[first.mode])
            )
        case HideSource():
            return _masked_out(run, changes)
        case SublayerIntervention():
            return _parts(run, first, count)
        case LiftMask():
            return _("padding mask lifted")
        case ScaleScores() if count == len(KINDS):
            return _("all scores times {factor:g}").format(factor=first.factor)
        case Unscale() if count == len(KINDS):
            return _("no score divided by √dₖ")
        case ScalePositions(_, 0):
            return _("all positions zeroed")
        case SkipLayer():
            return _n("{count} layer skipped", "{count} layers skipped", count).format(count=count)
        case LeaveOutReLU():
            return _n("{count} layer without ReLU", "{count} layers without ReLU", count).format(
                count=count
            )
        case ZeroUnit():
            return _n("{count} unit set to 0", "{count} units set to 0", count).format(count=count)
        case BlockAttention():
            told = _n("{count} link forbidden", "{count} links forbidden", count)
            return told.format(count=count)
    both = (group_words(each, run.recording.config, run.source.tokens) for each in changes.groups)
    return listed(both)


def _family(group: Group) -> Hashable:
    """Return a key that is the same for all groups that belong together with this one."""
    match group[0]:
        case AblateHead() as off:
            return AblateHead, off.kind, off.mode
        case SublayerIntervention() as part:
            return type(part), part.sublayer
        case LiftMask() as lift:
            return LiftMask, lift.kind == "decoder"
        case ScaleScores() | ScalePositions() as scaled:
            return type(scaled), scaled.factor
        case ClampScores() as clamped:
            return ClampScores, clamped.limit
        case HideSource() | SkipLayer() | LeaveOutReLU() | ZeroUnit() as one:
            return type(one)
        case BlockAttention() | Unscale() as one:
            return type(one)
    return group


def _masked_out(run: Run, changes: Changes) -> str:
    """Say which words are masked, or how many, or that all are."""
    tokens = run.source.tokens
    every = sum(not is_mute(tokens[word.first]) for word in words_of(tokens))
    if len(changes.groups) == every:
        return _("all words masked out")
    if len(changes.groups) > NAMED:
        return _("{count} words masked out").format(count=len(changes.groups))
    hidden = [mask for mask in changes.all if isinstance(mask, HideSource)]
    masked = [
        word.text
        for mask in sorted(hidden, key=lambda mask: mask.first)
        for word in words_of(tokens)
        if mask.first <= word.first <= mask.last
    ]
    named = " ".join(_("“{word}”").format(word=text) for text in masked)
    return _("{words} masked out").format(words=named)


def _parts(run: Run, first: SublayerIntervention, count: int) -> str:
    """Say which part is left out: in one layer, in how many layers, or in all that have it."""
    config = run.recording.config
    every = sum(config.layers(stack) for stack in STACKS if first.sublayer in SUBLAYERS[stack])
    sublayer = sublayer_names()[first.sublayer]
    told: dict[type[SublayerIntervention], str] = {
        LeaveOutSublayer: _("{sublayer} left out of {count} layers"),
        LeaveOutResidual: _("no residual around {sublayer} in {count} layers"),
        LeaveOutNorm: _("no norm after {sublayer} in {count} layers"),
    }
    told_of_all: dict[type[SublayerIntervention], str] = {
        LeaveOutSublayer: _("{sublayer} left out of all layers"),
        LeaveOutResidual: _("no residual around {sublayer} in any layer"),
        LeaveOutNorm: _("no norm after {sublayer} in any layer"),
    }
    text = (told_of_all if count == every else told)[type(first)]
    return text.format(sublayer=sublayer, count=count)


def _chip(run: Run, group: Group) -> None:
    """Draw the button that undoes a group, with escaped words: they may be a stranger's."""
    st.button(
        f"{escaped(group_words(group, run.recording.config, run.source.tokens))} ✕",
        key=f"chip {link_text.write_group(group)}",
        on_click=edits.remove_interventions,
        args=(group,),
    )


def _several(run: Run, changes: Changes) -> None:
    """Draw a chip that opens, to undo each group alone or all of them."""
    name = link_text.write_group(changes.groups[0])
    with st.popover(escaped(words(run, changes)), width="content", key=f"chips {name}"):
        st.button(
            _("Undo all of these"),
            key=f"undo {name}",
            icon=":material/restart_alt:",
            on_click=edits.remove_interventions,
            args=(changes.all,),
        )
        for group in changes.groups:
            _chip(run, group)
