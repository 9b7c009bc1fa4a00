"""How a token is written in a figure."""

from viz.shared.theme import token_text


def token_label(token: str) -> str:
    """Write a token for an axis or a bar, where plotly would read markup."""
    text = token_text(token)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
