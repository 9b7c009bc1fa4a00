"""The ten pictures for slides: attention, what heads take, and what interventions do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from model.interventions import link_text
from model.interventions.base import Intervention
from model.interventions.blocks import LeaveOutReLU, LeaveOutSublayer
from model.interventions.heads import AblateHead
from model.interventions.masks import LiftMask
from model.interventions.positions import ScalePositions
from model.sites.sites import KINDS, Head
from viz.compute import pairs, runs, swings
from viz.compute.runs import Subject
from viz.compute.taken import sink, taken
from viz.figures.theme import KEY, LIGHT, QUERY, token_text
from viz.language.text import _
from viz.notebook.explorer import Explorer
from viz.notebook.paper.attention import Choice, View, attention_picture
from viz.notebook.paper.picture import Box, Mark, Picture, Words
from viz.shell.intervention_words import group_words
from viz.shell.lessons.measures import value

WIDE, MARGIN, MUTED = 1180, 16, "#555867"
DIMENSIONS = 64
"""The number of dimensions of each position that are drawn."""


@dataclass(frozen=True)
class Slide:
    """A picture for a slide, its title, and the path and query of its link."""

    name: str
    title: str
    link: str
    picture: Picture


def slides() -> list[Callable[[], Slide]]:
    """Return the functions that draw the slides.

    Each raises ValueError if the model in force has no such slide.
    """
    return [
        lambda: _decides("first"),
        lambda: _decides("second"),
        _pair,
        _all_heads,
        _row,
        _ahead,
        _sink,
        _positions,
        _without_head,
        _changes,
    ]


def _link(page: str, **parameters: object) -> str:
    return f"/{page}?{urlencode(parameters)}"


def _at(head: Head) -> dict[str, object]:
    return {"kind": head.kind, "layer": head.layer + 1, "head": head.head + 1}


def _deciding() -> Head:
    swing = swings.swing()
    return Head(swing.kind, swing.layer, swing.head)


def _drawn(
    sentence: str,
    head: Head,
    view: View,
    queries: tuple[int, ...] | None = None,
    whole: bool = False,
) -> Picture:
    """Draw the attention of a head, or of its `whole` layer, in a sentence."""
    explorer = Explorer(runs.run(sentence).recording, runs.translator())
    heads = None if whole else (head.head + 1,)
    return attention_picture(
        explorer.recording, Choice(head.kind, head.layer + 1, heads, view, queries=queries)
    )


def _decides(which: str) -> Slide:
    story, head = swings.story(), _deciding()
    sentence = story.first if which == "first" else story.second
    row = int(value(f"deciding row of the {which} sentence", Subject(sentence)))
    title = f"{_name(head)}: {sentence}"
    link = _link("attention", sentence=sentence, view="lines", lock=f"q{row}", **_at(head))
    return Slide(f"deciding-{which}", title, link, _drawn(sentence, head, "lines", (row,)))


def _name(head: Head) -> str:
    return f"{head.kind} {head.layer + 1}.{head.head + 1}"


def _pair() -> Slide:
    """Draw the probabilities of both choices, for both sentences."""
    story = swings.story()
    pair = pairs.pair(story.first, story.second)
    choices = tuple(piece.strip("▁") for piece in pair.pieces)
    bars = [
        (sentence, choices, side.likely)
        for sentence, side in ((story.first, pair.first), (story.second, pair.second))
    ]
    title = _("One word decides: {first} or {second}").format(first=choices[0], second=choices[1])
    link = _link("story")
    return Slide("choice", title, link, _bars(title, bars))


def _all_heads() -> Slide:
    story, head = swings.story(), _deciding()
    row = int(value("deciding row of the first sentence", Subject(story.first)))
    heads = range(1, runs.translator().config.heads + 1)
    parameters = _at(head) | {"heads": "-".join(map(str, heads))}
    title = _("All heads of a layer, for one word")
    link = _link("attention", sentence=story.first, view="lines", lock=f"q{row}", **parameters)
    return Slide("heads", title, link, _drawn(story.first, head, "lines", (row,), whole=True))


def _row() -> Slide:
    story, head = swings.story(), _deciding()
    title = _("Every row sums to 1")
    link = _link("attention", sentence=story.first, view="matrix", **_at(head))
    return Slide("weights", title, link, _drawn(story.first, head, "matrix"))


def _ahead() -> Slide:
    story = swings.story()
    count = runs.translator().config.layers("decoder")
    head = Head("decoder", count - 1, 0)
    title = _("No piece looks ahead: the mask of the decoder")
    link = _link("attention", sentence=story.first, view="matrix", **_at(head))
    return Slide("mask", title, link, _drawn(story.first, head, "matrix", whole=True))


def _sink() -> Slide:
    """Draw where a head looks, and beside that what it takes from there."""
    story = swings.story()
    recording = runs.run(story.first).recording
    head = sink(recording).head
    explored = Explorer(recording, runs.translator()).recording
    choice = Choice(head.kind, head.layer + 1, (head.head + 1,), "matrix")
    looks = attention_picture(explored, choice)
    shares = {kind: taken(recording, kind) for kind in KINDS}
    encoder, decoder, cross = (shares[kind] for kind in KINDS)
    drawn = replace(explored, encoder=encoder, decoder=decoder, cross=cross)
    takes = attention_picture(drawn, choice)
    title = _("Where a head looks, and what it takes: weight × length of the value")
    link = _link("attention", sentence=story.first, view="matrix", aids="taken", **_at(head))
    return Slide("taken", title, link, beside(title, looks, takes))


def beside(title: str, first: Picture, second: Picture) -> Picture:
    """Return one picture with two pictures side by side."""
    moved = tuple(_right(mark, first.width + 40) for mark in second.marks)
    width = first.width + 40 + second.width
    return Picture(width, max(first.height, second.height), title, (*first.marks, *moved))


def _right(mark: Mark, by: float) -> Mark:
    if isinstance(mark, Box | Words):
        return replace(mark, x=mark.x + by)
    return replace(mark, x0=mark.x0 + by, x1=mark.x1 + by)


def _positions() -> Slide:
    """Draw the first dimensions of the first sentence's positions on the diverging scale."""
    story = swings.story()
    table = runs.run(story.first).recording["encoder.positions"][:, :DIMENSIONS]
    cell, left, top = (WIDE - 120) / table.shape[1], 100, 40
    high = 26
    marks: list[Mark] = [
        Words(left, 24, _("dimension, 1 to {count}").format(count=table.shape[1]), 15, KEY),
    ]
    for row, values in enumerate(table):
        name = token_text(runs.source(story.first).tokens[row])
        marks.append(Words(left - 8, top + row * high + 18, name, 15, QUERY, "end"))
        marks += [
            Box(left + at * cell, top + row * high, cell + 0.3, high + 0.3, _signed(float(number)))
            for at, number in enumerate(values)
        ]
    title = _("Sine and cosine: a vector for each position")
    height = top + high * len(table) + 8
    link = _link("positions", positions="table", sentence=story.first)
    return Slide("positions", title, link, Picture(WIDE, height, title, tuple(marks)))


