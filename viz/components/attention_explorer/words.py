"""The texts that the explorer writes on screen, by the names that its JavaScript uses."""

from viz.components.attention_explorer.sides import side_words
from viz.figures.labels import kind_names
from viz.language.text import _


def explorer_words(languages: tuple[str, str] | None) -> dict[str, str]:
    """Return all texts; the explorer itself fills in the placeholders in braces.

    `languages` are the codes of source and target, None if unknown.
    """
    parts = (_controls, _views, _sayings, _comparison, _aids, _notes, _orders, _badges, _exports)
    words = {name: word for part in (*parts, _keys) for name, word in part().items()}
    return words | side_words(languages)


def _controls() -> dict[str, str]:
    return {
        "view": _("View"),
        "kind": _("Attention"),
        "layer": _("Layer"),
        "layer of": _("Layer {layer} of {layers}"),
        "board": _("Layer and head"),
        "all of layer": _("All heads of layer {layer}"),
        "previous layer": _("Previous layer (up key)"),
        "next layer": _("Next layer (down key)"),
        "play layers": _("Play the layers"),
        "stop layers": _("Stop"),
        "heads": _("Heads"),
        "head": _("Head {head}"),
        "head hint": _("Click: on or off. Double-click: this head alone, and back."),
        "all heads": _("All"),
        "all heads hint": _("All heads (A)"),
        "encoder": _("Encoder"),
        "decoder": _("Decoder"),
        "cross": _("Cross"),
        "encoder long": _("Encoder self-attention"),
        "decoder long": _("Decoder self-attention"),
        "cross long": _("Cross-attention"),
        "units": _("Rows and columns"),
        "words": _("Words"),
        "words hint": _(
            "Pieces merged into words: weights on a word's pieces added up, "
            "weights from them averaged"
        ),
        "pieces": _("Pieces"),
        "pieces hint": _("As the model reads and writes them"),
        "help": _("Keys and clicks"),
        "close": _("Close"),
        "empty": _("(nothing: the end token came first)"),
        "malformed": _("Parts of this link could not be read; they show their defaults."),
    }


def _views() -> dict[str, str]:
    return {
        "lines": _("Lines"),
        "grid": _("Grid"),
        "matrix": _("Matrix"),
        "lines hint": _("Who looks at whom, as lines (L)"),
        "grid hint": _("All layers and heads at a glance (G)"),
        "matrix hint": _("Every weight as a cell (M)"),
        "lines lead": _("Point at a token to see only its lines, or press it to keep them."),
        "grid lead": _("Point at a head to see it large, or press it to choose it for all views."),
        "matrix lead": _("Point at a cell to read its weight, or press it to keep its row."),
        "locked hint": _("This word stays chosen. Shift and a click add another; Esc lets go."),
        "query axis": _("query: who is looking"),
        "key axis": _("key: who is looked at"),
        "matrix axes": _("Rows: query, who is looking. Columns: key, who is looked at."),
        "query": _("Query"),
        "key": _("Key"),
        "head column": _("Head"),
        "weight": _("Weight"),
        "weight taken": _("Taken"),
        "mean short": _("mean"),
        "max short": _("max"),
    }


