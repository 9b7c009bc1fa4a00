"""Names on screen for both sides of the model in force: their languages, if known."""

from viz.compute import examples
from viz.language.text import _, language_name


def side_names() -> dict[str, str]:
    """Name source and target for placeholders of these names: "English" and "French"."""
    languages = examples.languages()
    if languages is None:
        return {"source": _("source"), "target": _("target")}
    source, target = map(language_name, languages)
    return {"source": source, "target": target}
