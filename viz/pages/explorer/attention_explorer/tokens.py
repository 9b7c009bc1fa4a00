"""What a SentencePiece token is: the start of a word, punctuation, or neither."""

SPACE = "\u2581"
_APOSTROPHE = "'"
_JOINERS = frozenset("'-")
_ENGLISH_ENDINGS = frozenset(("t", "s", "d", "m", "ll", "re", "ve"))


def is_punctuation(token: str) -> bool:
    """Tell whether a token has text and no letter or digit in it."""
    text = token.removeprefix(SPACE)
    return bool(text) and not any(character.isalnum() for character in text)


def word_numbers(tokens: tuple[str, ...], special: frozenset[str]) -> list[int]:
    """Return the number of the word each token belongs to: 0, 0, 1, ...

    Words end at spaces and punctuation. Hyphens join. An apostrophe ends a French word (l' | eau)
    but not an English one (did n ' t). Special tokens stand alone.
    """
    numbers: list[int] = []
    for index, token in enumerate(tokens):
        starts = index == 0 or _starts_word(tokens[index - 1], token, special)
        numbers.append((numbers[-1] if numbers else -1) + starts)
    return numbers


def _starts_word(previous: str, token: str, special: frozenset[str]) -> bool:
    if token.startswith(SPACE) or token in special or previous in special:
        return True
    if previous == SPACE or token in _JOINERS:
        return False
    if previous.endswith(_APOSTROPHE):
        return token not in _ENGLISH_ENDINGS
    separated = is_punctuation(token) or is_punctuation(previous)
    return separated and previous not in _JOINERS
