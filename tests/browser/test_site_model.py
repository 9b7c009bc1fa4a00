"""The model of a site, on the page's side: fetched once, and every fault is told by its kind."""

import json
import zlib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page

from browser.waiting import LONG
from model import Translator
from model.checkpoints.checkpoint import CHECKPOINTS, CONFIG
from tests.browser.static_host import hosted
from viz.components.component import classic
from viz.site import engine
from viz.site.pages import POLICY

CLIENT = Path(engine.__file__).parent / "assets" / "client.js"
TEXT = "I love you."

PAGE = f"""<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<script src="page.js"></script>
"""
SCRIPT = """
window.heard = { progress: [], opened: [], failed: [] };
const told = (name) => (...values) => heard[name].push(values);
window.client = headlight().openModel(PLACE, {
  progress: told("progress"), opened: told("opened"),
  failed: (fault) => heard.failed.push({ ...fault }),
});
window.ask = (question) => client.ask(question).catch((fault) => ({ ...fault }));
"""
TRANSLATION = f"ask({json.dumps({'ask': 'translate', 'text': TEXT})})"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page that has the model and nothing else."""
    folder = tmp_path_factory.mktemp("model")
    for place in (engine.SCRIPT, engine.FOLDER + "any"):
        (folder / place).parent.mkdir()
    place = {"script": engine.SCRIPT, "folder": engine.FOLDER, "files": engine.told()}
    script = classic(CLIENT) + SCRIPT.replace("PLACE", json.dumps(place))
    (folder / "page.js").write_text(script, encoding="utf-8")
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    (folder / engine.SCRIPT).write_text(engine.script(), encoding="utf-8")
    for name, content in engine.files().items():
        (folder / name).write_bytes(content)
    with hosted(folder) as address:
        yield address


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab of a browser that has kept nothing."""
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(LONG)
        yield page


def heard(page: Page) -> dict[str, Any]:
    return page.evaluate("heard")


def test_nothing_is_fetched_before_it_is_wanted_and_nothing_twice(
    tab: Page, host: str, translator: Translator
) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url.removeprefix(f"{host}/")))
    tab.goto(host)
    assert [name for name in asked if "model" in name or "live" in name] == []
    found = tab.evaluate(TRANSLATION)["translation"]["text"]
    assert found == translator.translate(TEXT).text
    marked = [f"{engine.FOLDER}{one['name']}?{one['mark']}" for one in files()]
    assert sorted(name for name in asked if engine.FOLDER in name) == sorted(marked)
    asked.clear()
    tab.reload()
    assert tab.evaluate(TRANSLATION)["translation"]["text"] == found
    assert [name for name in asked if engine.FOLDER in name] == []
    assert heard(tab)["opened"] == [[True]]


def files() -> list[Any]:
    return list(engine.told().values())


def test_its_progress_counts_every_byte(tab: Page, host: str) -> None:
    tab.goto(host)
    tab.evaluate("client.start()")
    whole = sum(one["packed"] for one in files())
    progress = heard(tab)["progress"]
    assert len(progress) > 10
    assert [read for read, _all in progress] == sorted(read for read, _all in progress)
    assert progress[-1] == [whole, whole]


def test_a_new_version_takes_the_place_of_the_old_one(tab: Page, host: str) -> None:
    tab.goto(host)
    tab.evaluate(
        f"""async () => {{
          const old = encodeURIComponent("/{engine.FOLDER}config.json.z?") + "old";
          const store = await (await navigator.storage.getDirectory())
            .getDirectoryHandle("headlight-models", {{ create: true }});
          await store.getFileHandle(old, {{ create: true }});
        }}"""
    )
    tab.evaluate("client.start()")
    assert kept(tab) == sorted(f"/{engine.FOLDER}{one['name']}?{one['mark']}" for one in files())


def kept(page: Page) -> list[str]:
    """Return the addresses of the files in the browser's store."""
    names = page.evaluate(
        """async () => {
          const root = await navigator.storage.getDirectory();
          const store = await root.getDirectoryHandle("headlight-models");
          return Array.fromAsync(store.keys());
        }"""
    )
    return sorted(map(unquote, names))


