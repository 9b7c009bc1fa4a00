"""The script behind every page: page config, navigation, the sentence box.

It stands in a folder of its own: beside a folder called pages, Streamlit would take every file in
there for a page of an older kind.
"""

from pathlib import Path

import streamlit as st

from viz.shared.text import _
from viz.shell import state

PAGES = Path(__file__).parent.parent / "pages"


def page_of(file: str, link: str, title: str, icon: str, first: bool = False) -> st.Page:
    """Make the page of a file in viz/pages; its link is `link`, or bare if it is first."""
    return st.Page(
        PAGES / file,
        title=title,
        icon=f":material/{icon}:",
        url_path=link,
        default=first,
    )


# Pixels: enough for the longest page title, the rest is for the picture.
SIDEBAR = 250
# Streamlit leaves 5rem on either side, a sixth of a projector's width, and 6rem above.
MARGINS = "<style>.stMainBlockContainer {padding: 4rem 2rem 3rem}</style>"

st.set_page_config("Headlight", "🔦", layout="wide", initial_sidebar_state=SIDEBAR)
st.html(MARGINS)
page = st.navigation(
    {
        "": [
            page_of("explorer/page.py", "explorer", _("Attention"), "hub", first=True),
            page_of("translation/page.py", "recording", _("Translation"), "translate"),
            page_of("head/page.py", "head", _("One head, step by step"), "linear_scale"),
            page_of("layers/page.py", "layers", _("Through the layers"), "layers"),
            page_of("decoder/page.py", "decoder", _("Step by step"), "step_into"),
            page_of("tokens/page.py", "tokens", _("Tokens and embeddings"), "data_array"),
            page_of("positions/page.py", "positions", _("Positions"), "waves"),
            page_of("learning/page.py", "learning", _("How it learned"), "school"),
            page_of("about/page.py", "about", _("About the model"), "info"),
        ],
        _("What if"): [
            page_of("lab/masks_page.py", "lab_masks", _("Masks"), "visibility_off"),
            page_of("lab/heads_page.py", "lab_heads", _("Heads"), "grid_on"),
            page_of("lab/scale_page.py", "lab_scale", _("Scale and positions"), "straighten"),
            page_of("lab/pairs_page.py", "lab_pairs", _("Minimal pairs"), "compare_arrows"),
        ],
    }
)
state.sentence_box()
state.open_edits()
page.run()
