"""Components in the browser: their JavaScript modules, with all imports, as one script."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

from streamlit.components.v2 import component
from streamlit.components.v2.types import ComponentRenderer

from viz.figures import theme

_IMPORT = re.compile(r'^import (?:\{[^{}]*\} from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function\*? |const |class )", re.MULTILINE)
_NAME = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
_ENTRANCE = re.compile(r"^export (?:async )?function (\w+)", re.MULTILINE)
_SMALL = re.compile(r"(font(?:-size)?: (?:[a-z]+ |\d00 )*(?:clamp\()?)(1\d(?:\.\d+)?px)")
_PRESSES = Path(__file__).parent / "javascript" / "presses.js"
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@cache
def renderer(name: str, entry: Path) -> ComponentRenderer:
    """Register a component once under its name; the module `entry` exports `render`.

    `render({ data, parentElement, setTriggerValue, ... })` is called for every message, theme
    change and small rerun.
    """
    return component(name, js=bundle(entry), html="<div></div>\n")


def palette() -> dict[str, object]:
    """Return the colours of both themes, from which palette.js makes the current colours."""
    return {
        "light": theme.LIGHT.sequential,
        "dark": theme.DARK.sequential,
        "diverging": {"light": theme.LIGHT.diverging, "dark": theme.DARK.diverging},
        "heads": theme.HEAD_COLOURS,
        "query": theme.QUERY,
        "key": theme.KEY,
        "kinds": theme.KIND_COLOURS,
    }


def bundle(entry: Path) -> str:
    """Return the script of `classic` as a module, as Streamlit needs it.

    Nothing is drawn under a press: a button that is drawn anew before it is let go gets no click.
    Of several presses before the server's answer, each is sent.
    """
    presses = _plain(_PRESSES, _PRESSES.read_text(encoding="utf-8"))
    return f"{classic(entry)}{presses}export default heldDuringPresses(headlight().render);\n"


@cache
def classic(entry: Path) -> str:
    """Join a module and all its imports into one script around one function, `headlight`.

    The function returns what the entry exports. A file without a server needs only its source text:
    inside the function, `STYLE` is the text of the style sheets that the modules import. Small type
    in these is at least as large as `--least`, which presenter mode sets.

    Modules may import and export in these forms only: `import { a, b } from "./x.js"` or
    `import "./x.css"`, and `export` before a function, class or const at the start of a line.

    Raises ValueError for other forms of import and export, and for a name that two modules declare:
    once joined, they share one scope.
    """
    modules: dict[Path, str] = {}
    _collect(entry.resolve(), modules, set())
    scripts = {path: source for path, source in modules.items() if path.suffix == ".js"}
    sheets = "".join(source for path, source in modules.items() if path.suffix == ".css")
    style = _SMALL.sub(r"\1max(\2, var(--least, 0px))", sheets)
    code = "\n".join(_plain(path, source) for path, source in scripts.items())
    twice = [name for name, count in Counter(_NAME.findall(code)).items() if count > 1]
    if twice:
        raise ValueError(f"{entry.name}: declared in more than one module: {', '.join(twice)}")
    entrances = ", ".join(_ENTRANCE.findall(modules[entry.resolve()]))
    return "\n".join(
        (
            "const headlight = function () {",
            '"use strict";',
            f"const STYLE = {json.dumps(style)};",
            code,
            f"return {{ {entrances} }};",
            "};\n",
        )
    )


def _collect(path: Path, modules: dict[Path, str], seen: set[Path]) -> None:
    """Read a file, after all its imports."""
    if path in seen:
        return
    seen.add(path)
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        for name in _IMPORT.findall(source):
            _collect((path.parent / name).resolve(), modules, seen)
    modules[path] = source


def _plain(path: Path, text: str) -> str:
    plain = _EXPORT.sub("", _IMPORT.sub("", text))
    if left := _LEFT.search(plain):
        raise ValueError(f"{path.name}: expected an import or export that can be joined: {left[0]}")
    return plain