def _sayings() -> dict[str, str]:
    return {
        **{f"{kind} name": name for kind, name in kind_names().items()},
        "title compare": _("{kind}, two side by side"),
        "writing": _("writing {word}"),
        "masked": _("{word} (masked)"),
        "head name": _("{kind} {layer}.{head}"),
        "head off": _("{head} (switched off)"),
        "mean name": _("the mean of {kind} {layer}, heads {heads},"),
        "max name": _("the maximum of {kind} {layer}, heads {heads},"),
        "mean name layers": _("the mean of {kind}, all layers, heads {heads},"),
        "max name layers": _("the maximum of {kind}, all layers, heads {heads},"),
        "said": _("From {word}, {head} gives {key} {weight}."),
        "said writing": _("To write {word}, {head} gives {key} {weight}."),
        "said spread": _("From {word}, {head} spreads: the most, {weight}, goes to {key}."),
        "said spread writing": _(
            "To write {word}, {head} spreads: the most, {weight}, goes to {key}."
        ),
        "said off": _(
            "{head} is switched off: its weight from {word} on {key}, {weight}, reaches nothing."
        ),
        "said off writing": _(
            "{head} is switched off: its weight on {key}, {weight}, reaches nothing "
            "when {word} is written."
        ),
        "said taken": _("From {word}, {head} takes the most of {key}: {weight}."),
        "said taken writing": _("To write {word}, {head} takes the most of {key}: {weight}."),
        "said compare": _(
            "From {word} to {key}: {one} {first}, {other} {second}; the difference is {difference}."
        ),
        "said compare writing": _(
            "To write {word}, on {key}: {one} {first}, {other} {second}; "
            "the difference is {difference}."
        ),
        "writing looks at": _("To write {query}, it looks at {key}"),
        "looks at": _("{query} looks at {key}"),
        "strongest": _("Strongest links: {scope}"),
        "of query": _("from {names}"),
        "of key": _("to {names}"),
        "cell": _("weight {weight} · its row adds up to {sum}"),
        "cell taken": _("taken {weight} · its row adds up to {sum}"),
        "sum": _("{query} gives {keys} {weight} together"),
        "sum of merged": _("{query} gives {keys} {weight} together ({merged})"),
        "sum taken": _("{query} takes {weight} of {keys} together"),
        "sum of merged taken": _("{query} takes {weight} of {keys} together ({merged})"),
        "thumb": _("{layer}.{head}"),
        "title head": _("{kind}, {name}"),
        "title heads": _("{kind}, layer {layer} of {layers}, heads {heads}"),
        "title all": _("{kind}, layer {layer} of {layers}, all {heads} heads"),
        "title layers": _("{kind}, all {layers} layers, heads {heads}"),
        "title grid": _("{kind}, {layers} layers of {heads} heads"),
    }


def _comparison() -> dict[str, str]:
    return {
        "compare": _("Compare"),
        "compare hint": _("Two heads, or two sentences, and the difference (C)"),
        "compare with": _("Compare with"),
        "another head": _("Another head"),
        "another sentence": _("Another sentence"),
        "beside head": _("The other head"),
        "this sentence": _("This sentence"),
        "other sentence": _("The other sentence"),
        "difference": _("The first minus the second"),
        "legend difference": _("First minus second:"),
    }


def _aids() -> dict[str, str]:
    return {
        "aids": _("Reading aids"),
        "aids on": _("Reading aids, {count} on"),
        "aids off": _("Switch all off"),
        "hide label": _("Special tokens"),
        "hide off": _("shown"),
        "hide hide": _("hidden"),
        "hide renormalise": _("hidden, rows sum to 1"),
        "mass label": _("Links shown"),
        "mass all": _("all"),
        "mass part": _("strongest {percent}% of each row"),
        "merge label": _("Chosen heads"),
        "merge off": _("apart"),
        "merge mean": _("merged: their mean"),
        "merge max": _("merged: their maximum"),
        "layers label": _("Merge over all layers"),
        "layers hint": _("The chosen heads of every layer as one"),
        "taken label": _("What is taken"),
        "taken hint": _("Weight × length of the value: 1 is all of the head's longest value"),
        "rowScale label": _("Colours up to each row's maximum"),
        "rowScale hint": _("In grid and matrix; shows faint patterns"),
    }


def _notes() -> dict[str, str]:
    return {
        "note hide": _("Special tokens hidden; rows sum to less than 1"),
        "note renormalise": _("Special tokens hidden; each row scaled to sum to 1"),
        "note begin": _("The row of {token} stays: it predicts the first piece"),
        "note words": _(
            "Pieces merged into words: weights on a word's pieces added up, "
            "weights from them averaged"
        ),
        "note mean": _("Mean of heads {heads}"),
        "note max": _("Maximum of heads {heads}; rows may sum to more than 1"),
        "note mean layers": _("Mean of heads {heads} in all {layers} layers"),
        "note max layers": _(
            "Maximum of heads {heads} in all {layers} layers; rows may sum to more than 1"
        ),
        "note figures": _("Figures beside a token: mean of heads {heads}"),
        "note mass": _("Only the strongest links that make up {percent}% of each row"),
        "note taken": _(
            "What is taken, not where it looks: weight × length of the value; "
            "1 is all of the head's longest value"
        ),
        "note rows": _("Colours go up to each row's maximum"),
        "note chosen": _("Only the chosen tokens"),
        "legend opacity": _("Line opacity = weight:"),
        "legend colour": _("Colour = weight:"),
        "legend opacity taken": _("Line opacity = what is taken:"),
        "legend colour taken": _("Colour = what is taken:"),
        "legend faint taken": _("less than {weight} is not drawn"),
        "legend row": _("the row's maximum"),
        "legend hidden": _("hidden by the look-ahead mask: comes later"),
        "caption hidden": _("Grey cells: hidden by the look-ahead mask."),
        "cut group": _("Cut this link"),
        "cut one": _("Cut {word} → {key} in {head}"),
        "cut all": _("in all {kind} heads"),
        "cut hint": _("Forbid the link from {word} to {key}"),
        "trial encoder": _("From {word}, {head} would look at {key} alone:"),
        "trial decoder": _("To write {word}, {head} would look at {key} alone:"),
        "trial cross": _("To write {word}, all cross heads would look at {key} alone:"),
        "trial waits": _("the model reads …"),
        "trial stays": _("No word of the translation changes."),
        "turn one": _("Drag this end to another key: this head then looks there alone"),
        "turn all": _("Drag this end to another key: all cross heads then look there alone"),
        "legend faint": _("weights under {weight} are not drawn"),
    }


