"""How a word of pieces is written in the browser."""

import json
import subprocess
from pathlib import Path

import viz.components
from viz.components.component import classic
from viz.figures.theme import named

SCRIPT = Path(viz.components.__file__).parent / "javascript" / "tokens.js"


def asked(function: str, *texts: str) -> list[str]:
    code = (
        f"{classic(SCRIPT)}\nconst {{ {function} }} = headlight();\n"
        f"console.log(JSON.stringify({json.dumps(texts)}.map({function})));"
    )
    done = subprocess.run(
        ["node", "-"], input=code, capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(done.stdout)


def test_bytes_are_read_as_characters_and_strays_are_one_sign() -> None:
    bytes_of = "".join(f"<0x{byte:02X}>" for byte in "猫".encode())
    strays = "<0xEC>" * 9
    assert asked("withCharacters", bytes_of, f"a{bytes_of}b", strays, "</s>", "chat") == [
        "猫",
        "a猫b",
        "\N{REPLACEMENT CHARACTER}",
        "</s>",
        "chat",
    ]


def test_a_sign_among_words_is_in_quotes_in_python_and_in_the_browser() -> None:
    pieces = ["\u2581Tom", "\u2581(", "-", "'", "\u2581", "</s>", "\u2581l'", "他", "3", "·"]
    written = [piece.replace("\u2581", "·") for piece in pieces]
    told = ["Tom", "“(”", "“-”", "“'”", "“␣”", "</s>", "l'", "他", "3"]
    assert [named(piece) for piece in pieces][:-1] == told
    assert asked("named", *written)[:4] == told[:4]
    assert asked("named", *written)[5:9] == told[5:]
