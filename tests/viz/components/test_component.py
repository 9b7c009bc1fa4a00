import re
from pathlib import Path

import pytest

from viz.components.component import bundle, classic

ROOT = Path(__file__).parents[3]
FIRST = ROOT / "viz" / "server" / "first_paint" / "assets" / "first_picture.js"
SHARED = ROOT / "viz" / "components" / "javascript"


def write(folder: Path, **modules: str) -> Path:
    """Write modules, in which a line starts where it would in a file; return the first."""
    for name, text in modules.items():
        suffix = "css" if name.startswith("style") else "js"
        (folder / f"{name}.{suffix}").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(modules))}.js"


def test_what_is_imported_comes_first_and_once(tmp_path: Path) -> None:
    main = 'import "./style.css";\nimport { b } from "./b.js";\nimport {\n  c,\n} from "./c.js";\n'
    entry = write(
        tmp_path,
        main=f"{main}\nexport function render() {{}}\n",
        b='import { c } from "./c.js";\n\nexport const b = c;\n',
        c="export const c = 1;\n",
        style='.a { content: "\\201C"; }\n',
    )
    assert classic(entry).split("\n") == [
        "const headlight = function () {",
        '"use strict";',
        'const STYLE = ".a { content: \\"\\\\201C\\"; }\\n";',
        *("const c = 1;", "", "", "const b = c;", "", "", "function render() {}", ""),
        "return { render };",
        "};",
        "",
    ]
    assert bundle(entry).startswith(classic(entry))
    assert bundle(entry).endswith("export default heldDuringPresses(headlight().render);\n")


def test_one_name_in_two_modules_is_refused(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        main='import { b } from "./b.js";\nfunction same() {}\n',
        b="export function b() {}\nconst same = 1;\n",
    )
    with pytest.raises(ValueError, match=r"main\.js: declared in more than one module: same"):
        bundle(entry)


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./b.js";',
        'import b from "./b.js";',
        'import { b } from "somewhere";',
        "export default function () {}",
        "export { b };",
    ],
)
def test_other_forms_of_import_and_export_are_refused(tmp_path: Path, line: str) -> None:
    entry = write(tmp_path, main=f"{line}\n", b="")
    with pytest.raises(ValueError, match="expected an import or export that can be joined"):
        bundle(entry)


def entries() -> list[Path]:
    """List the modules from which components, the pages of the tour and the worker start."""
    starts = re.compile(r"^export function (?:render|start|serve)\(", re.MULTILINE)
    files = sorted((ROOT / "viz").rglob("*.js"))
    return [path for path in files if starts.search(path.read_text(encoding="utf-8"))]


def test_every_module_is_in_a_component() -> None:
    text = "".join(bundle(entry) for entry in entries())
    text += FIRST.read_text(encoding="utf-8").replace("export ", "")  # the server adds it itself
    declared = re.compile(r"^export ((?:async )?(?:function\*?|const|class) \w+)", re.MULTILINE)
    for path in (ROOT / "viz").rglob("*.js"):
        if path.name == "service_worker.js":  # the browser runs it beside the pages
            continue
        for name in declared.findall(path.read_text(encoding="utf-8")):
            assert f"\n{name}" in text, f"{path}: {name}"


def test_words_and_tokens_never_become_markup() -> None:
    doors = (
        r"innerHTML|outerHTML\s*\+?=|insertAdjacentHTML|document\.write|eval\(|"
        r"createContextualFragment"
    )
    found = {entry: re.findall(doors, bundle(entry)) for entry in entries()}
    assert len(found) > 10
    assert {entry: names for entry, names in found.items() if names} == {}


def test_small_type_grows_with_the_smallest_for_a_class(tmp_path: Path) -> None:
    rules = {
        "font-size: 14px;": "font-size: max(14px, var(--least, 0px));",
        "font: 600 13px/1.2 serif;": "font: 600 max(13px, var(--least, 0px))/1.2 serif;",
        "font-size: clamp(15px, 2cqw, 19px);": (
            "font-size: clamp(max(15px, var(--least, 0px)), 2cqw, 19px);"
        ),
        "font-size: 20px;": "font-size: 20px;",
        "padding: 14px;": "padding: 14px;",
    }
    style = "".join(f".a {{ {rule} }}" for rule in rules)
    main = 'import "./style.css";\nexport function render() {}\n'
    found = bundle(write(tmp_path, main=main, style=style))
    assert "".join(f".a {{ {rule} }}" for rule in rules.values()) in found
