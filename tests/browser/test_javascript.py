"""What single functions of the components return, without a page around them."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from viz.components import component
from viz.components.attention_explorer import payload
from viz.components.component import classic
from viz.components.message import pack

SHARED = Path(component.__file__).parent / "javascript"
EXPLORER = Path(payload.__file__).parent / "assets"

Call = Callable[[Path, str, object], Any]


@pytest.fixture
def call(page: Page) -> Call:
    """Evaluate a function of what a module exports and of a value."""

    def call(module: Path, function: str, value: object) -> Any:  # noqa: ANN401
        page.add_script_tag(content=f"{classic(module)}window.own = headlight();")
        return page.evaluate(f"(value) => ({function})(window.own, value)", value)

    return call


LINKS = """({ linksOf }, { rows, columns, weights, heads }) => {
    const series = Array.from({ length: heads }, (_, head) => ({ head, weights }));
    const app = { rows, columns, series };
    return [linksOf(app, null).map((link) => link.weight), app.faintest];
}"""


@pytest.mark.parametrize("weight", [1.0, 0.9999, 1 / 12, 0.2, 0.051])
def test_links_of_one_weight_are_all_drawn_however_many(call: Call, weight: float) -> None:
    weight = float(np.float32(weight))
    alone = {"rows": 126, "columns": 1, "heads": 8, "weights": [weight] * 126}
    weights, faintest = call(EXPLORER / "lines.js", LINKS, alone)
    assert weights == [weight] * 126 * 8
    assert faintest <= weight


def test_of_more_than_a_thousand_links_the_strongest_are_drawn(call: Call) -> None:
    weights = np.random.default_rng(1).uniform(size=(60, 60)).astype(np.float32)
    drawn, faintest = call(
        EXPLORER / "lines.js",
        LINKS,
        {"rows": 60, "columns": 60, "heads": 1, "weights": weights.ravel().tolist()},
    )
    assert 900 < len(drawn) <= 1000
    assert drawn == np.sort(weights[weights >= faintest]).tolist()


def test_a_state_of_another_model_is_settled_where_this_one_starts(call: Call) -> None:
    sizes = {"layers": 2, "heads": 4, "queries": 3, "keys": 3, "statistics": {}}
    start = {"kind": "cross", "heads": {"decoder": [1, 3], "cross": [0, 2]}, "query": None}
    state = {"kind": "encoder", "locks": [], "places": {"encoder": {"layer": 5, "heads": [7]}}}
    settled = call(
        EXPLORER / "state.js",
        """({ settled }, { header, kinds, state }) => settled(state, { header, kinds })""",
        {
            "kinds": {"decoder": sizes, "cross": sizes},
            "header": {"start": start, "kinds": {"decoder": sizes, "cross": sizes}},
            "state": state,
        },
    )
    assert settled["kind"] == "cross"
    assert settled["places"] == {
        "decoder": {"layer": 1, "heads": [3]},
        "cross": {"layer": 0, "heads": [2]},
    }


READ = """({ readParameters }, { payload, order }) => {
    const state = { kind: "encoder", places: {}, locks: [], order: "position" };
    const read = readParameters(new URLSearchParams({ order }), payload, state);
    return [read.state.order, read.malformed];
}"""


@pytest.mark.parametrize(
    ("order", "read"),
    [
        ("entropy", ["entropy", False]),
        *((name, ["position", True]) for name in ("constructor", "toString", "__proto__")),
    ],
)
def test_a_link_orders_heads_by_their_numbers_alone(
    call: Call, order: str, read: list[object]
) -> None:
    statistics = {"entropy": [[0.5]]}
    kinds = {
        "encoder": {"layers": 1, "heads": 1, "queries": 1, "keys": 1, "statistics": statistics}
    }
    start = {"kind": "encoder", "heads": {"encoder": [0, 0]}, "query": None}
    payload = {"kinds": kinds, "header": {"start": start, "kinds": kinds}}
    asked = {"payload": payload, "order": order}
    assert call(EXPLORER / "state.js", READ, asked) == read


def test_no_cell_of_a_table_is_a_formula(call: Call) -> None:
    texts = ["=1+1", "+1", "-1", "@a", "\t=1", 'a "b"', "·=", None, ""]
    cells = call(
        SHARED / "writing.js", "({ csvCell }, texts) => texts.map((text) => csvCell(text))", texts
    )
    assert cells == [
        *('"\'=1+1"', '"\'+1"', '"\'-1"', '"\'@a"', '"\'\t=1"', '"a ""b"""', '"·="', '""', '""')
    ]


