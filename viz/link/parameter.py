"""A parameter of the link."""

from dataclasses import dataclass
from typing import Any, Literal

from viz.link.forms import TEXT, Form

Reach = Literal["all pages", "this model", "this sentence", "this page"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of the link; if it is missing or makes no sense, it is `default`.

    One that reaches all pages is part of every link to another page. One that names something of
    this model or of this sentence (of its pieces) means nothing for another one. One of a single
    page, or with another meaning on another page, has that page's link as its `page`. The browser's
    Back takes back each change of an `undone` one.
    """

    name: str
    reach: Reach
    form: Form[Any] = TEXT
    default: Any = None
    page: str = ""
    undone: bool = False

    def sense(self, text: str) -> Any:  # noqa: ANN401
        """Read a text; None where it makes no sense."""
        try:
            return self.form.read(text)
        except ValueError:
            return None

    def said(self, value: object) -> str:
        """Write a value; "" where the link may omit it."""
        return "" if value == self.default else self.form.write(value)
