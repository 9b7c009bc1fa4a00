"""All pages in the order of the course, and all facts about each of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from viz.compute import examples
from viz.language.sides import side_names
from viz.language.text import _, later

PAGES = Path(__file__).parent.parent / "pages"

Shown = Literal["its own sentences", "the sentence", "recurrent models", "no sentence"]
"""What a page's figures show; a page with its own sentences has no box for one."""


@dataclass(frozen=True)
class PageEntry:
    """A page; its texts are English, marked with `later`.

    `link` is its path in the address, `icon` the name of a Material symbol, and `name` its title in
    the navigation. `{target}` in the name stands for the language that the model writes; `untold`
    is the name where the model does not say which languages it knows.

    `lead` says under the title what to look at; `promise` is the sentence with which the previous
    page leads here. `heading` is the title above the page, if it differs from the name.

    A page that `takes_recurrent` can show recurrent models. One that `changes` the model has a line
    for the changes even if there are none. One that `mixes` opens on a head that mixes several
    keys.
    """

    link: str
    icon: str
    name: str
    promise: str
    lead: str = ""
    heading: str = ""
    untold: str = ""
    shows: Shown = "the sentence"
    takes_recurrent: bool = False
    changes: bool = False
    mixes: bool = False

    @property
    def title(self) -> str:
        """Return the title in the navigation."""
        if self.untold and examples.languages() is None:
            return _(self.untold)
        text = _(self.name)
        return text.format(**side_names()) if "{" in text else text

    @property
    def path(self) -> Path:
        """Return the page's file, in the folder called as the link."""
        return PAGES / self.link / "page.py"

    @property
    def has_box(self) -> bool:
        """Tell whether the top bar has a box for the sentence that this page shows."""
        return self.shows != "its own sentences"


