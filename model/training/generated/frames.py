"""The sentence frames of the generated pronoun sentences: nouns, verbs and reasons.

A frame names the roles of its two nouns, and the adjectives that explain the sentence by the first
or by the second of them. "The X didn't cross the Y because it was too Z." is explained by X when Z
is "tired", by Y when Z is "wide".

Four tables hold them: `frames.tsv` has one row for each frame, `wordings.tsv` its English and
French, `casts.tsv` its nouns and adjectives; "@weary" stands for that list of `word_lists.tsv`.
"""

from model.training.generated.frame import DEGREES, Cast, Frame, Wording
from model.training.generated.tables import rows

_LISTS = {row["name"]: row["words"].split() for row in rows("word_lists.tsv")}


def _words(cell: str) -> tuple[str, ...]:
    """Read adjectives; "@list" stands for a list of `word_lists.tsv`, else KeyError."""
    words: list[str] = []
    for word in cell.split():
        words += _words(" ".join(_LISTS[word[1:]])) if word.startswith("@") else [word]
    return tuple(words)


def _wordings(frame: str) -> tuple[Wording, ...]:
    return tuple(
        Wording(row["english"], row["french"], int(row["weight"]), bool(row["present"]))
        for row in rows("wordings.tsv")
        if row["frame"] == frame
    )


def _casts(frame: str) -> tuple[Cast, ...]:
    return tuple(
        Cast(
            row["first"],
            row["second"],
            _words(row["because of the first"]),
            _words(row["because of the second"]),
            bool(row["kin"]),
        )
        for row in rows("casts.tsv")
        if row["frame"] == frame
    )


FRAMES: tuple[Frame, ...] = tuple(
    Frame(
        row["name"],
        _wordings(row["name"]),
        _casts(row["name"]),
        degrees=(DEGREES[row["said of the first"]], DEGREES[row["said of the second"]]),
        role_decides=bool(row["role decides"]),
        determiners=bool(row["determiners"]),
        share=int(row["share"]),
        held=bool(row["held"]),
    )
    for row in rows("frames.tsv")
)
