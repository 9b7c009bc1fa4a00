"""What a figure draws, for tests; plotly's own types say little about it."""

from typing import Any

import plotly.graph_objects as go


def traces(figure: go.Figure) -> list[Any]:
    drawn: Any = figure.data
    return list(drawn)


def layout(figure: go.Figure) -> Any:  # noqa: ANN401
    return figure.layout
