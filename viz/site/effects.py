"""The message of the pages that change the model, as the model in the page makes it.

`viz/live/messages/effect.js` makes the same from its own runs; a test holds it to this one.
"""

from collections.abc import Sequence

from model.interventions import link_text
from model.interventions.base import Intervention
from model.interventions.heads import MODES, AblateHead
from model.interventions.masks import HideSource, LiftMask, PadSource
from model.results import Run
from model.sites.sites import KINDS, Head
from viz.components import head_board, head_picker, miniatures
from viz.components.message import quantise
from viz.compute import effects, runs
from viz.compute.effects import Effect
from viz.effect import alone, difference
from viz.effect.effect import (
    attention_texts,
    change_in_nats,
    is_likelihood_seen,
    likelihood_titles,
    outcome_of,
)
from viz.effect.likelihood import change_names, three_colours
from viz.effect.moved import MOST, most_moved, moved_texts
from viz.effect.outcome import Outcome
from viz.figures.labels import kind_names
from viz.figures.theme import (
    DARK,
    KEY,
    KIND_COLOURS,
    LIGHT,
    QUERY,
    key_axis,
    query_axis,
    token_text,
)
from viz.language.text import _
from viz.link import edits
from viz.pages.lab_heads import heads
from viz.pages.lab_heads.experiments import experiments
from viz.pages.lab_masks import mask_board, masks
from viz.pages.lab_masks.experiments import MOST_PADDING
from viz.pages.lab_masks.experiments import experiments as lab_masks_experiments
from viz.site.messages import Drawn

_THEMES = (LIGHT, DARK)
_CHANGES = ("fall", "rise", "same")
_OF_LINKS = ("queries", "keys", "weights", "masked", "forbidden")
"""The data of the mask board that belong to one head; the rest is the same for all heads of a kind.
"""


def lab_heads(sentence: str, view: Head) -> Drawn:
    """Return the message with which a sentence opens on the page about heads, at a head."""
    config = runs.translator().config
    offered = experiments(None, config, "zero")
    foreseen = next(one.changes for one in offered if one.foreseen and one.changes)
    drawn = effect_message(sentence, (), foreseen)
    lab = {**_boards(view), "least": heads.least_title(), "experiments": _experiments()}
    return Drawn({**drawn.header, "lab": lab}, drawn.body)


def lab_masks(sentence: str, view: Head) -> Drawn:
    """Return the message with which a sentence opens on the page about masks, at a head."""
    drawn = effect_message(sentence, (), view=view)
    lab = {**_boards(view), **_masks(sentence)}
    return Drawn({**drawn.header, "lab": lab}, drawn.body)


def effect_message(
    sentence: str,
    interventions: tuple[Intervention, ...],
    foreseen: tuple[Intervention, ...] = (),
    step: int | None = None,
    view: Head | None = None,
    shown: Head | None = None,
) -> Drawn:
    """Return the outcome of changes, or of those `foreseen`, and the boards of all heads.

    For a `view` it also has the links of that head, and what the controls of masks show. The
    difference of attention is that of the head that is `shown`, or else of the one that moved most.
    """
    effect = effects.effect(sentence, interventions)
    coming = effects.effect(sentence, foreseen) if foreseen else effect
    recording = effect.forced
    boards = heads.boards(interventions, recording.config)
    tiles = [miniatures.tiled(recording.attention(kind)) for kind in KINDS]
    masked = _masked(effect.after, view, interventions) if view else {}
    header = {
        **masked,
        "sentence": effect.before.source.text,
        "source": effect.before.source.tokens,
        "outcome": {**numbers(outcome_of(coming, step)), "foreseen": bool(foreseen)},
        "likely": _likely(effect) if is_likelihood_seen(effect) else None,
        "difference": _difference(effect, interventions, shown) if effect.changed else None,
        "boards": [{"kind": board.kind, "off": board.off} for board in boards],
        "arrays": [
            [kind, tile.itemsize, list(tile.shape)] for kind, tile in zip(KINDS, tiles, strict=True)
        ],
    }
    return Drawn(header, b"".join(tile.tobytes() for tile in tiles))


