"""One head's chain from x to W_O, drawn from left to right, and the products behind a score."""

from pathlib import Path

from viz.components.component import renderer
from viz.figures.theme import KEY, KIND_COLOURS, OUTPUT, QUERY, VALUE, Theme, key_axis, query_axis
from viz.language.text import _
from viz.pages.head.head_chain.payload import ChainPicture, encode

_ASSETS = Path(__file__).parent / "assets"
ENTRY, PRODUCTS = _ASSETS / "chain.js", _ASSETS / "tables.js"
"""The modules that draw the chain, and the products behind a score."""


def head_chain(picture: ChainPicture, theme: Theme) -> None:
    """Draw the chain in the colours of a theme."""
    renderer("head_chain", ENTRY)(key="head_chain", data=message(picture, theme))


def message(picture: ChainPicture, theme: Theme) -> bytes:
    """Pack the chain for the browser, in the colours of a theme."""
    return encode(picture, _words() | _play_words(), colours(theme))


def score_products() -> None:
    """Draw the products, number by number, of the key that is chosen in this page's chain."""
    renderer("score_products", PRODUCTS)(key="score_products")


def colours(theme: Theme) -> dict[str, object]:
    """Return the colours of the chain in a theme."""
    return {
        "query": QUERY,
        "key": KEY,
        "value": VALUE,
        "output": OUTPUT,
        "encoder": KIND_COLOURS["encoder"],
        "decoder": KIND_COLOURS["decoder"],
        "bar": theme.sequential[2][1],
        "diverging": theme.diverging,
    }


def _words() -> dict[str, str]:
    return {
        "encoder": _("encoder"),
        "decoder": _("decoder"),
        "query": query_axis(),
        "key": key_axis(),
        "head": _("head"),
        "project": _("project"),
        "projectNote": _("q = x W_Q + b_Q, and k, v alike from X"),
        "dotNote": _("per key"),
        "others": _("{count} others"),
        "fewer": _("fewer"),
        "folding": _("Keys of little weight: all in one row, or each in its own"),
        "maskTitle": _("+ mask"),
        "softmaxNote": _("weights"),
        "undivided": _("left out"),
        "changed": _("= {divisor}, changed"),
        "cooled": _("of score ÷ {temperature}"),
        "sumNote": _("sum 1"),
        "sum": _("added up: q · k = {score}"),
        "mix": _("Σ weight × v"),
        "mixNote": _("the mix is z"),
        "concat": _("concat, W_O"),
        "concatNote": _("heads side by side"),
        "out": _("= out"),
        "toWrite": _("to write"),
        "link": "{query} → {key}",
        "linkWritten": _("to write {query} → {key}"),
        "products": _("Why “{query}” scores “{key}” with {score}: Σ q_i k_i"),
        "gives": _("What it gives: {weight} of the value of “{key}” goes into z of “{query}”"),
        "productsWritten": _("To write “{query}”, “{key}” scores {score}: Σ q_i k_i"),
        "givesWritten": _(
            "What it gives: {weight} of the value of “{key}” goes into z of the step that writes "
            "“{query}”"
        ),
        "legend": _(
            "negative, zero, positive; full colour is the number after ± beside each strip. "
            "Point at a score to see its products, or press it to keep them."
        ),
    }


def _play_words() -> dict[str, str]:
    return {
        "play": _("Play the six links"),
        "pause": _("Pause"),
        "moment": _("Where the six links have come to"),
        "playAll": _("Play: six steps from the words to the output."),
        "play1": _("1: weights make q of the token that looks, and k and v of each token."),
        "play2": _("2: q goes over the keys; at each, {count} products are added up to a score."),
        "play3": _("3: each score is divided by {divisor}, and shrinks; the mask is added."),
        "play3Undivided": _("3: the scores are not divided; the mask is added."),
        "play3Changed": _("3: an intervention changes the divided scores; the mask is added."),
        "play4": _("4: the exponentials, divided by their sum, are weights that sum to 1."),
        "play5": _("5: each value, times its weight, pours into z."),
        "play6": _("6: z stands beside the other heads, and W_O mixes them all."),
    }