def test_two_pages_open_what_is_kept_at_once(browser: Browser, host: str) -> None:
    with browser.new_context() as context:
        first, second = context.new_page(), context.new_page()
        for page in (first, second):
            page.set_default_timeout(LONG)
            page.goto(host)
        first.evaluate("client.start()")
        second.evaluate(
            """async () => {
              const root = await navigator.storage.getDirectory();
              const store = await root.getDirectoryHandle("headlight-models");
              for await (const [name, handle] of store.entries()) {
                if (!name.includes("safetensors")) continue;
                const code = `onmessage = async ({ data }) => {
                  await data.createSyncAccessHandle();
                  postMessage("held");
                };`;
                const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
                window.holder = new Worker(url);
                const held = new Promise((done) => (holder.onmessage = done));
                holder.postMessage(handle);
                await held;
              }
            }"""
        )
        assert second.evaluate(TRANSLATION)["translation"]["text"]
        assert heard(second)["progress"] == []


def test_it_works_where_the_browser_keeps_nothing(tab: Page, host: str) -> None:
    tab.add_init_script(
        "StorageManager.prototype.getDirectory = () => Promise.reject(new Error('private'))"
    )
    tab.goto(host)
    assert tab.evaluate(TRANSLATION)["translation"]["text"]
    assert heard(tab)["opened"] == [[False]]


def test_a_missing_file_is_named(tab: Page, host: str) -> None:
    tab.route("**/tokenizer.model*", lambda route: route.fulfill(status=404))
    tab.goto(host)
    fault = {"kind": "missing", "file": "tokenizer.model.z"}
    assert tab.evaluate(TRANSLATION) == fault
    assert heard(tab)["failed"] == [fault]


SIZE = len((CHECKPOINTS / "en-fr" / CONFIG).read_bytes())
PACKED = f"{CONFIG}{engine.ENDING}"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (zlib.compress(b" "), f"{PACKED}: {SIZE} bytes expected, not 1"),
        (zlib.compress(b" " * SIZE), f"{CONFIG}: it is not JSON"),
        (b"<!doctype html>", f"{PACKED}: it cannot be inflated"),
    ],
)
def test_damaged_files_are_told_with_their_fault(
    tab: Page, host: str, body: bytes, said: str
) -> None:
    tab.route(f"**/{PACKED}*", lambda route: route.fulfill(body=body))
    tab.goto(host)
    assert tab.evaluate(TRANSLATION) == {"kind": "damaged", "said": said}


@pytest.mark.parametrize("lacking", ["Worker", "DecompressionStream"])
def test_a_browser_that_is_too_old_is_told(tab: Page, host: str, lacking: str) -> None:
    tab.add_init_script(f"delete window.{lacking}")
    tab.goto(host)
    assert tab.evaluate(TRANSLATION) == {"kind": "unsupported"}


def test_without_webassembly_it_is_only_slower(
    tab: Page, host: str, translator: Translator
) -> None:
    tab.route(
        f"**/{engine.SCRIPT}",
        lambda route: route.fulfill(
            body="delete self.WebAssembly;\n" + engine.script(), content_type="text/javascript"
        ),
    )
    tab.goto(host)
    assert tab.evaluate(TRANSLATION)["translation"]["text"] == translator.translate(TEXT).text


def test_a_cancelled_question_is_not_answered_and_a_refused_one_is(tab: Page, host: str) -> None:
    tab.goto(host)
    tab.evaluate("client.start()")
    found = tab.evaluate(
        """async () => {
          let parts = 0, answered = false;
          const long = "The cat sleeps. ".repeat(20);
          const asked = client.ask({ ask: "translate", text: long });
          asked.then(() => (answered = true));
          setTimeout(asked.cancel, 20);
          const empty = await ask({ ask: "translate", text: " " });
          const last = await ask({ ask: "steps", text: "I love you." });
          return { answered, empty };
        }"""
    )
    assert found == {
        "answered": False,
        "empty": {
            "kind": "refused",
            "said": "there is nothing to translate: the text is empty",
        },
    }
