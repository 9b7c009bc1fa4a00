"""What a page shows, in a few words and numbers that can be compared and read."""

import base64
import json
import re
from collections.abc import Collection
from html import unescape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

Shown = dict[str, Any]

# What is taken from each component's message; of a list, its length.
PARTS = {
    "attention_explorer": ("sentence", "translation", "source.tokens", "target.tokens", "start"),
    "step_decoder": ("source", "view", "problem", "tree.nodes"),
    "head_chain": ("queries", "keys", "query", "head", "heads", "divisor"),
    "architecture": ("chosen", "boxes"),
    "token_row": ("label", "tokens", "chosen"),
    "head_board": ("most", "legend", "signed", "rows"),
    "mask_board": ("name", "queries", "keys"),
}


AROUND = (
    *("top_bar_tools", "example_list", "reconnection", "watch", "head_picker", "head_links"),
    "turned_chances",
)
"""The components that stand on every page, the choice of a head, and what draws nothing itself."""


def components(page: AppTest) -> list[Any]:
    """Return a page's own components."""
    found = page.get("bidi_component")
    return [one for one in found if one.proto.component_name not in AROUND]


def views(page: AppTest) -> list[str]:
    """List the names of a page's views: those in its row, then those in its menu."""
    row = next((row for row in page.segmented_control if row.label == "View"), None)
    menu = [name for menu in page.menu_button if menu.key == "more views" for name in menu.options]
    return [*row.options, *menu] if row else []


def head_boards(page: AppTest) -> Shown:
    """Return what the boards on which a head is chosen were told; nothing where there are none."""
    found = page.get("bidi_component")
    pickers = [one for one in found if one.proto.component_name == "head_picker"]
    return message(pickers[-1]) if pickers else {}


def head_picked(page: AppTest) -> dict[str, str]:
    """Return kind, layer and head of the page's choice of a head, as links have them."""
    if not (boards := head_boards(page)):
        return {}
    chosen = boards["chosen"]
    layer, head = (str(chosen[name] + 1) for name in ("layer", "head"))
    return {"kind": chosen["kind"], "layer": layer, "head": head}


def message(component: Any) -> dict[str, Any]:  # noqa: ANN401
    """Read the JSON that a component gets, whether as text or in front of arrays."""
    if component.proto.bytes:
        length = int.from_bytes(component.proto.bytes[:4], "little")
        return json.loads(component.proto.bytes[4 : 4 + length])
    return json.loads(component.proto.json) if component.proto.json else {}


def shown(page: AppTest, parameters: Collection[str]) -> Shown:
    """Sum a page up; of the widgets, those that have one of the link's parameters as their key."""
    kept = [name for name in parameters if name in page.session_state and name != "edits"]
    picked = {name: text for name, text in head_picked(page).items() if name in parameters}
    notices = {kind: len(page.get(kind)) for kind in ("info", "warning", "error", "toast")}
    found: Shown = {
        "title": [header.value for header in page.header],
        "chosen": {name: page.session_state[name] for name in kept} | picked,
        "notices": {kind: count for kind, count in notices.items() if count},
        "chips": [one.label for one in page.button if (one.key or "").startswith("chip ")],
        "texts": [text.value for text in page.text],
        "html": [words for body in _bodies(page) if (words := _words(body))],
        "metrics": [metric.label for metric in page.metric],
        "tables": [len(table.value.columns) for table in page.dataframe],
        "figures": [_figure(json.loads(one.proto.spec)) for one in page.get("plotly_chart")],
        "components": [_component(one) for one in components(page)],
    }
    return {name: value for name, value in found.items() if value}


def _bodies(page: AppTest) -> list[str]:
    """Return what a page writes as HTML, without the top bar."""
    bodies = [one.proto.body for one in page.get("html")]
    return [body for body in bodies if "bar-said" not in body]


def _words(html: str) -> str:
    """Take the tags off, and the end of what is long."""
    bare = re.sub(r"<style.*</style>|<[^>]*>", " ", html, flags=re.DOTALL)
    text = " ".join(unescape(bare).split())
    return text if len(text) <= 100 else f"{text[:100]}…"


def _figure(spec: dict[str, Any]) -> Shown:
    layout = spec["layout"]
    notes = [note["text"] for note in layout.get("annotations", ())]
    return {
        "titles": [layout.get("title", {}).get("text", ""), *notes],
        "traces": [_trace(trace) for trace in spec["data"]],
    }


def _trace(trace: dict[str, Any]) -> list[object]:
    """Return the type of a trace, its size, and one number that its values and places make."""
    along = "x" if trace.get("orientation") == "h" else "y"
    values = numbers(trace.get("z", trace.get(along)))
    places = np.arange(1, values.size + 1).reshape(values.shape)
    total = float(np.nansum(values**2 * places)) / max(int(places.sum()), 1)
    return [trace["type"], " x ".join(map(str, values.shape)), round(total**0.5, 4)]


def numbers(values: Any) -> NDArray[np.float64]:  # noqa: ANN401
    """Read the numbers of a trace, which plotly may write in base64; texts are 0."""
    if isinstance(values, dict):
        flat = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
        shape = values.get("shape", str(flat.size)).split(",")
        return flat.reshape([int(length) for length in shape]).astype(np.float64)
    if any(isinstance(value, str) for value in values):
        return np.zeros(len(values))
    return np.array(values, dtype=np.float64)


def _component(component: Any) -> Shown:  # noqa: ANN401
    name, sent = component.proto.component_name, message(component)
    found: Shown = {"name": name}
    for part in PARTS.get(name, ()):
        value: Any = sent
        for step in part.split("."):
            value = value.get(step) if isinstance(value, dict) else None
        found[part] = len(value) if isinstance(value, list) else value
    if name == "step_decoder":
        found["branches"] = [[b["kind"], b["text"], len(b["steps"])] for b in sent["branches"]]
    if name == "head_chain":
        found["allowed"] = sum(sent["allowed"])
    if name == "head_board":
        found["off"] = sum(bool(sign) for b in sent["boards"] for row in b["off"] for sign in row)
    if name == "mask_board":
        found |= {what: sum(map(sum, sent[what])) for what in ("masked", "forbidden")}
    return found


def purposes(page: AppTest) -> dict[str, str]:
    """Return what the drawing of the architecture says of each block, by its site."""
    (drawing,) = [one for one in components(page) if one.proto.component_name == "architecture"]
    return {box["site"]: box["said"] for box in message(drawing)["boxes"]}
