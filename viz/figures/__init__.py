"""The common parts of plotly figures: colours, labels, margins, heatmaps."""
