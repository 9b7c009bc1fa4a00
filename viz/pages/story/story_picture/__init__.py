"""The picture of the first page, drawn in the browser: two sentences, arcs, and links onward."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from model.interventions import link_text
from model.interventions.attention import TurnAttention
from model.words import WORD_START
from viz.components.answer import refuse, whole
from viz.components.component import renderer
from viz.compute import examples
from viz.compute.cuts import OtherHead, TurnedLine
from viz.figures import theme
from viz.language.text import _
from viz.link import address
from viz.link.to_head import link_to_head
from viz.pages.story.numbers import Arc, ShownTurn, ShownWord, Story, spoken
from viz.pages.story.story_picture import texts

ENTRY = Path(__file__).parent / "assets" / "story.js"

PAIR = "first", "second"
"""The parameters of a link for a visitor's own two sentences."""

LINKED = {"shown": "shown", "changed": "changed", "turned": "turned"}
"""The choices that the browser writes into the link, by the names of their parameters."""


KEY = "story"
LONGEST = 2_000
"""The most characters of both sentences that a browser sends."""


@dataclass(frozen=True)
class Answer:
    """An answer to two sentences, by its number; `problem` is the reason against them, or ""."""

    number: int = 0
    problem: str = ""


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


def picture_text(story: Story, pieces: tuple[str, str], around: Mapping[str, object]) -> str:
    """Return the story's message; `pieces` are the deciding pieces, `around` is its `frame`."""
    told = {
        **message(story, pieces),
        **around,
        "turnedLinks": [_turned_links(arc, story) for arc in story.arcs],
        "alike": [[_alike(arc, story, shown) for shown in (0, 1)] for arc in story.arcs],
        "link": LINKED,
    }
    return json.dumps(told, ensure_ascii=False)


def story_picture(
    text: str,
    answer: Answer,
    line: Mapping[str, object] | None,
    on_pair: Callable[[], None],
    on_line: Callable[[], None],
) -> None:
    """Draw the story of a `picture_text`.

    When the visitor sends two sentences, `on_pair` is called, and `sent_pair` returns them;
    `answer` is the last answer to them. When a grey line is turned, `on_line` is called, and
    `sent_line` tells which; `line` is the `line_message` of the last one.
    """
    said = address.parameters()
    asked = "&".join(said.get(name, "") for name in LINKED.values())  # another link, another look
    about = {"answer": answer.number, "problem": answer.problem, "line": line}
    data = {"text": text, "asked": asked, **about}
    renderer("story_picture", ENTRY)(
        key=KEY, data=data, on_pair_change=on_pair, on_line_change=on_line, height="content"
    )


def sent_line(story: Story) -> tuple[int, TurnAttention] | None:
    """Return the sentence, 0 or 1, and the turn of the line that the visitor dragged.

    None, and a notice, if the story has no such line.
    """
    sent: Any = st.session_state[KEY].line
    number, edit = sent if isinstance(sent, list) and len(sent) == 2 else (None, None)
    place = whole(number)
    lines = story.lines[place] if place in (0, 1) else ()
    for turn in (turn for line in lines for turn in line if turn):
        if place is not None and edit == link_text.write([turn]):
            return place, turn
    refuse()
    return None


def line_message(
    number: int, turned: TurnedLine, own: Sequence[str], texts: tuple[str, ...] | None
) -> dict[str, object]:
    """Return the result of a turned line; `own` is the translation without it, as pieces.

    `texts` are those of the new translation in the story's words, None if it has others.
    """
    changed = tuple(turned.written) != tuple(own)
    return {
        "number": number,
        "edit": link_text.write([turned.intervention]),
        "pieces": [piece.strip(WORD_START) or piece for piece in turned.pieces],
        "before": [round(share, 8) for share in turned.before],
        "likely": [round(share, 8) for share in turned.likely],
        "other": round(turned.other, 4),
        "onKeys": [[round(weight, 4) for weight in weights] for weights in turned.weights],
        "texts": list(texts) if changed and texts else None,
        "translation": spoken(turned.written) if changed and texts is None else "",
    }


def sent_pair() -> tuple[str, str] | None:
    """Return the two sentences that the visitor sent; None, and a notice, if they make no sense."""
    sent: Any = st.session_state[KEY].pair
    texts_sent = isinstance(sent, list) and all(isinstance(one, str) for one in sent)
    if not texts_sent or len(sent) != 2 or sum(map(len, sent)) > LONGEST:
        refuse()
        return None
    return sent[0], sent[1]


def frame(
    trained: bool,
    shipped: bool,
    lessons: tuple[LessonLink, ...],
    follow: str,
    own: str,
    more: tuple[tuple[str, str], ...] = (),
) -> dict[str, object]:
    """Return what is around any story of the model in force: texts, colours, links and pairs.

    `trained` tells that the model was trained so that the drawn link decides, `shipped` that it
    comes with this program. `follow` and `own` are the links onward, `more` are others, each
    with its text.
    """
    return {
        "words": texts.words(shipped),
        "trained": trained,
        "languages": examples.languages() or ("", ""),
        "pairs": [
            {"name": pair.name, "first": pair.first, "second": pair.second}
            for pair in examples.current().pairs
        ],
        "colours": {"query": theme.QUERY, "key": theme.KEY},
        "links": {"follow": follow, "own": own, "more": more},
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
        "lines": [
            [[turn and link_text.write([turn]) for turn in line] for line in side]
            for side in story.lines
        ],
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


def _also(head: OtherHead) -> dict[str, object]:
    return {
        "layer": head.layer,
        "head": head.head,
        "weight": round(head.weight, 4),
        "likely": [round(share, 8) for share in head.likely],
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
        "also": [[_also(other) for other in side] for side in arc.also],
        "turns": [[turn and _turn(turn) for turn in side] for side in arc.turns],
    }
