"""The masks by their names in PyTorch, beside ours."""

import streamlit as st

from viz.figures.table import show_table
from viz.language.text import _


def show_names() -> None:
    """Draw the table of names, folded."""
    with st.expander(_("The masks by their names in PyTorch")):
        show_table(rows())
        st.markdown(
            _(
                "`torch.nn.Transformer` takes them as arguments. True in one of its Boolean masks "
                "hides a key. A mask of numbers is added to the scores: 0 lets a query look, minus "
                "infinity does not."
            )
        )


def rows() -> list[dict[str, str]]:
    """Return a row for each mask of `torch.nn.Transformer.forward`: our name, and what it hides."""
    named = {
        "tgt_mask": (
            _("look-ahead mask; links of the decoder forbidden by hand"),
            _("from each target piece, the pieces after it"),
        ),
        "src_key_padding_mask": (
            _("padding mask of the encoder; a hidden word"),
            _("from all source pieces, the padding of the source"),
        ),
        "memory_key_padding_mask": (
            _("padding mask of cross-attention; a hidden word"),
            _("from all target pieces, the padding of the source"),
        ),
        "tgt_key_padding_mask": (
            _("none: one sentence at a time has no padding behind it"),
            _("from all target pieces, the padding of the target"),
        ),
        "src_mask": (_("links of the encoder forbidden by hand"), _("links chosen one by one")),
        "memory_mask": (
            _("links of cross-attention forbidden by hand"),
            _("links chosen one by one"),
        ),
    }
    return [
        {"PyTorch": name, _("here"): ours, _("hides"): hides}
        for name, (ours, hides) in named.items()
    ]
