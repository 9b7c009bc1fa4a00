"""The tools of the top bar: the link of a view, its figures on paper, and the mode for a class."""

import json
from pathlib import Path

from viz.components.component import renderer
from viz.language.text import _, language
from viz.link.offers import here
from viz.link.table import CLASSROOM

_OWN = ("present", *CLASSROOM)
"""What a view is shared without: the mode, the class, and the key of its teacher."""

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
    told = {
        "page": page,
        "language": language(),
        "view": here(**dict.fromkeys(_OWN, ""), **({"sentence": sentence} if sentence else {})),
        "modes": {"on": here(present="1"), "off": here(present="")},
        "words": words,
        "paper": paper,
    }
    text = json.dumps(told, ensure_ascii=False)
    renderer("top_bar_tools", _ENTRY)(key="bar tools", data={"text": text}, height="content")
