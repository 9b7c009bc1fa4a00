"""Items of QTI, run by another project's implementation of QTI 2.1: what each choice is worth."""

import io
import re
import zipfile

import pytest
from pyslet.qtiv2.core import QTIValidityError
from pyslet.qtiv2.variables import ItemSessionState
from pyslet.qtiv2.xml import QTIDocument

from viz.handout.files import quiz
from viz.handout.sheet import Sheet

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # its own renamings


@pytest.fixture
def items(sheet: Sheet) -> list[str]:
    archive = zipfile.ZipFile(io.BytesIO(quiz(sheet, ".zip")))
    names = sorted(name for name in archive.namelist() if name.startswith("items/"))
    # QTI 2.1 allows MathML, which that project does not know.
    return [re.sub("<math.*?</math>", "x", archive.read(name).decode()) for name in names]


def scored(item: str, choice: str) -> tuple[float, str | None]:
    """Choose in an item, submit, and return its score and the name of the feedback, if any."""
    document = QTIDocument()
    document.read(src=io.BytesIO(item.encode()))
    session = ItemSessionState(document.root)
    session.begin_session()
    session["RESPONSE"].set_value(choice)
    session.submit_session({})
    return session["SCORE"].value, session["FEEDBACK"].value if "FEEDBACK" in session else None


def test_the_right_choice_alone_scores_and_all_show_what_follows(items: list[str]) -> None:
    first, last = items
    assert [scored(first, choice) for choice in "ABC"] == [(0, "said"), (1, "said"), (0, "said")]
    assert [scored(last, choice)[0] for choice in "AB"] == [1, 0]


def test_an_item_that_holds_what_the_specification_forbids_is_refused(items: list[str]) -> None:
    for wrong in ("<itemBody><em>x</em>", "<itemBody><prompt>x</prompt>"):
        with pytest.raises(QTIValidityError, match="in ItemBody"):
            scored(items[0].replace("<itemBody>", wrong), "A")
