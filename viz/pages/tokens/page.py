"""The pieces of the sentence, how else it could be cut, and where its pieces point."""

from dataclasses import dataclass

import streamlit as st
from plotly.graph_objects import Figure
from streamlit.delta_generator import DeltaGenerator

from viz.compute import runs
from viz.compute.runs import Run
from viz.pages.tokens import formulas
from viz.pages.tokens.cuts import Cut, cuts_figure
from viz.pages.tokens.embedding import embedding_strips, input_rows, norm_bars
from viz.pages.tokens.map import MapPoint, piece_map, principal_plane
from viz.pages.tokens.neighbours import Side, nearest, neighbour_bars, side_of
from viz.pages.tokens.pieces import PieceCard, legend, piece_cards, rare_characters
from viz.shared.text import _
from viz.shared.theme import VALUE, token_text
from viz.shared.token_row import token_row
from viz.shell import state
from viz.shell.header import open_page

RARE = ("none", "猫", "🦊", "ß", "ʒ")
WHOLE = "whole sentence"
MOST_WORDS = 40
LINK = "query-params"


@dataclass(frozen=True)
class Chosen:
    """The piece looked at: its stack, its place there, and all ids and tokens of that stack."""

    stack: str
    index: int
    ids: tuple[int, ...]
    tokens: tuple[str, ...]

    @property
    def id(self) -> int:
        """Return the id of the piece."""
        return self.ids[self.index]

    @property
    def text(self) -> str:
        """Return the piece as it is written on screen."""
        return token_text(self.tokens[self.index])


def plot(figure: Figure, name: str) -> None:
    """Draw a figure over the whole width; under its own name, so that views do not mix."""
    st.plotly_chart(figure, theme=None, config={"displaylogo": False}, key=f"{name}-picture")


def show_pieces(run: Run) -> None:
    """Show the cards of the sentence's pieces and the bytes of its rare characters."""
    extra = st.segmented_control(
        _("Add a rare character"), RARE, default=RARE[0], required=True, key="rare", bind=LINK
    )
    text = run.source.text if extra == RARE[0] else f"{run.source.text} {extra}"
    tokenizer = runs.translator().tokenizer
    cards = [
        PieceCard(piece.token, piece.id, piece.start, piece.end, tokenizer.is_byte(piece.id))
        for piece in tokenizer.pieces(text)
    ]
    words = len(text.split())
    st.markdown(
        _("**{pieces} pieces** for {words} words and {characters} characters.").format(
            pieces=len(cards), words=words, characters=len(text)
        )
    )
    key, row = st.columns([1, 9])
    key.html(legend())
    row.html(piece_cards(cards))
    _say_what_is_rare(text, cards)
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The model knows **{size} pieces**, English and French together, learnt from text "
                "by SentencePiece: frequent words are one piece, rarer ones are put together from "
                "parts. A thin mark (·) stands for the space before a word. Each piece has a "
                "number, its **id**, and covers some characters of the sentence, counted from 0 "
                "and without the last: *from-to*. The id is all that the model is given: it picks "
                "a row of a table."
            ).format(size=len(tokenizer))
        )
        st.latex(formulas.pieces_a_word(len(cards), words))


def _say_what_is_rare(text: str, cards: list[PieceCard]) -> None:
    rare = rare_characters(text, cards)
    sentence = _(
        "**{character}** ({point}) has no piece of its own. It is spelt as its UTF-8 bytes, "
        "{data}: one piece a byte, so nothing that a person can type is unknown to the model."
    )
    for found in rare[:3]:
        filled = sentence.format(
            character=found.character, point=found.code_point, data=" ".join(found.data)
        )
        st.info(filled, icon=":material/memory:")
    if not rare:
        st.caption(
            _("Every character here has a piece. Add a rare one to see the fallback to bytes.")
        )


def show_cuts(run: Run) -> None:
    """Show the most probable ways to cut the sentence or one of its words."""
    what_column, count_column = st.columns([4, 1])
    words = [word for word in dict.fromkeys(run.source.text.split()) if word != WHOLE]
    what = what_column.pills(
        _("Cut what?"),
        [WHOLE, *words[:MOST_WORDS]],
        default=WHOLE,
        required=True,
        key="cut",
        bind=LINK,
        wrap=True,
    )
    count = count_column.slider(_("Ways to cut it"), 2, 12, 6, key="ways", bind=LINK)
    text = run.source.text if what == WHOLE else str(what)
    tokenizer = runs.translator().tokenizer
    cuts = [Cut(found.tokens, found.score) for found in tokenizer.segmentations(text, count)]
    plot(cuts_figure(cuts, state.current_theme()), "cuts")
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Each ribbon is one way to put the text together from pieces, the most probable "
                "first; the model is given that one, and pieces in orange are not in it. The "
                "number in front is the log-probability of the cut. SentencePiece gives every "
                "piece a probability, as if pieces were drawn one by one, so it is a sum:"
            )
        )
        scores = [tokenizer.score(tokenizer.id(token)) for token in cuts[0].tokens[:3]]
        st.latex(formulas.cut_score(scores, len(cuts[0].tokens), cuts[0].score))
        if len(cuts) > 1:
            st.latex(formulas.cut_ratio(cuts[0].score, cuts[1].score))
        st.markdown(
            _(
                "A character without a piece costs {rare:.1f}: ten less than the least probable "
                "piece, however many bytes it takes."
            ).format(rare=tokenizer.rare_score())
        )


