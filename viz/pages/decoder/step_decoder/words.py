"""The texts that the step decoder writes on screen, by the names that its JavaScript uses."""

from viz.compute import examples
from viz.figures.labels import kind_names
from viz.language.text import _


def decoder_words() -> dict[str, str]:
    """Return all texts, translated; the component itself fills in the placeholders in braces."""
    return (
        _controls()
        | _picture()
        | _odds()
        | _reasons()
        | _branches()
        | _tree()
        | _given()
        | _growth()
    )


def _controls() -> dict[str, str]:
    return {
        "strategy": _("Strategy"),
        "greedy": _("Greedy"),
        "beam": _("Beam"),
        "sampling": _("Sampling"),
        "greedy hint": _("Always take the most probable piece."),
        "beam hint": _("Follow several translations at once and keep the best ones."),
        "sampling hint": _("Draw each piece at random, by its probability."),
        "width": _("Beam width"),
        "penalty": _("Length penalty"),
        "penalty hint": _("0 compares plain log-probabilities; more favours longer translations."),
        "temperature": _("Temperature"),
        "temperature hint": _("Divides the logits: below 1 sharpens, above 1 flattens."),
        "top_k": _("Top-k"),
        "top_k hint": _("Only the k most probable pieces may be drawn."),
        "top_p": _("Top-p"),
        "top_p hint": _("Only the fewest pieces that together reach p may be drawn."),
        "all": _("all"),
        "seed": _("Seed"),
        "roll": _("Roll again"),
        "previous": _("Previous"),
        "next": _("Next"),
        "play": _("Play"),
        "pause": _("Pause"),
        "step": _("Step"),
        "step of": _("Step {step} of {steps}"),
        "speed": _("Speed"),
        "keys": _("Keys: left, right, space"),
    }


def _picture() -> dict[str, str]:
    return {
        "head": _("Head"),
        "open": _("All heads"),
        "line": _("The heads of layer {layer}"),
        "key": _("key: who is looked at"),
        "query": _("query: who is looking"),
        "newest": _("(newest position, to write {piece})"),
        "cross": _("Cross-attention: into the source"),
        "no cross": _("No attention: one fixed vector of the source at every step"),
        "self": _("Self-attention: into its own past"),
        "no self": _("Recurrence: a state that each piece changes"),
        "mask": _("look-ahead mask, row {step}"),
        "may": _("may look"),
        "may not": _("hidden: comes later"),
        "next slot": _("next"),
        "legend": _("weight"),
        "weight": _("to write {query}, {weight} on {key}"),
        "found": _(
            "{place}: to write {piece} ({probability}), the largest weight is on {key}, {weight}."
        ),
        "found open": _("{place}: for the next piece, the largest weight is on {key}, {weight}."),
        "found off": _(
            "{place} is switched off: {piece} ({probability}) is written without what it looks at."
        ),
        "found open off": _(
            "{place} is switched off: the next piece comes without what it looks at."
        ),
        "writing": _("writing {word}"),
        "place mean": _("mean of all layers and heads"),
        "place only": _("its only head"),
        "place layer": _("layer {layer}, mean of its heads"),
        "place head": _("head {head}, mean over layers"),
        "place cross": f"{kind_names()['cross']} {{layer}}.{{head}}",
        "place self": f"{kind_names()['decoder']} {{layer}}.{{head}}",
        "place label": _("layer {layer}, head {head}"),
    }


def _odds() -> dict[str, str]:
    typed = examples.current().typed or "…"
    return {
        "what next": _("What comes next?"),
        "bars hint": _("Click a piece to force it here."),
        "rest": _("the other {count} pieces together"),
        "rest few": _("the other {count}"),
        "before": _("{probability} before"),
        "tick": _("The tick in a bar is the model's own probability."),
        "cut": _("cut"),
        "kept pieces": _("{count} of {total} pieces can be drawn."),
        "kept about": _("About {count} of {total} pieces can be drawn."),
        "taken": _("taken"),
        "force": _("Force {token} at step {step}"),
        "type": _("Type a piece"),
        "type hint": _("{piece} is a new word, +s goes on with the last one, </s> ends").format(
            piece=typed
        ),
        "type empty": _("Type a piece first, such as {piece}.").format(piece=typed),
        "force it": _("Force it"),
        "draw strip": _("The draw {draw} on the probabilities laid end to end"),
    }


