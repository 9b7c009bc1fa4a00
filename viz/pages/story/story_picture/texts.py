"""The table of texts of the first page's picture; the browser chooses texts and fills them in."""

from model.measures.own_pair import Reason
from viz.compute.own_pair import MOST_PIECES
from viz.figures import theme
from viz.figures.labels import kind_names
from viz.language.text import _


def words(shipped: bool) -> dict[str, object]:
    """Return all texts by their names in the browser.

    `shipped` is True if the model comes with this program.
    """
    promise = (
        _("A real Transformer, trained for this page. Every number you see is its own.")
        if shipped
        else _("A real Transformer. Every number you see is its own.")
    )
    return {
        "name": "Headlight",
        "promise": promise,
        "why": _(
            "French must know what “{asks}” is: “{he}” is masculine, il; “{she}” is feminine, "
            "elle. Change a word, and see where a real Transformer looks. Every number is the "
            "model's."
        ),
        "whyOwn": _(
            "“{own}” says neither “his” nor “her”: English takes that from “{one}” or “{other}”. "
            "Change the word, and see where a real Transformer looks as it writes what differs "
            "first, {piece} or {rival}."
        ),
        "figure": _("Two sentences that differ in one word, and where the model looks"),
        "switch": _("The word that differs"),
        "hint": _("change this word"),
        "query": theme.query_axis(),
        "key": theme.key_axis(),
        "both": _("key of one arc, query of the other"),
        "cut": _("Cut the link from {word} to {keys}, in {head}"),
        "chanceOf": _("probability of"),
        **_changes(),
        "everywhere": _("in all heads"),
        "also": _also(),
        "alike": _("Where else?"),
        "alikeLong": _("Where else in a corpus does this head look like this?"),
        "writes": _("Now the model writes: “{translation}”"),
        "follow": _("Follow it through the model"),
        "own": _("Try your own sentence"),
        "lessons": _("Lessons"),
        "finished": _("finished"),
        "kinds": kind_names(),
        "crossHeads": _("all cross heads"),
        "weightOf": _("weight of {head} on"),
        "reading": _reading(),
        "little": _little(),
        "forbidden": _forbidden(),
        "forbiddenAll": _forbidden_in_all_heads(),
        "turned": _turned(),
        "carry": _carry(),
        "caution": _caution(),
        "pair": _pair(),
    }


def _changes() -> dict[str, str]:
    """Say what can be changed in the model, and what becomes of the choice."""
    return {
        "changes": _("What may be changed in the model"),
        "ask": _(
            "Is what you see a cause? Cut a link, or drag the end of an arc or of a grey line to "
            "another word, and watch the probabilities."
        ),
        "unsure": _(
            "*The model is unsure here*: {one} and {other} have only {share} together, so what "
            "the arcs show of this choice says little."
        ),
        "drag": _("Drag me to another word"),
        "reads": _("The model is translating…"),
        "handle": _("What {word} looks at, in {head}: arrow keys move it"),
        "back": _("Let it look by itself again"),
        "turnedLink": _("See it in all heads"),
        "becomes": _("*{one}* becomes *{other}*."),
        "toss": _("A toss-up."),
        "neither": _("Neither is written here: another piece is likelier."),
        "figures": _("{one}, {other}."),
        "rest": _("All other pieces together have {share}, the likeliest of them {most}."),
        **_unchanged(),
    }


def _reading() -> dict[str, str]:
    """Say what an arc shows, by the side of its query and the number of its keys."""
    return {
        "source1": _("From *{word}*, head *{head}* looks at *{one}* with weight *{first}*."),
        "target1": _("To write *{word}*, head *{head}* looks at *{one}* with weight *{first}*."),
        "source2": _(
            "From *{word}*, head *{head}* looks at *{one}* with weight *{first}*, "
            "and at *{other}* with *{second}*."
        ),
        "target2": _(
            "To write *{word}*, head *{head}* looks at *{one}* with weight *{first}*, "
            "and at *{other}* with *{second}*."
        ),
    }


def _little() -> dict[str, str]:
    """Say the same of a head that hardly looks there."""
    return {
        "source1": _("From *{word}*, head *{head}* hardly looks at *{one}*: weight *{first}*."),
        "target1": _("To write *{word}*, head *{head}* hardly looks at *{one}*: weight *{first}*."),
        "source2": _(
            "From *{word}*, head *{head}* hardly looks at *{one}*, weight *{first}*, "
            "or at *{other}*, *{second}*."
        ),
        "target2": _(
            "To write *{word}*, head *{head}* hardly looks at *{one}*, weight *{first}*, "
            "or at *{other}*, *{second}*."
        ),
    }


def _forbidden() -> dict[str, str]:
    """Say what a head must not do while its arc is cut, by query's side and number of keys."""
    return {
        "source1": _("Cut: in head *{head}*, *{word}* may not look at *{one}*."),
        "target1": _(
            "Cut: in head *{head}*, the step that writes *{word}* may not look at *{one}*."
        ),
        "source2": _("Cut: in head *{head}*, *{word}* may not look at *{one}* or *{other}*."),
        "target2": _(
            "Cut: in head *{head}*, the step that writes *{word}* may not look at *{one}* or "
            "*{other}*."
        ),
    }