SECTIONS: dict[str, tuple[PageEntry, ...]] = {
    later("Start"): (
        PageEntry(
            "story",
            "auto_stories",
            later("The story"),
            later("That was the whole course. It began with one word that changes another."),
            shows="its own sentences",
            takes_recurrent=True,
        ),
        PageEntry(
            "attention",
            "hub",
            later("Attention"),
            later("See every layer, head and word of a sentence of your own."),
            later(
                "Each **query** looks at its **keys**: the stronger a line or a cell, the more it "
                "takes."
            ),
            takes_recurrent=True,
        ),
    ),
    later("How it works"): (
        PageEntry(
            "tokens",
            "data_array",
            later("Words to vectors"),
            later("The model reads no words: it reads pieces, and each piece is a vector."),
            later(
                "The model does not read letters: it reads numbered pieces, and each number is a "
                "vector."
            ),
            takes_recurrent=True,
        ),
        PageEntry(
            "positions",
            "waves",
            later("Order"),
            later("A set of vectors has no order: how does the model know what comes first?"),
            later(
                "The encoder's attention sees a set of pieces; sines and cosines added to them "
                "tell it their order."
            ),
        ),
        PageEntry(
            "head",
            "linear_scale",
            later("One head"),
            later("Take one head to pieces, from the vectors that go in to those that come out."),
            later("Follow one query from left to right: every strip is a vector of the model."),
            takes_recurrent=True,
            mixes=True,
        ),
        PageEntry(
            "by_hand",
            "edit_note",
            later("By hand"),
            later("The same on paper: two words, and numbers that fit into a lecture."),
            later(
                "Two words whose numbers you can type, why scores are divided, and how much room "
                "there is."
            ),
            shows="no sentence",
        ),
        PageEntry(
            "why",
            "manage_search",
            later("Why it looks there"),
            later("A score is a sum: see which of its parts make a head look where it looks."),
            later(
                "Scores and logits are exact sums: of the embedding, the position, and all that "
                "was added."
            ),
        ),
        PageEntry(
            "block",
            "view_agenda",
            later("One block"),
            later(
                "Attention is one sublayer: what do add & norm and feed-forward do to its output?"
            ),
            later(
                "Attention is one part of a layer. These are the others, down to the last number."
            ),
        ),
        PageEntry(
            "layers",
            "layers",
            later("Through the layers"),
            later("The same block again and again: follow one token through all the layers."),
            later("See what flows out of every block, and follow one token from layer to layer."),
            takes_recurrent=True,
        ),
        PageEntry(
            "decoder",
            "step_into",
            later("Writing {target}"),
            later("Watch the decoder write the translation, one piece at a time."),
            later(
                "Step through the decoder: where it looks, what could come next, and what it takes."
            ),
            untold=later("Writing the translation"),
            takes_recurrent=True,
        ),
        PageEntry(
            "recurrent",
            "history",
            later("Before Transformers"),
            later("How did machines translate before, and what did attention change?"),
            later(
                "Attention began between two recurrent networks: here they are, on the same "
                "sentence."
            ),
            shows="recurrent models",
            takes_recurrent=True,
        ),
        PageEntry(
            "learning",
            "school",
            later("How it learned"),
            later("Nobody wrote these weights: see how the model learned them."),
            later(
                "A finished model was once random numbers. This is what changed them, step by step."
            ),
        ),
    ),
    later("Break it"): (
        PageEntry(
            "lab_masks",
            "visibility_off",
            later("Masks"),
            later("Now break it: let the decoder cheat, or hide a word from everybody."),
            later(
                "Masks decide who may look at whom. Lift one, hide a word, or forbid links by hand."
            ),
            heading=later("Break it: masks"),
            changes=True,
        ),
        PageEntry(
            "lab_heads",
            "grid_on",
            later("Heads"),
            later("Switch heads off: how many can the model lose?"),
            later(
                "Switch heads off and watch the translation. Click a head, a layer or a whole kind."
            ),
            heading=later("Break it: heads"),
            changes=True,
        ),
        PageEntry(
            "lab_blocks",
            "layers_clear",
            later("Blocks"),
            later("Leave out more than a head: a sublayer, a norm, a whole layer."),
            later(
                "Every sublayer is LayerNorm(x + Sublayer(x)). Leave out any part of it, or a "
                "whole layer."
            ),
            heading=later("Break it: blocks"),
            changes=True,
        ),
        PageEntry(
            "lab_scale",
            "straighten",
            later("Scale and positions"),
            later("Take away the division by √dₖ, or the order of the words."),
            later(
                "Take away the division by √dₖ, or the order of the words, and watch what is left."
            ),
            heading=later("Break it: scale and positions"),
            changes=True,
        ),
        PageEntry(
            "lab_pairs",
            "compare_arrows",
            later("Two sentences"),
            later("Change one word instead of the model, and see which heads notice."),
            later(
                "Two sentences that differ in one word. Where do the translations part, and who "
                "noticed?"
            ),
            heading=later("Break it: two sentences"),
            takes_recurrent=True,
        ),
        PageEntry(
            "trace",
            "conversion_path",
            later("Trace"),
            later("Carry one vector from one sentence into the other, and see which ones matter."),
            later(
                "Take one vector from the other sentence and keep the rest: where that turns the "
                "answer, the information was there."
            ),
            heading=later("Break it: trace"),
            changes=True,
        ),
        PageEntry(
            "two_models",
            "splitscreen",
            later("Two models"),
            later("Change the whole model: the same sentence through two of them."),
            later("The same sentence through two models: what each writes, and where it looked."),
            takes_recurrent=True,
        ),
    ),
    later("All heads"): (
        PageEntry(
            "atlas",
            "map",
            later("Atlas"),
            later("One sentence is an anecdote: what does every head do over thousands?"),
            later(
                "Every square is a head, coloured by what it does over a whole corpus. Press one "
                "to see the sentences."
            ),
        ),
    ),
    later("About"): (
        PageEntry(
            "about",
            "info",
            later("About the model"),
            later("How good is this model, and what was it trained on?"),
            later(
                "All numbers on these pages come from the model that is chosen. This is its card."
            ),
            shows="no sentence",
            takes_recurrent=True,
        ),
    ),
}
"""The pages by the heading above them in the navigation."""

COURSE = tuple(entry for entries in SECTIONS.values() for entry in entries)
"""All pages in the order of the course."""

FIRST = COURSE[0].link
"""The link of the page that a visitor sees first."""

_DRAWN, _VIEW = "page drawn", "view drawn"


def named(link: str) -> PageEntry:
    """Return the page with a link; raise KeyError if there is none."""
    return {entry.link: entry for entry in COURSE}[link]


def after(link: str) -> PageEntry:
    """Return the page after the one with this link; after the last comes the first."""
    return COURSE[(COURSE.index(named(link)) + 1) % len(COURSE)]


def page_links() -> frozenset[str]:
    """Return the links of all pages but the first."""
    return frozenset(entry.link for entry in COURSE if entry.link != FIRST)


def begin_page(entry: PageEntry) -> None:
    """Note which page is drawn from here on, with no view of it yet."""
    st.session_state[_DRAWN], st.session_state[_VIEW] = entry.link, ""


def begin_view(view: str) -> None:
    """Note which view of the page is drawn from here on."""
    st.session_state[_VIEW] = view


def current_view() -> str:
    """Return the view that is drawn; "" on a page without views."""
    return st.session_state[_VIEW]


def current_page() -> PageEntry:
    """Return the page that is drawn."""
    return named(st.session_state[_DRAWN])
