"""The views of a piece as a vector: its way into the model, its neighbours, and a map."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.interventions.positions import PositionIntervention
from model.results import Run
from model.sites.sites import Stack
from model.transformer.config import ModelConfig, Positions
from model.words import is_mute, words_of
from viz.compute import weights
from viz.figures.figure import show_figure
from viz.figures.theme import VALUE, token_text
from viz.language.sides import side_names
from viz.language.text import _
from viz.language.wording import escaped, in_a_row
from viz.link import address, edits
from viz.link.choice import choose_one
from viz.pages.tokens import formulas
from viz.pages.tokens.embedding import embedding_strips, input_rows, norm_bars
from viz.pages.tokens.map import MapPoint, piece_map, principal_plane
from viz.pages.tokens.neighbours import Side, nearest, neighbour_bars, side_of
from viz.shell import state
from viz.shell.token_choice import choose_token

STACK_OF: dict[str, Stack] = {"source": "encoder", "target": "decoder"}
"""The stack that reads the pieces of each side."""


@dataclass(frozen=True)
class Chosen:
    """The chosen piece: its stack, its place in the stack, and all ids and tokens of the stack."""

    stack: Stack
    index: int
    ids: tuple[int, ...]
    tokens: tuple[str, ...]

    @property
    def id(self) -> int:
        """Return the id of the piece."""
        return self.ids[self.index]

    @property
    def text(self) -> str:
        """Return the text of the piece on screen."""
        return token_text(self.tokens[self.index])


def choose_piece(run: Run, column: DeltaGenerator) -> Chosen:
    """Draw the choices of a language, in a column, and below it of a piece; return the piece."""
    names = dict(zip(STACK_OF, side_names().values(), strict=True))
    side = choose_one(_("Pieces of"), names, "pieces_of", row=column)
    recording, stack = run.recording, STACK_OF[side]
    if stack == "encoder":
        ids, tokens = recording.source_ids, recording.source_tokens
    else:
        ids, tokens = recording.target_ids, recording.target_tokens
    index = choose_token(
        _("Piece"), tokens, stack, "piece", VALUE, writes=False, first=telling(tokens)
    )
    return Chosen(stack, index, tuple(ids), tuple(tokens))


def telling(tokens: Sequence[str]) -> int:
    """Return the place of the longest word that is one piece, else of the longest piece."""
    whole = {word.first for word in words_of(tokens) if word.first == word.last}

    def tells(position: int) -> tuple[bool, bool, int]:
        text = token_text(tokens[position])
        says = not is_mute(tokens[position]) and any(map(str.isalpha, text))
        return says, position in whole, len(text)

    return max(range(len(tokens)), key=tells)


def show_embedding(run: Run) -> None:
    """Draw a piece's vector before and after scaling, its position, and their sum."""
    config = run.recording.config
    scaled = config.variant.scaled
    chosen = choose_piece(run, st.container())
    table = weights.vocabulary("source" if chosen.stack == "encoder" else "target")
    row = table.embedding[chosen.id]
    embeddings = run.recording[f"{chosen.stack}.embedding"]
    positions = run.recording[f"{chosen.stack}.positions"]
    rows = input_rows(row, positions[chosen.index], scaled)
    scale = len(row) ** 0.5
    place = None if _moved(run, chosen.stack) else chosen.index
    labels = [
        _("e: row {id} of the table").format(id=chosen.id),
        *([_("e times {scale:.3g}").format(scale=scale)] if scaled else []),
        _("p: its position, changed")
        if place is None
        else _("PE({position})").format(position=place),
        _("sum: the input"),
    ]
    theme = state.current_theme()
    if scaled:
        labels[0] += "<br>" + _("(colours × {scale:.3g})").format(scale=scale)
    strips = embedding_strips(rows, labels, theme, scale if scaled else 1)
    show_figure(strips, "strips-picture")
    show_figure(
        norm_bars(chosen.tokens, embeddings, positions, chosen.index, theme, scaled),
        "lengths-picture",
    )
    with st.expander(_("What am I looking at?")):
        words = {"width": len(row), "piece": escaped(chosen.text), "scale": scale}
        st.markdown(_way_in(config).format(**words))
        sinusoid = config.positions == "sinusoid"
        st.latex(formulas.embedding_lengths(rows, place, sinusoid))
        st.latex(formulas.input_sum(rows, place))
        lengths = [np.linalg.norm(each, axis=-1) for each in (positions, embeddings / scale)]
        if scaled and lengths[0].min() > 2 * lengths[1].max():
            compared = _(
                "The bars compare the two lengths for every piece: without the factor the position "
                "would drown the piece."
            )
        else:
            compared = _("The bars compare the two lengths for every piece.")
        st.markdown(compared)


