"""How a word of pieces is written in the browser."""

import json
import subprocess
from pathlib import Path

import viz.components
from viz.components.component import classic

SCRIPT = Path(viz.components.__file__).parent / "javascript" / "tokens.js"


def in_characters(*texts: str) -> list[str]:
    code = (
        f"{classic(SCRIPT)}\nconst {{ withCharacters }} = headlight();\n"
        f"console.log(JSON.stringify({json.dumps(texts)}.map(withCharacters)));"
    )
    done = subprocess.run(
        ["node", "-"], input=code, capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(done.stdout)


def test_bytes_are_read_as_characters_and_strays_are_one_sign() -> None:
    bytes_of = "".join(f"<0x{byte:02X}>" for byte in "猫".encode())
    strays = "<0xEC>" * 9
    assert in_characters(bytes_of, f"a{bytes_of}b", strays, "</s>", "chat") == [
        "猫",
        "a猫b",
        "\N{REPLACEMENT CHARACTER}",
        "</s>",
        "chat",
    ]
