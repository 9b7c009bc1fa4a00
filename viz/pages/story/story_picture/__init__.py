"""The picture of the first page: two sentences, one arc, and the ways on; drawn in the browser."""

import json
from dataclasses import dataclass
from pathlib import Path

from viz.components.component import renderer
from viz.figures import theme
from viz.figures.labels import head_text
from viz.language.text import _
from viz.pages.story.numbers import ShownWord, Story

_ENTRY = Path(__file__).parent / "assets" / "story.js"


@dataclass(frozen=True)
class LessonLink:
    """A lesson as the first page lists it; `model` is the one it shows, if it is another one."""

    title: str
    lead: str
    scenes: int
    link: str
    model: str = ""


def story_picture(
    story: Story,
    pieces: tuple[str, str],
    languages: tuple[str, str] | None,
    lessons: tuple[LessonLink, ...],
    follow: str,
    own: str,
) -> None:
    """Draw the story; `pieces` are the two deciding ones, `follow` and `own` the two ways on.

    `languages` are the codes of both sides, None where they are not known.
    """
    told = {**message(story, pieces, lessons, follow, own), "languages": languages or ("", "")}
    text = json.dumps(told, ensure_ascii=False)
    renderer("story_picture", _ENTRY)(key="story", data={"text": text}, height="content")


def message(
    story: Story, pieces: tuple[str, str], lessons: tuple[LessonLink, ...], follow: str, own: str
) -> dict[str, object]:
    """Return all that the browser needs, both sentences' numbers included."""
    return {
        "words": _words(story),
        "colours": {"query": theme.QUERY, "key": theme.KEY},
        "source": [_word(word) for word in story.source],
        "target": [_word(word) for word in story.target],
        "sentences": list(story.sentences),
        "switch": next(n for n, word in enumerate(story.source) if word.changes),
        "head": {"name": head_name(story)},
        "querySide": story.query_side,
        "keySide": story.key_side,
        "query": story.query,
        "nouns": list(story.nouns),
        "weights": story.weights.round(4).tolist(),
        "likely": [list(chances) for chances in story.likely],
        "pieces": list(pieces),
        "links": {"follow": follow, "own": own},
        "lessons": [
            {
                "title": lesson.title,
                "lead": lesson.lead,
                "scenes": _scenes(lesson),
                "link": lesson.link,
            }
            for lesson in lessons
        ],
    }


def _scenes(lesson: LessonLink) -> str:
    if lesson.model:
        return _("{count} scenes, with {model}").format(count=lesson.scenes, model=lesson.model)
    return _("{count} scenes").format(count=lesson.scenes)


def head_name(story: Story) -> str:
    """Name the head as on all pages: cross 5.6."""
    return head_text(story.swing.kind, story.swing.layer, story.swing.head)


def _word(word: ShownWord) -> dict[str, object]:
    return {"texts": list(word.texts), "spaced": word.spaced, "pieces": list(word.pieces)}


def _words(story: Story) -> dict[str, str]:
    return {
        "name": "Headlight",
        "promise": _("A real Transformer, trained for this page. Every number you see is its own."),
        "figure": _("Two sentences that differ in one word, and where one head looks"),
        "switch": _("The word that differs"),
        "hint": _("change this word"),
        "query": theme.query_axis(),
        "key": theme.key_axis(),
        "reading": _reading(story),
        "weightOf": _("weight of {head} on").format(head=head_name(story)),
        "chanceOf": _("probability of"),
        "follow": _("Follow it through the model"),
        "own": _("Try your own sentence"),
        "caution": _caution(story).format(head=head_name(story)),
        "lessons": _("Lessons"),
    }


def _reading(story: Story) -> str:
    """Return the caption; the browser fills in the numbers of the sentence that is shown."""
    if story.nouns[0] == story.nouns[1]:
        if story.query_side == "source":
            return _("From *{word}*, head *{head}* looks at *{one}* with weight *{first}*.")
        return _("To write *{word}*, head *{head}* looks at *{one}* with weight *{first}*.")
    if story.query_side == "source":
        return _(
            "From *{word}*, head *{head}* looks at *{one}* with weight *{first}*, "
            "and at *{other}* with *{second}*."
        )
    return _(
        "To write *{word}*, head *{head}* looks at *{one}* with weight *{first}*, "
        "and at *{other}* with *{second}*."
    )


def _caution(story: Story) -> str:
    if story.nouns[0] == story.nouns[1]:
        return _(
            "Of all heads, {head} gives the word that differs the most weight in both sentences. "
            "That is where it looks, not yet why the model decides."
        )
    return _(
        "Of all heads, {head} moves the most weight from one of these words to the other when the "
        "sentence changes. That is where it looks, not yet why the model decides."
    )
