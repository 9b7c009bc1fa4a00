"""No text on screen bypasses the catalogue."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

VIZ = Path(__file__).parents[3] / "viz"

SAYS = frozenset(
    (
        "markdown",
        "caption",
        "write",
        "info",
        "warning",
        "error",
        "success",
        "toast",
        "header",
        "subheader",
        "title",
        "button",
        "text_input",
        "text_area",
        "selectbox",
        "slider",
        "select_slider",
        "checkbox",
        "toggle",
        "number_input",
        "metric",
        "expander",
        "popover",
        "tabs",
        "page_link",
        "download_button",
        "link_button",
        "radio",
        "menu_button",
        "file_uploader",
        "status",
        "spinner",
        "progress",
        "text",
        "multiselect",
        "add_annotation",
    )
)
"""Methods whose first argument is read on screen."""

NAMED = frozenset(
    (
        "title",
        "title_text",
        "text",
        "name",
        "label",
        "help",
        "placeholder",
        "hovertemplate",
        "caption",
        "ticktext",
        "colorbar_title",
    )
)
"""Arguments that are read on screen."""

OURS = {"Headlight"}
"""A name, the same in every language."""


def bypassing(source: str) -> Iterator[str]:
    """Yield the words that a module writes on screen without asking for them in a language."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if method == "add_argument":  # a command line speaks English, as its errors do
            continue
        logs = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).lower() in (
            *("log", "logger", "_log", "_logger"),
        )
        said = call.args[:1] if method in SAYS and not logs else []
        said += [argument.value for argument in call.keywords if argument.arg in NAMED]
        yield from (text for node in said for text in literals(node) if has_words(text))


def literals(node: ast.expr) -> Iterator[str]:
    """Yield what is written down in an expression, aside from what other calls are given."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from (text for part in node.values for text in literals(part))
    elif isinstance(node, ast.BinOp):
        yield from (*literals(node.left), *literals(node.right))
    elif isinstance(node, ast.IfExp):
        yield from (*literals(node.body), *literals(node.orelse))
    elif isinstance(node, ast.List | ast.Tuple):
        yield from (text for part in node.elts for text in literals(part))


def has_words(text: str) -> bool:
    bare = re.sub(r"<[^>]*>|%\{[^}]*\}|`[^`]*`|\$[^$]*\$|:[\w-]+\[|:material/\w+:|#\w+", " ", text)
    return text not in OURS and bool(re.search(r"[A-Za-z]{3,}", bare))


def written_in(source: str) -> list[str]:
    """List the sentences that a script has in it."""
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    return re.findall(r"""["'`][A-Z][a-z]+ [a-z]+ [^"'`\n]*["'`]""", bare)


def offenders(ending: str, texts: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    """List the files of the app with this ending that have such texts, and the texts."""
    files = [path for path in VIZ.rglob(f"*{ending}") if "node_modules" not in path.parts]
    assert len(files) > 50
    found = {path: [*texts(path.read_text(encoding="utf-8"))] for path in files}
    return {str(path.relative_to(VIZ)): said for path, said in found.items() if said}


def test_python_asks_for_what_it_writes() -> None:
    assert offenders(".py", bypassing) == {}


def test_a_component_is_told_its_sentences() -> None:
    assert offenders(".js", written_in) == {}


def test_a_sentence_in_a_script_is_found() -> None:
    source = '// "Not in a comment"\nlabel.textContent = "Two words here";\n'
    assert written_in(source) == ['"Two words here"']


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('st.caption("Two words")', ["Two words"]),
        ('st.caption(_("Two words"))', []),
        ('column.metric(f"Layer {layer}", value)', ["Layer "]),
        ('figure.update_xaxes(title="key")', ["key"]),
        ('st.markdown("**" + _("key") + "**")', []),
        ('st.info("yes" if good else _("no"))', ["yes"]),
        ('logger.warning("lesson left out")', []),
    ],
)
def test_what_bypasses_is_found(source: str, found: list[str]) -> None:
    assert list(bypassing(source)) == found
