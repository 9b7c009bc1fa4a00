"""The tools of the top bar: the link of a view, its figures on paper, and the mode for a class."""

import json
from pathlib import Path

from viz.components.component import renderer
from viz.language.text import _, language

_ENTRY = Path(__file__).parent / "assets" / "tools.js"


def top_bar_tools(page: str, sentence: str | None, paper: dict[str, object]) -> None:
    """Draw the buttons; a link names the `sentence`, if there is one, even where it is the first.

    Figures that are saved get the colours and the caption of `paper`.

    What stands in the address already is part of the link as it is. Streamlit draws a component
    anew only when it is told something new: the `page`, so that the address keeps the mode. The
    browser is told the language of the page too.
    """
    words = {
        "share": _("Share"),
        "copy": _("Copy the link of this view"),
        "copied": _("Link copied"),
        "refused": _("Copy this link:"),
        "present": _("Present"),
        "mode": _("Show it to a class (P): larger, without the navigation"),
    }
    told = {"page": page, "language": language(), "sentence": sentence, "words": words}
    told["paper"] = paper
    text = json.dumps(told, ensure_ascii=False)
    renderer("top_bar_tools", _ENTRY)(key="bar tools", data={"text": text}, height="content")
