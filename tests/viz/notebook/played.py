"""Reading and running notebooks. Their packages are imported late: that takes seconds."""

from pathlib import Path
from typing import Any


def read(path: Path) -> Any:  # noqa: ANN401
    """Read a notebook."""
    import nbformat

    return nbformat.read(path, as_version=4)


def play(notebook: Any, folder: Path) -> str:  # noqa: ANN401
    """Run the cells in a folder, until one fails; return its error, or "" where none does."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}})
    try:
        client.execute()
    except CellExecutionError as error:
        return str(error)
    return ""
