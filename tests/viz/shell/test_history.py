"""The entries of the browser's history: which changes of the link Back undoes."""

import json
import subprocess
from pathlib import Path

import pytest

import viz.shell.watch
from model import TurnAttention
from viz.components.component import classic
from viz.link.edits import write

SCRIPT = Path(viz.shell.watch.__file__).parent / "assets" / "history.js"
SENTENCE = "The boy sees the dog."
TURN = TurnAttention("cross", 4, (1,))
TIED = write([TURN], SENTENCE)

PAGE = """
const performance = { now: () => 5000 }, done = [];
const window = {
  location: { href: "http://h/attention?edits=OLD", pathname: "/attention" },
  history: { pushState: () => done.push("push"), replaceState: () => done.push("replace") },
  addEventListener: () => {},
};
const setTimeout = (act) => act(), clearTimeout = () => {};
"""


@pytest.mark.parametrize(
    ("before", "after", "entry"),
    [
        ("", TIED, "push"),
        (TIED.partition("_of.")[0], TIED, "replace"),  # a component's link, and the server's
        (TIED, f"zero.e.6.4_{TIED}", "push"),
        (TIED, "", "push"),
    ],
)
def test_the_sentence_that_the_server_adds_to_changes_is_no_step(
    before: str, after: str, entry: str
) -> None:
    assert "_of." in TIED
    page = PAGE.replace("OLD", before)
    call = f"""headlight().oneEntryAPage(["edits"]);
    window.history.pushState({{}}, "", "http://h/attention?edits=" + {json.dumps(after)});
    console.log(done.join());"""
    code = page + classic(SCRIPT) + call
    done = subprocess.run(["node", "-e", code], capture_output=True, check=False, text=True)
    assert done.stdout.strip() == entry, done.stderr[-500:]
