"""The app without a browser, on the shipped checkpoint."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from tests.fixtures.marian_folder import TINY, write_marian
from tests.tiny_zh import write_zh_en
from viz.course.pages import named

MAIN = Path(__file__).parent.parent.parent / "viz" / "shell" / "main.py"
FIRST = "story"

# For each AppTest, Streamlit reads what every installed package says of itself (0.2 s of CPU time):
# four times the work of a page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _await_end(runner: LocalScriptRunner, timeout: float = 3) -> None:
    """Wait as one thread for another; RuntimeError when the script takes longer.

    Streamlit asks a thousand times a second, and the script waits for each question.
    """
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    if runner._script_thread.is_alive():
        _ask_again_and_again(runner, 0)


_ask_again_and_again = local_script_runner.require_widgets_deltas
local_script_runner.require_widgets_deltas = _await_end

OpenPage = Callable[..., AppTest]


def start(page: str, *boxes: str, **parameters: str | list[str]) -> AppTest:
    """Open a page as a link does: by its name in links, with the link's parameters.

    `boxes` are the keys of closed boxes that are open here. Streamlit would show the first page
    under a name that no page has: KeyError.
    """
    named(page)
    app = AppTest.from_file(str(MAIN), default_timeout=240)  # 128 steps on a busy machine
    for name, value in parameters.items():
        app.query_params[name] = value
    for key in boxes:
        app.session_state[key] = True
    if page != FIRST:
        # AppTest itself reaches a page only by way of the first one; a link does not.
        app._page_hash = calc_hash(page)
    return app.run()


@pytest.fixture(scope="session")
def tiny_zh_en(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model from Chinese to English that knows a few sentences; its name is a shipped one's."""
    return write_zh_en(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that somebody else trained: 60,000 pieces, 16 heads, random weights."""
    sizes: dict[str, int | bool | str] = {
        "d_model": 64,
        "encoder_layers": 2,
        "decoder_layers": 3,
        "encoder_ffn_dim": 96,
        "decoder_ffn_dim": 96,
        "encoder_attention_heads": 16,
        "decoder_attention_heads": 16,
    }
    return write_marian(tmp_path_factory.mktemp("marian") / "own", sizes, size=60_000)


@pytest.fixture(scope="session")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose target has pieces of its own."""
    sizes = TINY | {"share_encoder_decoder_embeddings": False}
    return write_marian(tmp_path_factory.mktemp("apart") / "apart", sizes)


@pytest.fixture
def open_page() -> OpenPage:
    """Opens pages as links do."""
    return start
