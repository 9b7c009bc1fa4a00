"""Every wait in tests and benchmarks has a limit, and says what it waited for."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("benchmarks", "browser", "tests")


def endless(source: str) -> list[str]:
    """List the waits without a limit: processes, threads, addresses, promises in a browser."""
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _waits(node) and not _limited(node):
            found.append(f"line {node.lineno}: {ast.unparse(node)[:60]}")
    found += [
        f"line {node.lineno}: while {ast.unparse(node.test)[:60]}"
        for node in ast.walk(tree)
        if isinstance(node, ast.While) and _sleeps(node) and "monotonic" not in ast.unparse(node)
    ]
    promises = any(
        isinstance(node, ast.Constant) and "new Promise(" in str(node.value)
        for node in ast.walk(tree)
    )
    if promises and "setTimeout(() => done(" not in source and "limited(" not in source:
        found.append("a promise that nobody needs to keep")
    return found


def _waits(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(ast.Name("subprocess"), "run" | "check_call" | "check_output"):
            return True
        case ast.Attribute(_, "urlopen"):
            return True
        case ast.Attribute(ast.Constant(), "join"):
            return False
        case ast.Attribute(_, "wait" | "join" | "communicate"):
            return not call.args
    return False


def _sleeps(loop: ast.While) -> bool:
    calls = [node for node in ast.walk(loop) if isinstance(node, ast.Call)]
    return any(ast.unparse(call.func).endswith("sleep") for call in calls)


def _limited(call: ast.Call) -> bool:
    return any(keyword.arg in ("timeout", "timeout_seconds") for keyword in call.keywords)


def test_no_wait_is_endless() -> None:
    modules = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    found = {
        str(path.relative_to(ROOT)): endless(path.read_text(encoding="utf-8")) for path in modules
    }
    assert len(found) > 200
    assert {path: waits for path, waits in found.items() if waits} == {}


@pytest.mark.parametrize(
    "source",
    [
        "subprocess.run(['true'], check=True)",
        "process.wait()",
        "thread.join()",
        "urllib.request.urlopen(address)",
        "page.evaluate('new Promise(() => 0)')",
        "while not row:\n    time.sleep(0.001)",
    ],
)
def test_an_endless_wait_is_found(source: str) -> None:
    assert len(endless(source)) == 1
