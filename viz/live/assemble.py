"""Assemble the kernel: `python -m viz.live.assemble`, with wabt's wat2wasm."""

import base64
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "kernel.wat"
SHIPPED = Path(__file__).parent / "kernel_bytes.js"


def assembled() -> str:
    """Return the module that holds the assembled kernel.

    Raises FileNotFoundError without wat2wasm, and CalledProcessError when the source is wrong.
    """
    command = ["wat2wasm", str(SOURCE), "--output=-"]
    done = subprocess.run(command, check=True, capture_output=True, timeout=60)
    return (
        "/** The bytes that `python -m viz.live.assemble` makes of kernel.wat, in base64. */\n"
        f'export const KERNEL_BYTES =\n  "{base64.b64encode(done.stdout).decode()}";\n'
    )


if __name__ == "__main__":
    SHIPPED.write_text(assembled(), encoding="utf-8")
