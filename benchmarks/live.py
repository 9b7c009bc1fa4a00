"""The model in the page beside the model in Python, on one core: `python -m benchmarks.live`.

Node, Chromium and torch take turns in one run. The figures are the time on the core of all threads
of their processes, which other work on the machine hardly changes. A sentence of 17 pieces is
translated and recorded, then again with a head switched off. Chromium reads files from its disk
cache, through a server on this machine. Then the pages of the site are used as a visitor would, and
the clock on the wall counts (benchmarks/live_pages.py): here other work on the same core adds up.
"""

import argparse
import json
import logging
import os
import re
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

import torch
from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks import live_pages, table
from browser.chromium import find_chromium
from model import load_translator
from model.checkpoints.checkpoint import CONFIG, TOKENIZER, WEIGHTS, find_folder
from model.interventions.link_text import read
from viz.components.component import classic
from viz.handout.chromium import FLAGS

WORKER = Path(__file__).parent.parent / "viz" / "live" / "worker.js"
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
)
TOGGLED = "zero.d.3.2"
ROUNDS = 15

PAGE = """<!doctype html><meta charset="utf-8"><title>live</title><script>
let worker, count = 0;
const ask = (question, transfer = []) => new Promise((done, fail) => {
  const id = ++count;
  const hear = ({ data }) => {
    if (data.id !== id || "written" in data) return;
    worker.removeEventListener("message", hear);
    if (data.answer) done(data.answer); else fail(new Error(data.error));
  };
  worker.addEventListener("message", hear);
  worker.postMessage({ id, ...question }, transfer);
});
const open = async (text) => {
  worker = new Worker("worker.js");
  const [config, weights, tokenizer] = await Promise.all([
    fetch("config.json").then((found) => found.text()),
    ...["model.safetensors", "tokenizer.model"].map((name) =>
      fetch(name).then((found) => found.arrayBuffer())),
  ]);
  const files = { config, weights, tokenizer };
  await ask({ ask: "open", files }, [weights, tokenizer]);
  await ask({ ask: "translate", text });
};
const run = async (question) => (await ask({ ask: "run", ...question })).translation.ids;
</script>"""

NODE = """
const fs = require("node:fs");
const { Worker } = require("node:worker_threads");
const folder = process.argv[1];
const bufferOf = (path) => Uint8Array.from(fs.readFileSync(path)).buffer;
const source = fs.readFileSync(`${folder}/worker.js`, "utf8")
  .replace(/serve\\(self\\)/, 'serve(require("node:worker_threads").parentPort)');
const lines = require("node:readline").createInterface({ input: process.stdin });
let worker, count = 0;
const ask = (question, transfer = []) => new Promise((done) => {
  const id = ++count;
  const hear = (data) => {
    if (data.id !== id || "written" in data) return;
    worker.off("message", hear);
    done(data.answer);
  };
  worker.on("message", hear);
  worker.postMessage({ id, ...question }, transfer);
});
lines.on("line", async (line) => {
  const question = JSON.parse(line);
  if (!worker) {
    worker = new Worker(source, { eval: true });
    const [weights, tokenizer] = ["model.safetensors", "tokenizer.model"]
      .map((name) => bufferOf(`${folder}/${name}`));
    const config = fs.readFileSync(`${folder}/config.json`, "utf8");
    await ask({ ask: "open", files: { config, weights, tokenizer } }, [weights, tokenizer]);
  }
  const { translation } = await ask({ ask: "run", ...question });
  console.log(JSON.stringify(translation.ids));
});
"""


class Engine(Protocol):
    """A model that translates and records a text, with edits and a draft, and returns the ids."""

    first: float
    """The milliseconds from a program that has just started to its first translation."""

    @property
    def processes(self) -> list[int]:
        """The processes in which the model runs."""
        ...

    def __call__(self, text: str, edits: str, draft: Sequence[int]) -> list[int]:
        """Translate and record."""
        ...


class _Cached(SimpleHTTPRequestHandler):
    """Serves files that a browser may keep, without logging."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: ANN401
        pass


@contextmanager
def served(checkpoint: Path) -> Iterator[tuple[Path, str]]:
    """Serve the page, its worker and a checkpoint; yield the folder and its address."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (CONFIG, WEIGHTS, TOKENIZER):
            (folder / file).symlink_to((checkpoint / file).resolve())
        (folder / "index.html").write_text(PAGE, encoding="utf-8")
        script = f"{classic(WORKER)}headlight().serve(self);\n"
        (folder / "worker.js").write_text(script, encoding="utf-8")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Cached, directory=name))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield folder, f"http://127.0.0.1:{server.server_port}/index.html"
        finally:
            server.shutdown()


