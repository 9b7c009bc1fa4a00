"""Figures for print: a few marks on a white page, written as SVG with real text or as PNG."""
