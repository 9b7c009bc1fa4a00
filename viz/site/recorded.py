"""The recorded content of the site: the messages of each page's component, from the model."""

from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

from model.checkpoints.examples import Example
from model.recording.history import History
from model.sites.sites import Head, Kind
from model.words import WORD_START
from viz.components import attention_explorer
from viz.components.attention_explorer.recording import Start
from viz.compute import (
    cuts,
    examples,
    learning,
    models,
    openings,
    pairs,
    runs,
    story_cuts,
    swings,
    weights,
)
from viz.compute.runs import Subject
from viz.link import focus
from viz.link.focus import Focus
from viz.pages.attention.explored import explored
from viz.pages.decoder import step_decoder
from viz.pages.decoder.scene import scene_of
from viz.pages.decoder.step_decoder.view import DecoderView
from viz.pages.learning import born
from viz.pages.story import story_picture
from viz.pages.story.numbers import deciding_pieces
from viz.pages.story.numbers import story as in_words
from viz.site import effects
from viz.site.messages import Drawn, drawn

MOST_BORN = 2
"""The most sentences on the page about heads being born: each takes a megabyte or more."""


def story(follow: str, own: str) -> list[Drawn]:
    """Return the story; `follow` and `own` are its two links. ValueError when there is none."""
    asked = swings.story()
    pair = pairs.pair(asked.first, asked.second)
    told = in_words(pair, asked, *story_cuts.cuts_and_turns(asked))
    pieces = deciding_pieces(pair)
    trained, shipped = cuts.trained_to_decide(), models.is_shipped(models.in_force())
    header = {
        **story_picture.message(told, pieces),
        **story_picture.frame(trained, shipped, (), follow, own),
        "link": story_picture.LINKED,
        "pairNames": story_picture.PAIR,
        "rivals": examples.current().rivals,
    }
    return [Drawn(header)]


def attention(sentences: Sequence[Example]) -> list[Drawn]:
    """Return the explorer of each sentence, opened where its example looks."""
    return [
        drawn(
            attention_explorer.message(explored(runs.run(one.text), one.text, _start(one))),
            deflated=True,
        )
        for one in sentences
    ]


def decoder(sentences: Sequence[Example]) -> list[Drawn]:
    """Return the greedy decode of each sentence, opened where its example looks."""
    scenes = []
    for one in sentences:
        view = _view(one)
        scene = scene_of(Subject(one.text), view, "")
        scenes.append(drawn(step_decoder.message(scene, view, ""), deflated=False))
    return scenes


def lab_heads(sentences: Sequence[Example]) -> list[Drawn]:
    """Return the boards of heads of each sentence, with nothing switched off."""
    return [effects.lab_heads(one.text, _first(one)) for one in sentences]


def lab_masks(sentences: Sequence[Example]) -> list[Drawn]:
    """Return the masks of each sentence, at the head on which it opens."""
    return [effects.lab_masks(one.text, _first(one)) for one in sentences]


def _first(example: Example) -> Head:
    """Return the head on which a sentence opens."""
    first = openings.opening(example.text)
    return Head(first.kind, *first.head(first.kind))


def rivals() -> dict[int, int]:
    """Return the pieces that are shown together, such as il and elle, by their ids."""
    ours = examples.current()
    named = [
        id_
        for id_, token in enumerate(weights.vocabulary("output").tokens)
        if ours.rival(token.removeprefix(WORD_START)) is not None
    ]
    return {id_: rival for id_ in named if (rival := runs.rival(id_)) is not None}


def history() -> History | None:
    """Return the history of the model's training; None where none can be shown."""
    return learning.history() if born.is_kept() else None


def born_sentences(sentences: Sequence[Example]) -> tuple[Example, ...]:
    """Return the sentences that were recorded during the training."""
    training = history()
    known = {one.source for one in training.sentences} if training else set[str]()
    return tuple(one for one in sentences if one.text in known)[:MOST_BORN]


def heads_born(sentences: Sequence[Example]) -> list[Drawn]:
    """Return the time line of each sentence, with its opening head enlarged."""
    training = history()
    if training is None:
        return []
    sources = [one.source for one in training.sentences]
    return [
        drawn(born.sent(training, sources.index(one.text), _large(one.text)), deflated=True)
        for one in sentences
    ]


def _large(sentence: str) -> tuple[Kind, int, int]:
    first = openings.opening(sentence)
    return (first.kind, *first.head(first.kind))


def _asked(example: Example) -> Focus:
    """Read the view of an example."""
    parameters = dict(parse_qsl(urlsplit(example.link).query))
    return focus.read(parameters, runs.translator().network.config).focus


def _start(example: Example) -> Start:
    first, asked = openings.opening(example.text), _asked(example)
    kind, heads = asked.kind or first.kind, first.places()
    if asked.layer is not None:
        heads[kind] = asked.layer, asked.head or 0
    return Start(kind, heads, asked.query(kind), words=True)


def _view(example: Example) -> DecoderView:
    first, asked = openings.opening(example.text), _asked(example)
    layer, head = first.head("cross")
    if asked.kind == "cross" and asked.layer is not None:
        layer, head = asked.layer, asked.head or 0
    step = first.step if asked.step is None else asked.step
    return DecoderView(step=step + 1, attention_layer=layer, attention_head=head)
