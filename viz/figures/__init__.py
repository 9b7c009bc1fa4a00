"""The parts that plotly figures share: colours, labels, margins, heatmaps."""
