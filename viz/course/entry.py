"""What the entry in a page's folder says: all facts about the page that others need to know."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from viz.link.parameter import Parameter

PAGES = Path(__file__).parent.parent / "pages"

Shown = Literal["its own sentences", "the sentence", "recurrent models", "no sentence"]
"""What a page's figures show; a page with its own sentences has no box for one."""


@dataclass(frozen=True)
class Visit:
    """What a person finds on a page, or on one of its views; a browser looks whether it is there.

    `view` is what the link says, "" for the page as it opens. All others are selectors: the main
    `picture`; parts `in_view` as a whole on stage, in any language; parts that stand `beside` each
    other, and use the width of a large screen. There are at least so many `figures` of plotly. Only
    where it is worth its time is a page looked at in the `dark`, too.
    """

    picture: str = ".stMain"
    view: str = ""
    figures: int = 0
    in_view: tuple[str, ...] = ()
    beside: str = ""
    dark: bool = False


@dataclass(frozen=True)
class PageEntry:
    """A page; its texts are English, marked with `later`.

    `icon` is the name of a Material symbol, and `name` the page's title in the navigation.
    `{target}` in the name stands for the language that the model writes; `untold` is the name where
    the model does not say which languages it knows. `lead` says under the title what to look at;
    `promise` is the sentence with which the previous page leads here. `heading` is the title above
    the page, if it differs from the name.

    A page that `takes_recurrent` can show recurrent models. One that `changes` the model has a line
    for the changes even if there are none. One that `mixes` opens on a head that mixes several
    keys. One that `measures` its sentence takes a second or two for it.

    `controls` lists the keys of the controls that the link holds, that of its views first;
    `parameters` is what else of the link is the page's own. `warmed` are those views, as the link
    says them, whose figures use parts of plotly that no page uses when it opens. `visits` are the
    page and those of its views that a browser looks at.

    `link` is the page's path in the address: the name of its folder, by which the course finds it.
    """

    icon: str
    name: str
    promise: str
    visits: tuple[Visit, ...]
    lead: str = ""
    heading: str = ""
    untold: str = ""
    shows: Shown = "the sentence"
    takes_recurrent: bool = False
    changes: bool = False
    mixes: bool = False
    measures: bool = False
    controls: str = ""
    parameters: tuple[Parameter, ...] = ()
    warmed: tuple[str, ...] = ()
    link: str = ""

    @property
    def folder(self) -> Path:
        """Return the page's folder."""
        return PAGES / self.link

    @property
    def path(self) -> Path:
        """Return the page's script."""
        return self.folder / "page.py"

    @property
    def has_box(self) -> bool:
        """Tell whether the top bar has a box for the sentence that this page shows."""
        return self.shows != "its own sentences"
