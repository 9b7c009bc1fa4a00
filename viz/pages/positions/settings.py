"""The choice of the settings of the table of positions."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.results import Run
from viz.language.text import _, later
from viz.link import address
from viz.link.choice import choose_one
from viz.pages.positions.table import (
    Array,
    Layout,
    closest,
    sinusoids,
    wavelengths,
)

LAYOUTS: tuple[Layout, ...] = (later("interleaved"), later("two halves"))


WIDTHS, BASES = (8, 16, 32, 64, 128, 256, 512), (100, 1000, 10000, 100000)


@dataclass(frozen=True)
class Settings:
    """The base, the number of positions, the width and the layout of the table."""

    base: float
    length: int
    width: int
    layout: Layout

    def table(self) -> Array:
        """Compute the table (length, width)."""
        return sinusoids(np.arange(self.length), self.width, self.base, self.layout)


def settings(run: Run) -> Settings:
    """Draw the choice of base, length, width and layout in one row; return them."""
    own = run.recording.config.d_model
    widths = sorted({*WIDTHS, own})
    columns = st.container(key="choices table").columns([2, 2, 2, 3])
    base = columns[0].select_slider(_("Base"), BASES, 10000, key="base", bind=address.BOUND)
    length = columns[1].slider(_("Length"), 8, 256, 64, 8, key="length", bind=address.BOUND)
    width = columns[2].select_slider(_("d_model"), widths, own, key="width", bind=address.BOUND)
    layout = choose_one(_("Layout"), LAYOUTS, "layout", row=columns[3])
    return Settings(float(base), length, int(width), layout)


def facts(chosen: Settings) -> None:
    """Write what follows from the settings: wavelengths, and the most alike positions."""
    waves = wavelengths(chosen.width, chosen.base)
    apart, distance = closest(chosen.width, chosen.base, chosen.length)
    st.caption(
        _(
            "Waves from {shortest:.1f} to {longest:,.0f} positions long; {turned} of {pairs} "
            "pairs turn at least once within {length} positions. The two most alike positions "
            "are {apart} apart: their encodings, {norm:.2f} long, differ by {distance:.2f}."
        ).format(
            shortest=waves[0],
            longest=waves[-1],
            turned=int((waves <= chosen.length).sum()),
            pairs=len(waves),
            length=chosen.length,
            apart=apart,
            distance=distance,
            norm=np.sqrt(chosen.width / 2),
        )
    )
