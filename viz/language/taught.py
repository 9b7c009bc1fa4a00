"""The side tasks of a model's training in words, from the settings in its card."""

from collections.abc import Mapping, Sequence
from typing import Any

from viz.language.text import _


def taught(settings: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each side task of the training."""
    return [text for name, text in _tasks(settings).items() if _weighs(settings.get(name, 0))]


def _weighs(weights: float | Sequence[float]) -> bool:
    return any(weights) if isinstance(weights, Sequence) else bool(weights)


def _tasks(settings: Mapping[str, Any]) -> dict[str, str]:
    share = f"{settings.get('resting_share', 1):.0%}"
    carrier = f"{settings.get('carrier_layer')}.{settings.get('carrier_head')}"
    return {
        "masked": _("The encoder had to guess hidden pieces of its sentences."),
        "gender": _('From its vector at "it", it had to tell whether French says il or elle.'),
        "naming": _('From its vector at "it", it had to name the noun that "it" stands for.'),
        "neighbours": _(
            "From each token's vector in the second layer, it had to name the tokens on both sides."
        ),
        "alive": _("A loss kept the hidden units of the feed-forward layers from falling silent."),
        "resting": _(
            "**One loss was on attention itself**: the encoder's mean weight on end tokens and "
            "punctuation was to stay below {share}. Which other key a head should look at was "
            "left open."
        ).format(share=share),
        "interchange": _(
            "**It was taught what must follow from what is seen.** In pairs of sentences with "
            'another adjective, the vector at "it" was taken from the other sentence, and French '
            "had to say the other pronoun."
        ),
        "link": _(
            'With the link from "it" to both nouns forbidden in the encoder, il and elle had to be '
            "equally likely."
        ),
        "one_head": _("The same with one head alone switched off: encoder {carrier}.").format(
            carrier=carrier
        ),
        "reads": _(
            'The same when the step that writes il or elle could not look at "it". These losses '
            "judge what French says under a cut, even one of a named head; none asks a head to "
            "look at a chosen key."
        ),
        "turn": _(
            'With the weights of encoder {carrier} at "it" set onto the other noun, French had '
            "to say the other pronoun, and the adjective had to agree."
        ).format(carrier=carrier),
        "share": _(
            "Under each of these cuts, il and elle together had to keep the probability: no third "
            "word was to take it."
        ),
    }


def as_list(sentences: list[str]) -> str:
    """Write sentences as a list in Markdown, under an introduction."""
    head = _("Besides translating, this was part of its training:")
    return "\n".join((head, "", *(f"- {sentence}" for sentence in sentences)))
