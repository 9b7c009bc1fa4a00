"""Tokens of any tokenizer as texts with SentencePiece's mark for a space before a word."""

import re
from collections.abc import Iterable, Sequence

from model.words import WORD_START, is_special

ENDS_WORD, GOES_ON = "</w>", "##"
"""The mark with which CLIP's tokenizer ends a word, and that with which BERT's continues one."""

NOTHING = "\u2205"
"""Written for a token without text."""

_VISIBLE = {" ": WORD_START, "\n": "\u21b5", "\r": "\u21b5", "\t": "\u21e5"}


def _byte_alphabet() -> dict[str, int]:
    """Return the bytes of GPT-2's letters: printable ones stand for themselves."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(256 + number): byte for number, byte in enumerate(others)}


_BYTES = _byte_alphabet()


def texts(tokens: Iterable[object]) -> tuple[str, ...]:
    """Return the tokens of a side as texts; what is invisible gets a sign.

    Raises ValueError when one is not a text, or all are one text instead of a list.
    """
    if isinstance(tokens, str):
        raise ValueError(f"tokens must be a list of texts, not the text {tokens[:30]!r}")
    side = list(map(_checked, tokens))
    return tuple(map(_seen, _joined(_from_bytes(side))))


def is_mute_token(token: str) -> bool:
    """Tell whether a token has no text of its own, in any tokenizer: <s>, [CLS], <|im_end|>."""
    return is_special(token) or (len(token) > 2 and token[0] + token[-1] in ("<>", "[]"))


def _checked(token: object) -> str:
    if not isinstance(token, str):
        raise ValueError(
            f"tokens must be texts, not {token!r} ({type(token).__name__}); "
            "tokenizer.convert_ids_to_tokens(ids) makes them of ids"
        )
    return token


def _from_bytes(side: Sequence[str]) -> list[str]:
    """Read a side of byte-level tokens, as of GPT-2, if it is one: all its bytes are UTF-8."""
    own = [token for token in side if not is_mute_token(token)]
    letters = "".join(own)
    if not any(ord(letter) >= 256 for letter in letters) or not set(letters) <= _BYTES.keys():
        return list(side)
    try:
        bytes(_BYTES[letter] for letter in letters).decode()
    except UnicodeDecodeError:
        return list(side)
    return [token if is_mute_token(token) else _decoded(token) for token in side]


def _decoded(token: str) -> str:
    """Decode a token; bytes that are no whole letter are written as numbers."""
    return re.sub(
        "[\udc80-\udcff]",
        lambda match: f"<{ord(match[0]) - 0xDC00:02X}>",
        bytes(_BYTES[letter] for letter in token).decode(errors="surrogateescape"),
    )


def _joined(side: Sequence[str]) -> list[str]:
    """Mark the beginnings of words where tokens mark their ends, or that they go on."""
    if any(token.startswith(GOES_ON) and token != GOES_ON for token in side):
        starts = [not token.startswith(GOES_ON) for token in side]
    elif any(token.endswith(ENDS_WORD) for token in side):
        ended = (token.endswith(ENDS_WORD) or is_mute_token(token) for token in side)
        starts = [True, *ended][: len(side)]
    else:
        return list(side)
    return [
        token
        if is_mute_token(token)
        else WORD_START * start + token.removeprefix(GOES_ON).removesuffix(ENDS_WORD)
        for token, start in zip(side, starts, strict=True)
    ]


def _seen(token: str) -> str:
    shown = "".join(_VISIBLE.get(letter, letter) for letter in token)
    return shown or NOTHING
