"""The page of the site about one head: how it opens, and its words."""

from collections.abc import Mapping
from typing import cast

from model.sites.sites import KINDS, Head
from model.words import SPECIAL_TOKENS, is_mute
from viz.components.head_links import head_link_texts
from viz.components.head_picker import Boards
from viz.components.message import pack
from viz.components.miniatures import tiled
from viz.compute import ancestors, examples, openings, runs
from viz.figures.theme import DARK, LIGHT, QUERY, query_axis
from viz.figures.weights import entropy
from viz.language.text import _
from viz.pages.head import numbers, panels
from viz.pages.head.chain_view import finding_texts
from viz.pages.head.head_chain import colours, message
from viz.pages.head.reading import picture, read
from viz.site.messages import Drawn, drawn


def head(sentence: str) -> Drawn:
    """Return the chain of the head that a sentence opens at, the boards, and all their words."""
    run, opened = runs.run(sentence), opens(sentence)
    look = cast(Mapping[str, object], opened["mixes"] or opened["first"])
    kind = next(kind for kind in KINDS if kind == look["kind"])
    view = Head(kind, int(str(look["layer"])), int(str(look["head"])))
    query = int(str(look["query"]))
    sublayer, recorded = read(run.recording, view)
    chain = numbers.chain(sublayer, recorded, view.head, query)
    shown = drawn(message(picture(run, view, sublayer, chain, query), LIGHT), deflated=False)
    tiles = {f"tiles {of}": tiled(run.recording.attention(of)) for of in KINDS}
    boards = drawn(pack({}, tiles), deflated=False)
    queries, _keys = run.recording.tokens(kind)
    config = run.recording.config
    layers = {of: config.layers(of) for of in KINDS}
    header = {
        **shown.header,
        "arrays": [*_arrays(shown), *_arrays(boards)],
        "place": {**look},
        "mixes": bool(opened["mixes"]),
        "isOther": False,
        "special": [is_mute(token) for token in queries],
        "divides": sublayer.divides(view.head, query),
        "entropy": [entropy(chain.weights)] * 2,
        "sentence": sentence,
        "themes": {theme.name: colours(theme) for theme in (LIGHT, DARK)},
        "scales": {theme.name: theme.sequential for theme in (LIGHT, DARK)},
        "picker": Boards(layers, config.heads, (kind, view.layer, view.head), folded=True).data(),
        "links": head_link_texts(),
        "row": {"label": query_axis(), "colour": QUERY},
        "texts": {
            **panels.texts(),
            **finding_texts(),
            "writing": _("writing {word}"),
            "end": SPECIAL_TOKENS[2],
        },
    }
    return Drawn(header, shown.body + boards.body)


def _arrays(one: Drawn) -> list[object]:
    return list(cast(list[object], one.header["arrays"]))


def opens(sentence: str) -> dict[str, object]:
    """Return where a sentence opens: the place that mixes most, if any, and the clearest one."""
    first, mixing = openings.opening(sentence), next(iter(openings.mixing(sentence)), None)
    layer, number = first.head(first.kind)
    return {
        "mixes": dict(vars(mixing)) if mixing else None,
        "first": {"kind": first.kind, "layer": layer, "head": number, "query": first.query},
        "word": first.word,
        "step": first.step,
    }


def told() -> dict[str, object]:
    """Return what the page needs to know of the model: its aligned head, and the story's words."""
    story = examples.current().story
    return {"aligned": ancestors.best_aligned(), "story": list(story.source) if story else []}