def _masked(run: Run, view: Head, interventions: Sequence[Intervention]) -> dict[str, object]:
    left_out = set(run.left_out)
    links = masks.links_of(
        run.recording, view, [one for one in interventions if one not in left_out]
    )
    source, hidden = run.source, edits.of_kind(interventions, HideSource)
    pieces, spans = len(source.ids), {(one.first, one.last) for one in hidden}
    longest = min(pieces + MOST_PADDING, runs.translator().max_tokens)
    padded = (one.length for one in edits.of_kind(interventions, PadSource))
    words = tuple(HideSource(*word.span) for word in masks.words(source.tokens))
    offered = lab_masks_experiments(run, words, None, None, runs.translator().max_tokens)
    return {
        "links": {
            "view": _place(view),
            "queries": list(links.queries),
            "keys": list(links.keys),
            "weights": quantise(links.weights).tolist(),
            "masked": links.masked.astype(int).tolist(),
            "forbidden": links.forbidden.astype(int).tolist(),
        },
        "controls": {
            "words": [
                {"text": word.text, "span": list(word.span), "hidden": word.span in spans}
                for word in masks.words(source.tokens)
            ],
            "lookAhead": masks.look_ahead(interventions),
            "padding": not any(
                one.kind != "decoder" for one in edits.of_kind(interventions, LiftMask)
            ),
            "pieces": pieces,
            "longest": longest,
            "length": min(max(0, *padded, pieces), longest),
        },
        "edits": [one.changes and link_text.write(one.changes) for one in offered],
    }


def _difference(
    effect: Effect, interventions: Sequence[Intervention], shown: Head | None
) -> dict[str, object]:
    """Return how the attention of a head changes, and the heads that moved most."""
    shares = {kind: effect.moved(kind) for kind in KINDS}
    moved = most_moved(shares)[:MOST]
    view = shown or (moved[0][1] if moved else None)
    told: dict[str, object] = {
        "view": view and _place(view),
        "shares": {kind: own.tolist() for kind, own in shares.items()},
        "moved": [{"share": share, **_place(head)} for share, head in moved],
        **dict.fromkeys(("change", "queries", "keys")),
        "off": any(
            Head(one.kind, one.layer, one.head) == view
            for one in edits.of_kind(interventions, AblateHead)
        ),
    }
    if view is None:
        return told
    change = effect.attention_change(view.kind)[view.layer, view.head]
    queries, keys = effect.forced.tokens(view.kind)
    seen = difference.rows(change) if difference.is_seen(change) else None
    return {**told, "change": seen, "queries": list(queries), "keys": list(keys)}


def _likely(effect: Effect) -> dict[str, object]:
    """Return the probability of each piece of the translation before, in both models."""
    return {
        "pieces": [token_text(piece) for piece in effect.pieces],
        "before": effect.likely_before.tolist(),
        "after": effect.likely_after.tolist(),
        "ahead": effect.ahead,
    }


def _place(view: Head) -> dict[str, object]:
    return {"kind": view.kind, "layer": view.layer, "head": view.head}


def numbers(shown: Outcome) -> dict[str, object]:
    """Return an outcome without its words."""
    return {
        "texts": list(shown.texts),
        "logs": list(shown.log_probs),
        "piece": vars(shown.decision.piece),
        "rival": vars(shown.decision.rival),
        "beside": [vars(one) for one in shown.beside],
        "changed": shown.changed,
        "ahead": shown.ahead,
        "blanks": shown.blanks,
    }


