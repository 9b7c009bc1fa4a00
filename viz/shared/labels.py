"""How a token is written in a figure, and what the sublayers are called."""

from model.recording.sites import Sublayer
from viz.shared.text import _
from viz.shared.theme import token_text


def token_label(token: str) -> str:
    """Write a token for an axis or a bar, where plotly would read markup."""
    text = token_text(token)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def sublayer_names() -> dict[Sublayer, str]:
    """Name the sublayers as users read them."""
    return {
        "self_attn": _("self-attention"),
        "cross_attn": _("cross-attention"),
        "ffn": _("feed-forward"),
    }