def renderers(process: int) -> list[int]:
    """Return the processes that draw pages below a process."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(status.parent.name))
    below = [process]
    for process_ in below:
        below += children.get(process_, [])
    return [
        process_
        for process_ in below
        if "--type=renderer" in Path(f"/proc/{process_}/cmdline").read_text(encoding="utf-8")
    ]


def resident(processes: Sequence[int]) -> float:
    """Return the memory of processes in megabytes; shared memory is divided among its users."""
    rollups = (Path(f"/proc/{number}/smaps_rollup") for number in processes)
    rolled = (rollup.read_text(encoding="utf-8") for rollup in rollups)
    kilobytes = (re.search(r"^Pss: +(\d+)", rollup, re.MULTILINE) for rollup in rolled)
    return sum(int(match[1]) for match in kilobytes if match) / 1000


def on_core(processes: Sequence[int]) -> float:
    """Return the milliseconds that all threads of processes have spent on a core."""
    tasks = (
        path for number in processes for path in Path(f"/proc/{number}/task").glob("*/schedstat")
    )
    return sum(int(path.read_text().split()[0]) for path in tasks) / 1e6


def in_turns(rounds: int, runs: Mapping[str, Engine]) -> dict[str, list[float]]:
    """Time, in turns, a new sentence and a toggled head in every engine; in milliseconds."""
    times: dict[str, list[float]] = {}
    for number in range(rounds + 2):
        sentence = SENTENCES[number % 2]
        results = set()
        for name, run in runs.items():
            ids: list[int] = []
            for kind, edits in (("new", ""), ("toggled", TOGGLED)):
                started = on_core(run.processes)
                ids = run(sentence, edits, ids)
                took = on_core(run.processes) - started
                results.add((kind, tuple(ids)))
                if number >= 2:
                    times.setdefault(f"{name} {kind}", []).append(took)
        assert len(results) == 2, "they translate differently"
    return times


class InPython:
    """The model in Python; like the app, it keeps its last run without edits."""

    def __init__(self, checkpoint: str) -> None:
        """Open a checkpoint and translate once."""
        self.processes = [os.getpid()]
        started = on_core(self.processes)
        self._translator = load_translator(checkpoint)
        self._known = self._translator.run(SENTENCES[0])
        self.first = on_core(self.processes) - started

    def __call__(self, text: str, edits: str, draft: Sequence[int]) -> list[int]:
        """Translate and record."""
        near = self._known if draft else None
        run = self._translator.run(text, read(edits).interventions, near=near)
        self._known = self._known if edits else run
        return list(run.translation.ids)


class InNode:
    """The model in a worker of Node."""

    def __init__(self, folder: Path) -> None:
        """Open the checkpoint in a folder and translate once."""
        command = ["node", "-e", NODE, str(folder)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")
        self.processes = [self._process.pid]
        self(SENTENCES[0], "", ())
        self.first = on_core(self.processes)

    def __call__(self, text: str, edits: str, draft: Sequence[int]) -> list[int]:
        """Translate and record."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question(text, edits, draft)) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait(timeout=30)


class InChromium:
    """The model in a worker of a page, whose files come from the browser's disk cache."""

    def __init__(self, page: Page, address: str) -> None:
        """Open the page twice, and translate once."""
        self._page = page
        for _ in range(2):
            page.goto(address)
            self.processes = renderers(os.getpid())
            started = on_core(self.processes)
            page.evaluate("(text) => open(text)", SENTENCES[0])
            self.first = on_core(self.processes) - started

    def __call__(self, text: str, edits: str, draft: Sequence[int]) -> list[int]:
        """Translate and record."""
        asked = question(text, edits, draft)
        return self._page.evaluate("(question) => run(question)", asked)


def question(text: str, edits: str, draft: Sequence[int]) -> dict[str, object]:
    """Return a question to the worker."""
    message: dict[str, object] = {"text": text, "edits": edits}
    return {**message, "draft": list(draft)} if draft else message


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it serves nothing
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    python = InPython(options.checkpoint)
    with (
        served(find_folder(options.checkpoint)) as (folder, address),
        sync_playwright() as driver,
        tempfile.TemporaryDirectory() as profile,
        closing(InNode(folder)) as node,
        driver.chromium.launch_persistent_context(
            profile, executable_path=find_chromium(), args=list(FLAGS)
        ) as context,
    ):
        chromium = InChromium(context.new_page(), address)
        runs = {"torch": python, "Node": node, "Chromium": chromium}
        times = in_turns(options.rounds, runs)
        rows = [row(name, run, times) for name, run in runs.items()]
        pages = pages_of(context, options.rounds)
    busy = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    table(
        f"{options.rounds} rounds, milliseconds on one core: median (least)",
        ("", "to first translation", "new sentence", "head toggled", "new / torch", "MB"),
        rows,
    )
    print(f"load of the machine in the last 1, 5 and 15 minutes: {busy}\n")
    table("the pages of the site, milliseconds on the wall: median", ("", "", "bar"), pages)


def pages_of(context: BrowserContext, rounds: int) -> list[tuple[str, str, str]]:
    """Measure the live pages of the site in a fresh tab, the only one."""
    for page in context.pages:
        page.close()
    with live_pages.site() as address:
        page = context.new_page()
        return live_pages.rows(page, address, rounds, lambda: renderers(os.getpid()), resident)


def row(name: str, run: Engine, times: dict[str, list[float]]) -> list[str]:
    """Return the row of an engine."""
    new, toggled = (times[f"{name} {kind}"] for kind in ("new", "toggled"))
    ratio = statistics.median(new) / statistics.median(times["torch new"])
    figures = [f"{statistics.median(of):.0f} ({min(of):.0f})" for of in (new, toggled)]
    return [name, f"{run.first:.0f}", *figures, f"{ratio:.2f}", f"{resident(run.processes):.0f}"]


if __name__ == "__main__":
    main()