def _unchanged() -> dict[str, str]:
    """Say what a change leaves as it was."""
    return {
        "same": _("Almost nothing changes: the translation stays as it is."),
        "elsewhere": _("Almost nothing changes here; another word of the translation does."),
        "stays": _("The translation stays as it is."),
    }


def _also() -> dict[str, str]:
    """Say how many other heads look there, and if cutting one of them alone changes anything."""
    return {
        "look": _("{count} other heads look at *{key}*, too."),
        "look1": _("One other head looks at *{key}*, too."),
        "none": _(
            "{count} other heads look at *{key}*, too. Cut one by one, they leave *{piece}* "
            "between {low} and {high}, from {before}: none of them alone is a cause."
        ),
        "none1": _(
            "One other head looks at *{key}*, too. Cut alone, it leaves *{piece}* at {low}, from "
            "{before}: it is no cause."
        ),
        "most": _(
            "{count} other heads look at *{key}*, too. Cut one by one, they leave *{piece}* "
            "between {low} and {high}, from {before}; {head} alone moves it most, to {least}."
        ),
        "most1": _(
            "One other head looks at *{key}*, too. Cut alone, it moves *{piece}* from {before} to "
            "{least}: {head} is a cause, too."
        ),
    }


def _forbidden_in_all_heads() -> dict[str, str]:
    """Say what no head may do while an arc is cut, by the query's side and the number of keys."""
    return {
        "source1": _("Cut: *{word}* may not look at *{one}*, in any head."),
        "target1": _("Cut: the step that writes *{word}* may not look at *{one}*, in any head."),
        "source2": _("Cut: *{word}* may not look at *{one}* or *{other}*, in any head."),
        "target2": _(
            "Cut: the step that writes *{word}* may not look at *{one}* or *{other}*, in any head."
        ),
    }


def _turned() -> dict[str, str]:
    """Say which heads are turned, from which word to which, by the kind of attention."""
    return {
        "encoder": _("Turned: from *{word}*, head *{head}* looks at *{key}* alone."),
        "decoder": _("Turned: to write *{word}*, head *{head}* looks at *{key}* alone."),
        "cross": _("Turned: to write *{word}*, all cross heads look at *{key}* alone."),
    }


def _carry() -> dict[str, str]:
    """Return the word that can be carried over, which may differ between the sentences."""
    return {
        "differs": _("Carry *{other}* over from the other sentence"),
        "same": _("Carry *{word}* over from the sentence with *{other}*"),
        "said": _("Carried over: the memory at *{word}* is that of the sentence with *{other}*."),
    }


def _caution() -> dict[str, str]:
    """Say which head is shown, and if the choice was measured to depend on its link."""
    return {
        "one": _(
            "Of all heads, {head} (layer {layer}, head {number}) gives the word that differs the "
            "most weight in both sentences."
        ),
        "two": _(
            "Of all heads, {head} (layer {layer}, head {number}) moves the most weight from one of "
            "these words to the other when the sentence changes."
        ),
        "uncut": _("That is where it looks, not yet why the model decides."),
        "measured": _(
            "With the link cut in this head alone, *{one}* goes from {one_before} to {one_alone}, "
            "and in the other sentence *{other}* from {other_before} to {other_alone}; cut in all "
            "heads, to {one_after} and {other_after}."
        ),
        "nothing": _("It is where the model looks, not why it decides."),
        "partly": _("The link counts, but does not decide alone."),
        "unsure": _("The model is unsure of this choice from the start: a cut of it says little."),
        "elsewhere": _(
            "Cut, the model writes another word there: that does not tell whether it still knows "
            "which of the two is right."
        ),
        "toss-up": _(
            "Cut in all heads, the choice is a toss-up: for this model the link is a cause."
        ),
        "first": _(
            "Cut in all heads, *{one}* is the likelier in both: without the link the model cannot "
            "tell them apart."
        ),
        "second": _(
            "Cut in all heads, *{other}* is the likelier in both: without the link the model "
            "cannot tell them apart."
        ),
        "round": _(
            "Cut in all heads, each sentence gets the other's word: for this model the link is a "
            "cause."
        ),
        "trained": _(
            "It was trained for that: without this link, it had to find both words equally likely."
        ),
    }


def _pair() -> dict[str, object]:
    """Return the texts of the form for two sentences, and the reasons against them."""
    reasons: dict[Reason, str] = {
        "empty": _("Type two sentences."),
        "long": _(
            "A sentence may have at most {most} pieces here, and this one has {count}."
        ).format(most=MOST_PIECES, count="{count}"),
        "same": _("Both sentences are the same: change one word of the second."),
        "more": _("The sentences must differ in one word, and these differ in more."),
        "twice": _("The word that differs stands there twice: change another one."),
        "undecided": _("Both have the same translation: change a word that changes it."),
        "missing": _("One translation lacks the word that the other decides: change another one."),
    }
    return {
        "title": _("Two sentences of your own, which differ in one word"),
        "first": _("First sentence"),
        "second": _("Second sentence"),
        "go": _("Compare them"),
        "busy": _("The model is reading both sentences…"),
        "known": _("Well-known pairs:"),
        "reasons": reasons,
    }
