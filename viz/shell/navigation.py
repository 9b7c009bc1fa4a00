"""All pages: their files in viz/pages, their links, titles and icons."""

from dataclasses import dataclass

from viz.shared.text import _


@dataclass(frozen=True)
class PageEntry:
    """A page in the navigation; the first one of all is at the bare link."""

    file: str
    link: str
    title: str
    icon: str


def sections() -> dict[str, tuple[PageEntry, ...]]:
    """Return the pages by the heading above them."""
    return {
        "": (
            PageEntry("story/page.py", "story", _("Start"), "auto_stories"),
            PageEntry("explorer/page.py", "attention", _("Attention"), "hub"),
            PageEntry("translation/page.py", "recording", _("Translation"), "translate"),
            PageEntry("head/page.py", "head", _("One head, step by step"), "linear_scale"),
            PageEntry("toy/page.py", "by_hand", _("By hand"), "edit_note"),
            PageEntry("why/page.py", "why", _("Why it looks there"), "manage_search"),
            PageEntry("block/page.py", "block", _("One block"), "view_agenda"),
            PageEntry("layers/page.py", "layers", _("Through the layers"), "layers"),
            PageEntry("decoder/page.py", "decoder", _("Step by step"), "step_into"),
            PageEntry("tokens/page.py", "tokens", _("Tokens and embeddings"), "data_array"),
            PageEntry("positions/page.py", "positions", _("Positions"), "waves"),
            PageEntry("recurrent/page.py", "recurrent", _("Before Transformers"), "history"),
            PageEntry("learning/page.py", "learning", _("How it learned"), "school"),
            PageEntry("about/page.py", "about", _("About the model"), "info"),
        ),
        _("What if"): (
            PageEntry("lab/masks_page.py", "lab_masks", _("Masks"), "visibility_off"),
            PageEntry("lab/heads_page.py", "lab_heads", _("Heads"), "grid_on"),
            PageEntry("lab/blocks_page.py", "lab_blocks", _("Blocks"), "layers_clear"),
            PageEntry("lab/scale_page.py", "lab_scale", _("Scale and positions"), "straighten"),
            PageEntry("lab/pairs_page.py", "lab_pairs", _("Minimal pairs"), "compare_arrows"),
            PageEntry("models/page.py", "two_models", _("Two models"), "splitscreen"),
        ),
    }


FIRST = "story"
"""The link of the page that a visitor sees first."""


def page_links() -> frozenset[str]:
    """Return the links of all pages but the first."""
    pages = (page for entries in sections().values() for page in entries)
    return frozenset(page.link for page in pages if page.link != FIRST)