def choose_piece(run: Run, column: DeltaGenerator) -> Chosen:
    """Draw the choice of language, in a column, and below it that of the piece."""
    side = column.segmented_control(
        _("Pieces of"),
        ["English", "French"],
        default="English",
        required=True,
        key="language",
        bind=LINK,
    )
    recording = run.recording
    if side == "English":
        stack, ids, tokens = "encoder", recording.source_ids, recording.source_tokens
    else:
        stack, ids, tokens = "decoder", recording.target_ids, recording.target_tokens
    index = token_row(_("Piece"), tokens, "piece", 1, VALUE)
    return Chosen(stack, index, tuple(ids), tuple(tokens))


def show_embedding(run: Run) -> None:
    """Show a piece's vector before and after scaling, its position, and their sum."""
    chosen = choose_piece(run, st.container())
    row = runs.vocabulary().embedding[chosen.id]
    embeddings = run.recording[f"{chosen.stack}.embedding"]
    positions = run.recording[f"{chosen.stack}.positions"]
    rows = input_rows(row, positions[chosen.index])
    labels = [
        _("e: row {id} of the table").format(id=chosen.id),
        _("e times {scale:.3g}").format(scale=len(row) ** 0.5),
        _("PE({position})").format(position=chosen.index),
        _("sum: the input"),
    ]
    plot(embedding_strips(rows, labels, state.current_theme()), "strips")
    plot(
        norm_bars(chosen.tokens, embeddings, positions, chosen.index, state.current_theme()),
        "lengths",
    )
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The id picks one **row** e of the embedding table, {width} numbers. They are "
                "small, as the same table also scores the output; so the row is multiplied by "
                "the square root of d_model before the encoding PE of its position is added. "
                "All strips share one colour scale. The lengths for **{piece}**:"
            ).format(width=len(row), piece=chosen.text)
        )
        st.latex(formulas.embedding_lengths(rows, chosen.index))
        st.latex(formulas.input_sum(rows, chosen.index))
        st.markdown(
            _(
                "The bars compare the two lengths for every piece: without the factor the position "
                "would drown the piece."
            )
        )


def show_neighbours(run: Run) -> None:
    """Show the pieces of the vocabulary nearest to a piece."""
    side, slider = st.columns([1, 2])
    count = slider.slider(_("How many neighbours"), 5, 30, 12, key="near", bind=LINK, width=320)
    chosen = choose_piece(run, side)
    vocabulary = runs.vocabulary()
    found = nearest(vocabulary.units, [chosen.id], count, vocabulary.mute)[0]
    english, french = set(run.recording.source_ids), set(run.recording.target_ids)
    tokens = [vocabulary.tokens[neighbour.id] for neighbour in found]
    sides: list[Side] = [side_of(neighbour.id, english, french) for neighbour in found]
    plot(neighbour_bars(found, tokens, sides, state.current_theme()), "neighbours")
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "All {size} pieces, English and French alike, live in the same table. Nearness is "
                "the **cosine** of the angle between two rows: 1 for the same direction, 0 for "
                "a right angle. For **{piece}** and its nearest piece, **{other}**:"
            ).format(size=len(vocabulary.tokens), piece=chosen.text, other=token_text(tokens[0]))
        )
        st.latex(formulas.cosine(found[0].cosine))
        st.markdown(
            _(
                "Special tokens and single bytes are left out. Pieces come close when the model "
                "uses them alike, which need not mean that they mean the same."
            )
        )


def show_map(run: Run) -> None:
    """Show the pieces of both sentences and their neighbours in the plane."""
    count = st.slider(_("Neighbours a piece"), 0, 5, 1, key="around", bind=LINK, width=320)
    vocabulary = runs.vocabulary()
    english, french = run.recording.source_ids, run.recording.target_ids
    own = [id_ for id_ in dict.fromkeys((*english, *french)) if id_ not in vocabulary.mute]
    near: dict[int, int] = {}
    for row, found in enumerate(nearest(vocabulary.units, own, count, (*vocabulary.mute, *own))):
        for neighbour in found:
            near.setdefault(neighbour.id, row)
    ids = [*own, *near]
    points = [
        MapPoint(vocabulary.tokens[id_], side_of(id_, set(english), set(french)), near.get(id_))
        for id_ in ids
    ]
    projection = principal_plane(vocabulary.units[ids])
    plot(piece_map(points, projection, state.current_theme()), "map")
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


VIEWS = {
    "pieces": show_pieces,
    "other cuts": show_cuts,
    "embedding": show_embedding,
    "neighbours": show_neighbours,
    "map": show_map,
}

opened = open_page(
    _("Tokens and embeddings"),
    _("The model does not read letters: it reads numbered pieces, and each number is a vector."),
)
view = st.segmented_control(
    _("View"),
    list(VIEWS),
    default="pieces",
    required=True,
    key="tokens",
    bind=LINK,
    label_visibility="collapsed",
)
VIEWS[str(view)](opened)