def _boards(view: Head) -> dict[str, object]:
    """Return what the boards of every sentence have in common, in both themes.

    A head that no link names is `view`.
    """
    config = runs.translator().config
    layers = {kind: config.layers(kind) for kind in KINDS}
    return {
        "picker": head_picker.Boards(layers, config.heads, ("encoder", 0, 0)).data(),
        "view": _place(view),
        "difference": _difference_words(),
        "boards": {
            theme.name: head_board.message([], theme, change_in_nats()) for theme in _THEMES
        },
        "scale": {theme.name: [list(stop) for stop in theme.sequential] for theme in _THEMES},
        "kinds": {
            kind: {"title": kind_names()[kind], "colour": KIND_COLOURS[kind]} for kind in KINDS
        },
        "largest": _("largest: {head}"),
        "colours": [QUERY, KEY],
        "modes": heads.mode_names(),
        "modesLabel": _("What off means"),
        "clicks": {"toggle": _("switches off or on"), "only": _("keeps only this")},
        "clicksLabel": _("A click"),
        "pictures": _(
            "Each picture shows what a head looks at: a row for each query, a column for each key."
        ),
        "frames": _(
            "The frame shows how the translation's log-probability changes without that head alone."
        ),
        "measuring": _("Switching every head off alone"),
        "likelihoods": {
            "titles": likelihood_titles(),
            "names": {
                "before": _("before"),
                **dict(zip(_CHANGES, change_names(), strict=True)),
            },
            "axis": _("probability"),
            "colours": {
                theme.name: dict(zip(_CHANGES, three_colours(theme), strict=True))
                for theme in _THEMES
            },
        },
        "most": alone.MOST_PIECES,
    }


def _difference_words() -> dict[str, object]:
    """Return the words and colours of the difference of a head's attention."""
    axes = [difference.after_reading(), query_axis(), key_axis()]
    return {
        **attention_texts(),
        "moved": moved_texts(),
        "axes": axes,
        "cell": [_("query"), _("key"), _("change")],
        "scale": {theme.name: [list(stop) for stop in theme.diverging] for theme in _THEMES},
        "frames": {theme.name: [list(stop) for stop in theme.moved] for theme in _THEMES},
    }


def _masks(sentence: str) -> dict[str, object]:
    """Return the words of the controls of masks, and what their boards have in common."""
    run = runs.run(sentence)
    words = tuple(HideSource(*word.span) for word in masks.words(run.source.tokens))
    offered = lab_masks_experiments(run, words, None, None, runs.translator().max_tokens)
    views = {kind: masks.links_of(run.recording, Head(kind, 0, 0), ()) for kind in KINDS}
    return {
        "experiments": [{"name": one.name, "doing": one.doing} for one in offered],
        "mask": {
            theme.name: {
                kind: {
                    name: value
                    for name, value in mask_board.message(links, theme).items()
                    if name not in _OF_LINKS
                }
                for kind, links in views.items()
            }
            for theme in _THEMES
        },
        "lead": _(
            "**{head}.** Click or drag cells: the query of that row can no longer look at that key."
        ),
        "hatched": _("Hatched: **{count} of {all} links** are hidden"),
        "lookAhead": [_("Look-ahead mask"), masks.look_ahead_names()],
        "padding": _("Padding mask"),
        "paddings": {"on": _("as trained"), "off": _("lifted")},
        "length": _("Pad the sentence to this many pieces"),
        "words": _("Mask a word out of the source"),
        "scope": [
            _("The next click forbids in"),
            {
                "head": _("this head"),
                "layer": _("all heads of the layer"),
                "all": _("all layers"),
            },
        ],
        "refused": _(
            "Not done: in {head}, the query “{query}” (number {number}) would have nothing left "
            "to look at."
        ),
    }


def _experiments() -> list[dict[str, object]]:
    """Return the experiments, each with its edits in each mode; None if they must be measured."""
    config = runs.translator().config
    by_mode = {mode: experiments(None, config, mode) for mode in MODES}
    return [
        {
            "name": one.name,
            "doing": one.doing,
            "foreseen": one.foreseen,
            "edits": {
                mode: link_text.write(changes) if (changes := own[at].changes) else None
                for mode, own in by_mode.items()
            },
        }
        for at, one in enumerate(by_mode["zero"])
    ]
