"""A sheet made by hand, with all that is hard to write: marks of every format, and formulas."""

import pytest

from viz.handout.sheet import Asked, Sheet, SheetScene
from viz.notebook.paper.picture import Picture, Words


@pytest.fixture
def sheet() -> Sheet:
    picture = Picture(200, 40, "a < b", (Words(10, 20, "·it & <s>"),))
    scenes = (
        SheetScene(
            1,
            "Softmax *by hand*",
            "Scores are divided by $\\sqrt{d_k}$, costs \\$5: {a} = b ~ c # d.\n\n"
            "- **one** ]]>\n- two",
            Asked("Is $W_Q$ one?", ("yes: {x}", "no = never", "~ #3"), 1, "It *is*, in $W_Q$."),
            picture,
        ),
        SheetScene(2, "2 · Only a text", "See <b>here</b>.", None, None),
        SheetScene(3, "None is right", "So it goes.", Asked("What?", ("a", "b"), None, ""), None),
        SheetScene(5, "Nothing after", "Text.", Asked("Which?", ("a", "b"), 0, ""), None),
    )
    return Sheet("my lesson", "A / B", "One *sentence*.", scenes, "en-fr (12345678)")