def _signed(number: float) -> str:
    """Return the colour of a number from -1 to 1 on the diverging scale, as #rrggbb."""
    end = LIGHT.diverging[-1 if number > 0 else 0][1]
    share = min(1.0, abs(number))
    channels = (int(end[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 + (channel - 255) * share):02x}" for channel in channels)


def _without_head() -> Slide:
    """Draw the probabilities of both choices in the first sentence, with and without the head."""
    story, head = swings.story(), _deciding()
    off = AblateHead(head.kind, head.layer, head.head)
    pair = pairs.pair(story.first, story.second)
    choices = tuple(piece.strip("▁") for piece in pair.pieces)
    bars = []
    for label, changes in ((_("as trained"), ()), (_("without {head}"), (off,))):
        subject = Subject(story.first, changes)
        likely = tuple(float(value(f"probability of {word}", subject)) for word in choices)
        bars.append((label.format(head=_name(head)), choices, likely))
    title = _("Looking is not yet deciding: switch it off")
    link = _link("lab_heads", sentence=story.first, edits=link_text.write([off]))
    return Slide("without", title, link, _bars(title, bars))


Bars = Sequence[tuple[str, tuple[str, ...], tuple[float, ...]]]


def _bars(title: str, groups: Bars) -> Picture:
    """Draw groups of bars; a group has a text, and each of its bars a name and a probability."""
    marks: list[Mark] = []
    y, left, long = 24.0, 130, 860
    for text, names, likely in groups:
        marks.append(Words(MARGIN, y, text, 22, LIGHT.text))
        y += 18
        for name, share, colour in zip(names, likely, (QUERY, KEY), strict=True):
            marks += [
                Words(left - 12, y + 30, name, 24, LIGHT.text, "end"),
                Box(left, y, long, 42, "none", "#c9ccd4"),
                Box(left, y, long * share, 42, colour),
                Words(left + long + 14, y + 30, f"{share:.1%}", 24, LIGHT.text),
            ]
            y += 54
        y += 44
    return Picture(WIDE, round(y), title, tuple(marks))


def _changes() -> Slide:
    """Draw the translation of the first sentence under several changes, one at a time."""
    story = swings.story()
    config = runs.translator().config
    asked: list[tuple[Intervention, ...]] = [
        (),
        (ScalePositions("encoder", 0.0),),
        (LiftMask("decoder"),),
        (LeaveOutSublayer("encoder", 2, "ffn"),),
        (LeaveOutReLU("encoder", 2),),
        tuple(
            LeaveOutSublayer("decoder", layer, "cross_attn")
            for layer in range(config.layers("decoder"))
        ),
    ]
    marks: list[Mark] = []
    y = 24.0
    for changes in asked:
        translation = runs.run(story.first, changes).translation.text
        marks += [
            Words(MARGIN, y, _said(story.first, changes), 18, MUTED),
            Words(MARGIN, y + 32, _short(translation), 24, LIGHT.text),
        ]
        y += 86
    title = _("One sentence, one change at a time")
    link = _link("lab_blocks", sentence=story.first)
    return Slide("changes", title, link, Picture(WIDE, round(y), title, tuple(marks)))


def _said(sentence: str, changes: tuple[Intervention, ...]) -> str:
    if not changes:
        return _("as trained")
    config, tokens = runs.translator().config, runs.source(sentence).tokens
    if len(changes) > 1:
        return _("no cross-attention at all")
    return group_words(changes, config, tokens)


def _short(text: str) -> str:
    return text if len(text) <= 78 else f"{text[:77]}…"
