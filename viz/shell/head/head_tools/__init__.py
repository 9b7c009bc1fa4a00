"""What the head offers for any view: its link."""

import json
from pathlib import Path

from viz.shared.component import renderer
from viz.shared.text import _

_ENTRY = Path(__file__).parent / "assets" / "head_tools.js"


def head_tools(sentence: str | None) -> None:
    """Draw the buttons; a link names the `sentence`, if there is one, even where it is the first.

    What stands in the address already is part of the link as it is.
    """
    words = {
        "share": _("Share"),
        "copy": _("Copy the link of this view"),
        "copied": _("Link copied"),
        "refused": _("Copy this link:"),
    }
    text = json.dumps({"sentence": sentence, "words": words}, ensure_ascii=False)
    renderer("head_tools", _ENTRY)(key="head tools", data={"text": text}, height="content")
