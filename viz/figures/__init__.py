"""What plotly figures are built with: colours, labels, margins."""