def _moved(run: Run, stack: Stack) -> bool:
    """Return True if interventions change the positions of a stack."""
    changes = edits.of_kind(run.recording.interventions, PositionIntervention)
    return any(change.stack == stack for change in changes)


def _way_in(config: ModelConfig) -> str:
    """Say how a piece of the given `piece` and `width` enters such a model."""
    variant = config.variant
    if (
        variant.scaled
        and variant.tied
        and variant.target_pieces is None
        and config.positions in ("sinusoid", "learned")
    ):
        return _(
            "The id picks one **row** e of the embedding table, {width} numbers. They are "
            "small, as the same table also scores the output; so the row is multiplied by "
            "the square root of d_model before the encoding PE of its position is added. "
            "All strips share one colour scale, but e has its colours {scale:.3g} times as "
            "strong, to be seen at all. The lengths for **{piece}**:"
        )
    sentences = [
        _("The id picks one **row** e of the embedding table, {width} numbers."),
        _("It is multiplied by the square root of d_model.")
        if variant.scaled
        else _("This model takes it as it is, without a factor."),
        _enters(config.positions),
        _(
            "All strips share one colour scale, but e has its colours {scale:.3g} times as strong, "
            "to be seen at all. The lengths for **{piece}**:"
        )
        if variant.scaled
        else _("All strips share one colour scale. The lengths for **{piece}**:"),
    ]
    return in_a_row(sentences)


def _enters(positions: Positions) -> str:
    if positions == "rotary":
        return _(
            "Nothing is added for the position: every self-attention turns queries and keys by it."
        )
    if positions == "joined":
        return _("It ends in zeros, where the encoding PE of its position stands: both are joined.")
    return _("The encoding PE of its position is added.")


def show_neighbours(run: Run) -> None:
    """Draw the pieces of the vocabulary that are nearest to a piece."""
    side, slider = st.columns([1, 2])
    count = slider.slider(
        _("How many neighbours"), 5, 30, 12, key="near", bind=address.BOUND, width=320
    )
    chosen = choose_piece(run, side)
    vocabulary = weights.vocabulary()
    neighbours = nearest(vocabulary.units, [chosen.id], count, vocabulary.mute)[0]
    source, target = set(run.recording.source_ids), set(run.recording.target_ids)
    tokens = [vocabulary.tokens[neighbour.id] for neighbour in neighbours]
    sides: list[Side] = [side_of(neighbour.id, source, target) for neighbour in neighbours]
    show_figure(
        neighbour_bars(neighbours, tokens, sides, state.current_theme()), "neighbours-picture"
    )
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "All {size} pieces, of both languages alike, live in the same table. Nearness is "
                "the **cosine** of the angle between two rows: 1 for the same direction, 0 for "
                "a right angle. For **{piece}** and its nearest piece, **{other}**:"
            ).format(
                size=f"{len(vocabulary.tokens):,}",
                piece=escaped(chosen.text),
                other=escaped(token_text(tokens[0])),
            )
        )
        st.latex(formulas.cosine(neighbours[0].cosine))
        st.markdown(
            _(
                "Special tokens and single bytes are left out. Pieces come close when the model "
                "uses them alike, which need not mean that they mean the same."
            )
        )


def show_map(run: Run) -> None:
    """Draw the pieces of both sentences and their neighbours on a map."""
    count = st.slider(_("Neighbours a piece"), 0, 5, 1, key="around", bind=address.BOUND, width=320)
    vocabulary = weights.vocabulary()
    english, french = run.recording.source_ids, run.recording.target_ids
    own = [id_ for id_ in dict.fromkeys((*english, *french)) if id_ not in vocabulary.mute]
    near: dict[int, int] = {}
    for row, neighbours in enumerate(
        nearest(vocabulary.units, own, count, (*vocabulary.mute, *own))
    ):
        for neighbour in neighbours:
            near.setdefault(neighbour.id, row)
    ids = [*own, *near]
    points = [
        MapPoint(vocabulary.tokens[id_], side_of(id_, set(english), set(french)), near.get(id_))
        for id_ in ids
    ]
    projection = principal_plane(vocabulary.units[ids])
    show_figure(piece_map(points, projection, state.current_theme()), "map-picture")
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Each of the {count} points is a piece: a direction in {width} dimensions, seen "
                "from the side from which the points are spread most (principal component "
                "analysis). A thin line leads from a neighbour to the piece it is near to."
            ).format(count=len(ids), width=vocabulary.units.shape[1])
        )
        width = vocabulary.units.shape[1]
        st.latex(formulas.principal_shares(len(ids), width, projection.shares))
        st.markdown(
            _("The rest of the spread is not in the picture: near here need not be near in truth.")
        )
