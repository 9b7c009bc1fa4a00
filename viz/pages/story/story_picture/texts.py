"""The texts of the first page's picture; the browser fills in the words and numbers on screen."""

from viz.compute.cuts import ArcHead
from viz.figures import theme
from viz.figures.labels import head_text
from viz.language.text import _
from viz.pages.story.measured import effect
from viz.pages.story.numbers import Arc, Story


def head_name(head: ArcHead) -> str:
    """Return the name of a head, as on all pages: cross 5.6."""
    return head_text(head.kind, head.layer, head.head)


def words(story: Story, pieces: tuple[str, str], trained: bool, shipped: bool) -> dict[str, str]:
    """Return the texts that are on the page once, by their names in the browser."""
    promise = (
        _("A real Transformer, trained for this page. Every number you see is its own.")
        if shipped
        else _("A real Transformer. Every number you see is its own.")
    )
    return {
        "name": "Headlight",
        "promise": promise,
        "figure": _("Two sentences that differ in one word, and where the model looks"),
        "switch": _("The word that differs"),
        "hint": _("change this word"),
        "query": theme.query_axis(),
        "key": theme.key_axis(),
        "both": _("looked at, and looking"),
        "cut": _("Cut the link from {word} to {keys}"),
        "chanceOf": _("probability of"),
        "changes": _("What may be changed in the model"),
        "ask": _(
            "Is what you see a cause? Cut a link, or drag the end of an arc to another word, and "
            "watch the probabilities."
        ),
        "drag": _("Drag me to another word"),
        "handle": _("What {word} looks at, in {head}: arrow keys move it"),
        "back": _("Let it look by itself again"),
        "turnedLink": _("See it in all heads"),
        "becomes": _("*{one}* becomes *{other}*."),
        "toss": _("A toss-up."),
        "rest": _("All other pieces together have {share}, the likeliest of them {most}."),
        "same": _("Almost nothing changes."),
        "alike": _("Where else?"),
        "alikeLong": _("Where else in a corpus does this head look like this?"),
        "writes": _("Now the model writes: “{translation}”"),
        "follow": _("Follow it through the model"),
        "own": _("Try your own sentence"),
        "caution": caution(story, pieces, trained),
        "lessons": _("Lessons"),
    }


def reading(arc: Arc) -> str:
    """Return the sentence that says what an arc shows."""
    if arc.keys[0] == arc.keys[1]:
        if arc.query_side == "source":
            return _("From *{word}*, head *{head}* looks at *{one}* with weight *{first}*.")
        return _("To write *{word}*, head *{head}* looks at *{one}* with weight *{first}*.")
    if arc.query_side == "source":
        return _(
            "From *{word}*, head *{head}* looks at *{one}* with weight *{first}*, "
            "and at *{other}* with *{second}*."
        )
    return _(
        "To write *{word}*, head *{head}* looks at *{one}* with weight *{first}*, "
        "and at *{other}* with *{second}*."
    )


def forbidden(arc: Arc) -> str:
    """Return the sentence that says what is forbidden while an arc is cut."""
    if arc.keys[0] == arc.keys[1]:
        if arc.query_side == "source":
            return _("Cut: *{word}* may not look at *{one}*, in any head.")
        return _("Cut: the step that writes *{word}* may not look at *{one}*, in any head.")
    if arc.query_side == "source":
        return _("Cut: *{word}* may not look at *{one}* or *{other}*, in any head.")
    return _(
        "Cut: the step that writes *{word}* may not look at *{one}* or *{other}*, in any head."
    )


def turned(arc: Arc) -> str:
    """Return the sentence that says which heads are turned, and from where to where."""
    if arc.head.kind == "cross":
        return _("Turned: to write *{word}*, all cross heads look at *{key}* alone.")
    said = (
        _("Turned: from *{word}*, head *{head}* looks at *{key}* alone.")
        if arc.query_side == "source"
        else _("Turned: to write *{word}*, head *{head}* looks at *{key}* alone.")
    )
    return said.replace("{head}", head_name(arc.head))


def carry(story: Story) -> dict[str, object] | None:
    """Return the word that can be carried over, and its texts; None without one."""
    if story.carried is None:
        return None
    differs = story.source[story.carried].changes
    label = (
        _("Carry *{other}* over from the other sentence")
        if differs
        else _("Carry *{word}* over from the sentence with *{other}*")
    )
    said = _("Carried over: the memory at *{word}* is that of the sentence with *{other}*.")
    return {"word": story.carried, "label": label, "said": said}


def caution(story: Story, pieces: tuple[str, str], trained: bool) -> str:
    """Say which head is shown, and whether the choice was measured to depend on its link."""
    deciding = story.arcs[-1]
    if deciding.keys[0] == deciding.keys[1]:
        shown = _(
            "Of all heads, {head} gives the word that differs the most weight in both sentences."
        )
    else:
        shown = _(
            "Of all heads, {head} moves the most weight from one of these words to the other when "
            "the sentence changes."
        )
    said = [shown.format(head=head_name(deciding.head))]
    if story.likely.shape[1] == 1:
        said.append(_("That is where it looks, not yet why the model decides."))
        return " ".join(said)
    combination = 2 ** (len(story.arcs) - 1)
    figures = {
        f"{side}_{when}": f"{story.likely[n, at, n]:.1%}"
        for n, side in enumerate(("one", "other"))
        for when, at in (("before", 0), ("after", combination))
    }
    said.append(
        _(
            "With the link cut in all heads, *{one}* goes from {one_before} to {one_after}, and "
            "in the other sentence *{other}* from {other_before} to {other_after}."
        ).format(one=pieces[0], other=pieces[1], **figures)
    )
    found = effect(story.likely, combination)
    if found == "nothing":
        said.append(_("It is where the model looks, not why it decides."))
    elif found == "partly":
        said.append(_("The link counts, but does not decide alone."))
    else:
        said.append(_("Cut, the choice is a toss-up: for this model the link is a cause."))
        if trained:
            said.append(_("It was trained for that."))
    return " ".join(said)