def _orders() -> dict[str, str]:
    return {
        "order": _("Sort by"),
        "order position": _("layer and head"),
        "order previous": _("previous token"),
        "order next": _("next token"),
        "order itself": _("itself"),
        "order first": _("first token"),
        "order last": _("last token"),
        "order punctuation": _("punctuation"),
        "order entropy": _("entropy"),
        "order sparsity": _("sparsity"),
        "order diagonal": _("diagonal"),
        "explain position": _(
            "The word at a head says where over half of its weight goes: to the previous or next "
            "token, the token itself, the first or last one, or punctuation (punct); even: spread "
            "over nearly all tokens."
        ),
        "explain position cross": _(
            "The word at a head says where over half of its weight goes: near the line "
            "from corner to corner (diag.), to the first or last token, or to punctuation (punct); "
            "even: spread over nearly all tokens."
        ),
        "explain previous": _("Mean weight on the token before; all pieces, nothing hidden."),
        "explain next": _("Mean weight on the token after; all pieces, nothing hidden."),
        "explain itself": _("Mean weight on the token itself; all pieces, nothing hidden."),
        "explain first": _("Mean weight on the first token; all pieces, nothing hidden."),
        "explain last": _("Mean weight on the last token; all pieces, nothing hidden."),
        "explain punctuation": _("Mean weight on punctuation; all pieces, nothing hidden."),
        "explain entropy": _(
            "0: each row on one token; 1: spread evenly over all that it can see."
        ),
        "explain sparsity": _(
            "Of the tokens that make up 90% of an even row, the share that a row does not need; "
            "0: all count alike."
        ),
        "explain diagonal": _(
            "Mean weight near the line from corner to corner: within 15% of the tokens. A head "
            "that looks evenly has about a third there."
        ),
    }


def _badges() -> dict[str, str]:
    return {
        "badge previous": _("previous"),
        "badge next": _("next"),
        "badge itself": _("itself"),
        "badge first": _("first"),
        "badge last": _("last"),
        "badge punctuation": _("punct"),
        "badge entropy": _("even"),
        "badge sparsity": _("sparse"),
        "badge diagonal": _("diag."),
    }


def _exports() -> dict[str, str]:
    return {
        "share": _("Share"),
        "save": _("Save"),
        "link label": _("Copy link"),
        "link hint": _("Opens this very picture"),
        "frame label": _("Copy frame"),
        "frame hint": _("Shows this view inside a page of yours"),
        "png label": _("Picture (PNG)"),
        "png hint": _("With a caption that says what it shows"),
        "svg label": _("Picture (SVG)"),
        "svg hint": _("For slides and print, at any size; of kept tokens only these"),
        "csv label": _("Numbers of this view (CSV)"),
        "csv hint": _("One line per link"),
        "html label": _("Explorer in one file (HTML)"),
        "html hint": _("This recording, interactive, without network"),
        "copied": _("Link copied."),
        "framed": _("Frame copied: paste it into the HTML of your page."),
        "saved": _("Saved to your downloads."),
        "failed": _("That did not work in this browser."),
    }


def _keys() -> dict[str, str]:
    return {
        "key heads": _("Previous or next head"),
        "key layers": _("Previous or next layer"),
        "key kinds": _("Encoder, decoder, cross"),
        "key views": _("Lines, grid, matrix, comparison"),
        "key all": _("All heads"),
        "key free": _("Let go of kept tokens"),
        "key help": _("This list"),
        "key tab": _("Through all controls; in a token column up and down move, Enter keeps"),
        "key cells": _("Move over the cells of the matrix"),
        "key lock": _("Keep a token; again: let it go"),
        "key add": _("Keep one more token"),
        "key solo": _("On a head: this one alone, and back"),
        "mouse click": _("Click"),
        "mouse shift": _("Shift + click"),
        "mouse double": _("Double-click"),
    }
