"""The explorer's texts that name source and target, by language where that is known."""

from viz.language.text import _, language_name

UNSPACED = ("zh", "ja")
"""The codes of languages that are written without spaces."""


def side_words(languages: tuple[str, str] | None) -> dict[str, str]:
    """Return these texts for the codes of source and target; None means unknown languages."""
    return _known(*languages) if languages else _unknown()


def _known(source: str, target: str) -> dict[str, str]:
    """Return the texts that name the languages of both sides."""
    names = {"source": language_name(source), "target": language_name(target)}
    placeholders = {name: f"{{{name}}}" for name in ("sentence", "translation", "checkpoint")}
    words = {
        "encoder hint": _("{source} tokens look at {source} tokens (1)"),
        "decoder hint": _("{target} tokens look at the {target} tokens before them (2)"),
        "cross hint": _("{target} tokens look at {source} tokens (3)"),
        "translation": _("{target}, by the model:"),
        "caption sentence": _("{source}: {sentence}"),
        "caption translation": _("{target}, by the model: {translation}"),
        "caption checkpoint": _("Checkpoint: {checkpoint}. Made with Headlight."),
    }
    unspaced = [language_name(code) for code in (source, target) if code in UNSPACED]
    for language in unspaced:
        merged = _(
            "Pieces merged into words: weights on a word's pieces added up, weights from them "
            "averaged. {language} has no spaces: there a piece is a word, and nothing else cuts it"
        ).format(language=language)
        words |= {"words hint": merged, "note words": merged}
    return {name: word.format(**names, **placeholders) for name, word in words.items()}


def _unknown() -> dict[str, str]:
    """Return the texts for sides whose languages are unknown."""
    return {
        "encoder hint": _("Source tokens look at source tokens (1)"),
        "decoder hint": _("Target tokens look at the target tokens before them (2)"),
        "cross hint": _("Target tokens look at source tokens (3)"),
        "translation": _("Target, by the model:"),
        "caption sentence": _("Source: {sentence}"),
        "caption translation": _("Target: {translation}"),
        "caption checkpoint": _("{checkpoint}. Made with Headlight."),
    }
