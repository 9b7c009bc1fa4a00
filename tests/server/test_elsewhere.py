"""The app where nothing exists that only POSIX has, and where texts are cp1252 unless told."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import builtins, io, os, signal, sys
from pathlib import Path

import streamlit, torch  # what others wrote looks after itself
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from tests.elsewhere import strip_all

strip_all()

ours, open_file = (str(Path("model").resolve()), str(Path("viz").resolve())), io.open

def cp1252(file, mode="r", buffering=-1, encoding=None, *more, **named):
    frame = sys._getframe(1)
    while "pathlib" in frame.f_code.co_filename:
        frame = frame.f_back
    unnamed = "b" not in mode and encoding in (None, "locale")
    if unnamed and frame.f_code.co_filename.startswith(ours):
        encoding = "cp1252"
    return open_file(file, mode, buffering, encoding, *more, **named)

builtins.open = io.open = cp1252

from model.__main__ import main
from viz.server.class_requests import PATH, Classroom
from viz.shell.class_screen import seat

seat._address = lambda: "10.0.0.1"  # AppTest has none

sys.argv = ["model", "The cat sleeps on the heart."]
main()
page = AppTest.from_file("viz/shell/main.py", default_timeout=240)
page.query_params["lang"] = "zh"
page.run()
page.button(key="class button").click().run()
page.button(key="start class").click().run()
assert not page.exception, page.exception
code = page.session_state["class"]
assert len(code) == 6, code
answer = TestClient(Classroom(Starlette())).get(PATH, params={"class": code})
assert answer.status_code == 200, answer
print("class", answer.json()["link"])
"""


def test_a_class_begins_and_a_sentence_is_translated_where_nothing_is_posix(tmp_path: Path) -> None:
    folder = tmp_path / "élèves et amis"
    folder.mkdir()
    own = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252", "TMPDIR": str(folder)}
    own |= {"TEMP": str(folder), "XDG_RUNTIME_DIR": "", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=os.environ | own,
        capture_output=True,
        encoding="cp1252",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("Le chat dort")
    assert last.startswith("class ./")
    assert (folder / "headlight" / "classes.sqlite").is_file()
