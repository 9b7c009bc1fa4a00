"""The picture of the first page, drawn in the browser: two sentences, arcs, and links onward."""

import json
from dataclasses import dataclass
from pathlib import Path

from model.interventions import link_text
from viz.components.component import renderer
from viz.figures import theme
from viz.language.text import _
from viz.link import address
from viz.link.to_head import link_to_head
from viz.pages.story.numbers import Arc, ShownTurn, ShownWord, Story
from viz.pages.story.story_picture import texts

ENTRY = Path(__file__).parent / "assets" / "story.js"

LINKED = {"shown": "shown", "changed": "changed", "turned": "turned"}
"""What the browser writes into the link, and the names of its parameters."""


@dataclass(frozen=True)
class LessonLink:
    """A lesson in the list of the first page; `model` is the model that it needs, if not in force.

    The browser remembers finished lessons by `name`; `minutes` are 0 if unknown.
    """

    name: str
    title: str
    lead: str
    scenes: int
    link: str
    model: str = ""
    minutes: int = 0


def story_picture(
    story: Story,
    pieces: tuple[str, str],
    trained: bool,
    shipped: bool,
    languages: tuple[str, str] | None,
    lessons: tuple[LessonLink, ...],
    follow: str,
    own: str,
) -> None:
    """Draw the story; `pieces` are the two deciding pieces, `follow` and `own` the links onward.

    `trained` is True if the model was trained so that the drawn link decides, `shipped` if it comes
    with this program. `languages` are the codes of both sides, None if unknown.
    """
    told = {
        **message(story, pieces),
        **frame(trained, shipped, languages, lessons, follow, own),
        "turnedLinks": [_turned_links(arc, story) for arc in story.arcs],
        "alike": [[_alike(arc, story, shown) for shown in (0, 1)] for arc in story.arcs],
        "link": LINKED,
    }
    said = address.parameters()
    asked = "&".join(
        said.get(name, "") for name in LINKED.values()
    )  # other links have another look
    data = {"text": json.dumps(told, ensure_ascii=False), "asked": asked}
    renderer("story_picture", ENTRY)(key="story", data=data, height="content")


def frame(
    trained: bool,
    shipped: bool,
    languages: tuple[str, str] | None,
    lessons: tuple[LessonLink, ...],
    follow: str,
    own: str,
) -> dict[str, object]:
    """Return what is around any story of a model: the table of texts, colours and links."""
    return {
        "words": texts.words(shipped),
        "trained": trained,
        "languages": languages or ("", ""),
        "colours": {"query": theme.QUERY, "key": theme.KEY},
        "links": {"follow": follow, "own": own},
        "lessons": [
            {
                "name": lesson.name,
                "title": lesson.title,
                "lead": lesson.lead,
                "scenes": _scenes(lesson),
                "start": _start(lesson) if place == 0 else "",
                "link": lesson.link,
            }
            for place, lesson in enumerate(lessons)
        ],
    }


def message(story: Story, pieces: tuple[str, str]) -> dict[str, object]:
    """Return the numbers of both sentences under every combination of changes."""
    return {
        "source": [_word(word) for word in story.source],
        "target": [_word(word) for word in story.target],
        "sentences": list(story.sentences),
        "switch": next(n for n, word in enumerate(story.source) if word.changes),
        "arcs": [_arc(arc, story) for arc in story.arcs],
        "carried": story.carried,
        "likely": story.likely.round(8).tolist(),
        "others": story.others.round(4).tolist(),
        "written": [list(side) for side in story.written],
        "translations": [
            [text if version is None else "" for text, version in zip(*side, strict=True)]
            for side in zip(story.translations, story.written, strict=True)
        ],
        "pieces": list(pieces),
    }


def _alike(arc: Arc, story: Story, shown: int) -> str:
    """Return the link to other places of the corpus where the head of an arc looks like this.

    The key is the word with the largest weight in sentence `shown`.
    """
    words = {"source": story.source, "target": story.target}
    query = words[arc.query_side][arc.query].pieces[shown]
    strongest = arc.keys[int(arc.on_keys[shown, 0].argmax())]
    key = words[arc.key_side][strongest].pieces[shown]
    if query is None or key is None:
        return ""
    # Row t of the decoder writes piece t of the translation, whose key is at t + 1.
    later = int(arc.head.kind == "decoder")
    return link_to_head("atlas", story.sentences[shown], arc.head, query[0], key[0] + later)


def _turned_links(arc: Arc, story: Story) -> list[list[str]]:
    """Return the links to the page about attention with each turn of an arc, "" for none."""
    links = []
    for sentence, turns in zip(story.sentences, arc.turns, strict=True):
        interventions = [[turn.intervention] if turn else [] for turn in turns]
        links.append(
            [
                link_to_head("attention", sentence, arc.head, turn[0].query, changes=turn)
                if turn
                else ""
                for turn in interventions
            ]
        )
    return links


def _scenes(lesson: LessonLink) -> str:
    said = [_("{count} scenes").format(count=lesson.scenes)]
    if lesson.minutes:
        said.append(_("{minutes} minutes").format(minutes=lesson.minutes))
    if lesson.model:
        said.append(_("with {model}").format(model=lesson.model))
    return " · ".join(said)


def _start(lesson: LessonLink) -> str:
    if not lesson.minutes:
        return _("Start here")
    return _("Start here, {minutes} minutes").format(minutes=lesson.minutes)


def _word(word: ShownWord) -> dict[str, object]:
    return {"texts": list(word.texts), "spaced": word.spaced, "pieces": list(word.pieces)}


def _turn(turn: ShownTurn) -> dict[str, object]:
    return {
        "edit": link_text.write([turn.intervention]),
        "likely": [round(share, 8) for share in turn.likely],
        "other": round(turn.other, 4),
        "onKeys": [[round(weight, 4) for weight in weights] for weights in turn.on_keys],
        "written": turn.written,
        "translation": turn.translation,
    }


def _arc(arc: Arc, story: Story) -> dict[str, object]:
    """Return an arc; it can be cut if there is any combination of changes."""
    return {
        "kind": arc.head.kind,
        "layer": arc.head.layer,
        "head": arc.head.head,
        "querySide": arc.query_side,
        "keySide": arc.key_side,
        "query": arc.query,
        "keys": list(arc.keys),
        "weights": arc.weights.round(4).tolist(),
        "onKeys": arc.on_keys.round(4).tolist(),
        "cuttable": story.likely.shape[1] > 1,
        "turns": [[turn and _turn(turn) for turn in side] for side in arc.turns],
    }