def _reasons() -> dict[str, str]:
    return {
        "why": _("Why"),
        "why greedy": _("The most probable piece: greedy takes no other."),
        "why beam": _("On the path to the best of all hypotheses; here it ranks {rank}."),
        "why node": _("On the way to the hypothesis that you look at; here it ranks {rank}."),
        "why sampling": _("The draw {draw} falls into its slice of {probability}."),
        "why forced": _("You forced it. The model gives it {probability}: rank {rank}."),
        "why kept": _("Kept as in the branch that this one parts from."),
        "why given": _("Your translation says so. The model gives it {probability}: rank {rank}."),
        "no doubt": _("Hardly a doubt: the runner-up has {share}."),
        "no doubt smoothed": _(
            "Hardly a doubt: the runner-up has {share}. What the others have was taught: in "
            "training {smoothing} of every target went to all pieces alike (label smoothing)."
        ),
        "least sure": _("Least sure: step {step}, {piece} with {share}"),
        "would take": _("By itself it would say"),
        "ends": _("This is the end token: the translation is finished."),
        "stops": _("The translation is stopped here by the length limit."),
        "open step": _("Nothing taken yet: this is what the model expects next."),
    }


def _branches() -> dict[str, str]:
    return {
        "branches": _("Branches"),
        "branches hint": _("Force another piece at any step: both ways stay side by side here."),
        "free": _("As the model goes"),
        "free draw": _("This draw"),
        "what if": _("What if {number}"),
        "your translation": _("Your translation"),
        "log prob": _("log-probability {value}"),
        "log prob hint": _("Sum over the pieces, in nats; the nearer to 0, the likelier."),
        "difference hint": _("Difference to the first branch"),
        "parts": _("parts at step {step}"),
        "undo": _("Undo last branch"),
        "remove": _("Remove this branch"),
        "many": _("That is the most branches a page can hold: remove some first."),
        "piece hint": _("step {step}: {probability}, rank {rank}"),
    }


def _tree() -> dict[str, str]:
    return {
        "tab alignment": _("Alignment"),
        "tab tree": _("Beam tree"),
        "tab given": _("Your translation"),
        "tab growth": _("How the input grows"),
        "alignment hint": _("Each row: where that step looked. Click a row to go there."),
        "alignment title": _("Cross-attention, {place}"),
        "tree hint": _(
            "Grows with the steps. Point at a node for its score; click to look from it."
        ),
        "tree forced": _(
            "Pieces forced at the beginning: {count}. The search branches only after them."
        ),
        "tree none": _("Only beam search follows several hypotheses at once."),
        "tree choose": _("Switch to beam search"),
        "kept": _("kept"),
        "pruned": _("pruned"),
        "finished": _("finished"),
        "best": _("best in the end"),
        "node": _("log-prob {log_prob}, score {score}, {fate}"),
        "looking": _("You look at a hypothesis of the beam ({fate}): {text}"),
        "back": _("Back"),
        "go on": _("Go on from here"),
        "more pruned": _("{count} more pruned"),
    }


def _given() -> dict[str, str]:
    return {
        "given hint": _(
            "Teacher forcing: the decoder gets your pieces instead of its own, and says at each "
            "step how probable your next one is."
        ),
        "given label": _("A translation of your own"),
        "judge": _("Ask the model"),
        "clear": _("Clear"),
        "your piece": _("your piece"),
        "probability": _("probability"),
        "rank": _("rank"),
        "model says": _("the model would say"),
        "same": _("the same"),
        "given empty": _("Type a translation first."),
        "total": _(
            "Together a log-probability of {log_prob}; the model's own translation has {own}."
        ),
        "total draw": _("Together a log-probability of {log_prob}; this draw has {own}."),
    }


def _growth() -> dict[str, str]:
    return {
        "growth hint": _(
            "At step {step} the decoder gets {step} pieces and gives {step} rows of logits, one "
            "after each piece. Only the last row is used; the others were used before."
        ),
        "goes in": _("goes in"),
        "comes out": _("comes out"),
        "ids": _("pieces"),
        "vectors": _("vectors"),
        "logits": _("logits"),
        "row used": _("row {step} chose {token}"),
        "row forced": _("row {step} would say {best}; {token} was forced"),
        "row open": _("row {step}: what comes next"),
        "row before": _("row {row} was used at step {row}"),
        "dim T": _("T: pieces so far"),
        "dim D": _("D: width of the model"),
        "dim V": _("V: pieces in the vocabulary"),
    }