PRESSES = """async ({ betweenPresses, heldDuringPresses }) => {
    const done = [];
    const render = heldDuringPresses((message) => done.push(message));
    await betweenPresses();
    await render("drawn at once");
    window.dispatchEvent(new Event("pointerdown"));
    render("drawn").then(() => done.push("and ended"));
    render("drawn anew");
    await null;
    window.dispatchEvent(new Event("pointerup"));
    await null;
    done.push("clicked");
    await betweenPresses();
    await null;
    return done;
}"""


TWO_PRESSES = """async ({ betweenPresses, heldDuringPresses }) => {
    const done = [];
    const render = heldDuringPresses((message) => done.push(message));
    const press = (kind) => window.dispatchEvent(new Event(kind));
    press("pointerdown");
    render("drawn");
    press("pointerup");
    press("pointerdown");  // before the timer that ends the first press
    for (let wait = 0; wait < 3; wait += 1) await new Promise((done) => setTimeout(done));
    done.push("clicked twice");
    press("pointerup");
    await betweenPresses();
    await null;
    return done;
}"""


def test_nothing_is_drawn_under_a_press_that_follows_at_once(call: Call) -> None:
    assert call(SHARED / "presses.js", TWO_PRESSES, None) == ["clicked twice", "drawn"]


def test_nothing_is_drawn_under_a_press(call: Call) -> None:
    done = call(SHARED / "presses.js", PRESSES, None)
    assert done == ["drawn at once", "clicked", "drawn", "drawn anew", "and ended"]


ANSWERS = """async ({ heldDuringPresses }) => {
    const requests = [];
    let gathered = null;
    const setTriggerValue = (name, value) => {  // as Streamlit gathers answers until its timer runs
        if (!gathered) setTimeout(() => { requests.push(gathered); gathered = null; });
        gathered = [...(gathered ?? []), [name, value]];
        if (value === "refused") throw new Error(value);
    };
    let send;
    await heldDuringPresses((told) => { send = told.setTriggerValue; })({ setTriggerValue });
    send("press", 1);
    send("press", 2);
    send("turned", 3);
    for (let wait = 0; wait < 9; wait += 1) await new Promise((done) => setTimeout(done));
    try { send("press", "refused"); } catch {}
    send("press", 4);
    for (let wait = 0; wait < 9; wait += 1) await new Promise((done) => setTimeout(done));
    return requests;
}"""


def test_presses_that_come_before_the_browser_sends_them_are_sent_one_by_one(call: Call) -> None:
    requests = call(SHARED / "presses.js", ANSWERS, None)
    assert requests == [
        [["press", 1]], [["press", 2]], [["turned", 3]], [["press", "refused"]], [["press", 4]]
    ]  # fmt: skip


def test_half_precision_is_read_with_infinities_and_nan(call: Call) -> None:
    bits = np.arange(65536, dtype="<u2")
    message = pack({}, {"halves": bits.view("<f2")})
    read = call(
        SHARED / "message.js",
        """({ readMessage }, bytes) => {
            const { values } = readMessage(new Uint8Array(bytes)).arrays.halves;
            return Array.from(new Uint8Array(values.buffer));
        }""",
        list(message),
    )
    values = np.array(struct.unpack("<65536f", bytes(read)), np.float32)
    np.testing.assert_array_equal(values, bits.view("<f2").astype(np.float32))


def test_a_cache_forgets_what_was_used_longest_ago_and_stays_below_its_bytes(call: Call) -> None:
    asked = ["a", "b", "a", "c", "a", "b", "large", "a"]
    computed = call(
        SHARED / "bounded.js",
        """({ boundedCache }, asked) => {
            const get = boundedCache(800); // two arrays
            const computed = [];
            for (const key of asked) {
                const length = key === "large" ? 1000 : 100;
                get(key, () => { computed.push(key); return new Float32Array(length); });
            }
            return computed;
        }""",
        asked,
    )
    assert computed == ["a", "b", "c", "b", "large", "a"]
