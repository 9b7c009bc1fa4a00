"""A parameter of the link."""

from dataclasses import dataclass
from typing import Any, Literal

from viz.link.forms import TEXT, Form

Reach = Literal["all pages", "this model", "this sentence", "this page"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of the link; a missing or senseless value means `default`.

    A parameter that reaches all pages is part of every link to another page. If it names a part of
    this model or a piece of this sentence, it means nothing for another model or sentence. If it
    belongs to a single page, or has another meaning there, `page` is that page's link. The
    browser's Back undoes each change of an `undone` parameter.
    """

    name: str
    reach: Reach
    form: Form[Any] = TEXT
    default: Any = None
    page: str = ""
    undone: bool = False

    def sense(self, text: str) -> Any:  # noqa: ANN401
        """Return the value of a text; None where it makes no sense."""
        try:
            return self.form.read(text)
        except ValueError:
            return None

    def said(self, value: object) -> str:
        """Write a value; "" where the link may omit it."""
        return "" if value == self.default else self.form.write(value)
