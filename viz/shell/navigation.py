"""All pages: their files in viz/pages, their links, titles and icons."""

from dataclasses import dataclass

from viz.compute import examples
from viz.language.sides import side_names
from viz.language.text import _


@dataclass(frozen=True)
class PageEntry:
    """A page in the navigation, and the sentence with which the page before leads to it."""

    file: str
    link: str
    title: str
    icon: str
    promise: str


def sections() -> dict[str, tuple[PageEntry, ...]]:
    """Return the pages by the heading above them, in the order of the course."""
    return {
        _("Start"): _start(),
        _("How it works"): (*_from_words_to_a_head(), *_from_a_layer_to_learning()),
        _("Break it"): _break_it(),
        _("About"): (
            PageEntry(
                *("about/page.py", "about", _("About the model"), "info"),
                _("How good is this model, and what was it trained on?"),
            ),
        ),
    }


def course() -> tuple[PageEntry, ...]:
    """Return all pages in the order of the course."""
    return tuple(entry for entries in sections().values() for entry in entries)


def after(link: str) -> PageEntry:
    """Return the page that follows another one; the first one follows the last."""
    pages = course()
    place = next(number for number, entry in enumerate(pages) if entry.link == link)
    return pages[(place + 1) % len(pages)]


def _start() -> tuple[PageEntry, ...]:
    return (
        PageEntry(
            *("story/page.py", "story", _("The story"), "auto_stories"),
            _("That was the whole course. It began with one word that changes another."),
        ),
        PageEntry(
            *("attention/page.py", "attention", _("Attention"), "hub"),
            _("See every layer, head and word of a sentence of your own."),
        ),
    )


def _from_words_to_a_head() -> tuple[PageEntry, ...]:
    return (
        PageEntry(
            *("tokens/page.py", "tokens", _("Words to vectors"), "data_array"),
            _("The model reads no words: it reads pieces, and each piece is a vector."),
        ),
        PageEntry(
            *("positions/page.py", "positions", _("Order"), "waves"),
            _("A set of vectors has no order: how does the model know what comes first?"),
        ),
        PageEntry(
            *("head/page.py", "head", _("One head"), "linear_scale"),
            _("Take one head to pieces, from the vectors that go in to those that come out."),
        ),
        PageEntry(
            *("by_hand/page.py", "by_hand", _("By hand"), "edit_note"),
            _("The same on paper: two words, and numbers that fit into a lecture."),
        ),
        PageEntry(
            *("why/page.py", "why", _("Why it looks there"), "manage_search"),
            _("A score is a sum: see which of its parts make a head look where it looks."),
        ),
    )


def _from_a_layer_to_learning() -> tuple[PageEntry, ...]:
    return (
        PageEntry(
            *("block/page.py", "block", _("One block"), "view_agenda"),
            _("Attention is one sublayer: what do add & norm and feed-forward do to its output?"),
        ),
        PageEntry(
            *("layers/page.py", "layers", _("Through the layers"), "layers"),
            _("The same block again and again: follow one token through all the layers."),
        ),
        PageEntry(
            *("decoder/page.py", "decoder", writing(), "step_into"),
            _("Watch the decoder write the translation, one piece at a time."),
        ),
        PageEntry(
            *("recurrent/page.py", "recurrent", _("Before Transformers"), "history"),
            _("How did machines translate before, and what did attention change?"),
        ),
        PageEntry(
            *("learning/page.py", "learning", _("How it learned"), "school"),
            _("Nobody wrote these weights: see how the model learned them."),
        ),
    )


def _break_it() -> tuple[PageEntry, ...]:
    return (
        PageEntry(
            *("lab/masks_page.py", "lab_masks", _("Masks"), "visibility_off"),
            _("Now break it: let the decoder cheat, or hide a word from everybody."),
        ),
        PageEntry(
            *("lab/heads_page.py", "lab_heads", _("Heads"), "grid_on"),
            _("Switch heads off: how many can the model lose?"),
        ),
        PageEntry(
            *("lab/blocks_page.py", "lab_blocks", _("Blocks"), "layers_clear"),
            _("Leave out more than a head: a sublayer, a norm, a whole layer."),
        ),
        PageEntry(
            *("lab/scale_page.py", "lab_scale", _("Scale and positions"), "straighten"),
            _("Take away the division by √dₖ, or the order of the words."),
        ),
        PageEntry(
            *("lab/pairs_page.py", "lab_pairs", _("Two sentences"), "compare_arrows"),
            _("Change one word instead of the model, and see which heads notice."),
        ),
        PageEntry(
            *("two_models/page.py", "two_models", _("Two models"), "splitscreen"),
            _("Change the whole model: the same sentence through two of them."),
        ),
    )


def writing() -> str:
    """Name the page of the decoder after the language that it writes: "Writing French"."""
    if examples.languages() is None:
        return _("Writing the translation")
    return _("Writing {target}").format(**side_names())


FIRST = "story"
"""The link of the page that a visitor sees first."""


def page_links() -> frozenset[str]:
    """Return the links of all pages but the first."""
    return frozenset(page.link for page in course() if page.link != FIRST)
