import re

import pytest

from viz.shell.lessons.format import (
    Choice,
    Condition,
    Known,
    Lesson,
    LessonError,
    Question,
    Said,
    Scene,
    fill,
    number,
    parse,
)

KNOWN = Known(frozenset({"attention", "lab_heads"}), {"translation", "weight"}.__contains__)

WHOLE = """# Why il

What a pronoun
stands for.

## Look
Link: https://example.org/base/attention?sentence=It+is.&kind=cross

It is **{{weight}}**, and $\\sqrt{d_k}$ is: no measure.

A list:
- one
Expect: translation has il
Expect: weight > 0.9

## Guess

Link: /lab_heads?edits=zero.c.5.6&layer={{weight}}
Switch it off.
Question: What comes out?
- il | translation has il
- something | else | translation is not Il dort.
- nothing | otherwise
Then if translation has il: It is il.
Then: It was {{translation}}.

Think about it.
"""


def lesson(text: str) -> Lesson:
    return parse(text, "why.en.md", KNOWN)


def test_a_lesson_is_read_as_it_is_written() -> None:
    read = lesson(WHOLE)
    assert (read.name, read.file) == ("why", "why.en.md")
    assert (read.title, read.lead) == ("Why il", "What a pronoun stands for.")
    assert read.scenes == (
        Scene(
            "Look",
            "attention",
            (("sentence", "It is."), ("kind", "cross")),
            "It is **{{weight}}**, and $\\sqrt{d_k}$ is: no measure.\n\nA list:\n- one",
            None,
            (
                Condition("translation", "has", "il", 13),
                Condition("weight", ">", "0.9", 14),
            ),
            7,
        ),
        Scene(
            "Guess",
            "lab_heads",
            (("edits", "zero.c.5.6"), ("layer", "{{weight}}")),
            "Switch it off.",
            Question(
                "What comes out?",
                (
                    Choice("il", Condition("translation", "has", "il", 21)),
                    Choice("something | else", Condition("translation", "is not", "Il dort.", 22)),
                    Choice("nothing", None),
                ),
                (
                    Said("It is il.", Condition("translation", "has", "il", 24)),
                    Said("It was {{translation}}.\n\nThink about it.", None),
                ),
            ),
            (),
            18,
        ),
    )


@pytest.mark.parametrize(
    ("before", "after", "line", "problem"),
    [
        ("# Why il", "Why il", 1, "begins with its title"),
        ("## Look", "# Look", 6, "a second title"),
        ("Link: https", "https", 6, 'the scene "Look" has no link'),
        ("base/attention?", "base/atention?", 7, "no page is called 'atention'"),
        ("Expect: weight > 0.9", "Link: /attention", 14, "a second link"),
        ("Expect: weight > 0.9", "Expect: weight ~ 0.9", 14, "not a condition"),
        ("Expect: weight > 0.9", "Expect: height > 0.9", 14, "no measure is called 'height'"),
        ("Expect: weight > 0.9", "Expect: weight > much", 14, "not a number: 'much'"),
        ("**{{weight}}**", "**{{wait}}**", 9, "no measure is called 'wait'"),
        ("layer={{weight}}", "layer={{wait}}", 18, "no measure is called 'wait'"),
        ("Switch it off.", "", 18, 'the scene "Guess" says nothing'),
        ("Switch it off.", "Question: Again?", 20, "a second question"),
        ("- il | translation has il", "- il", 21, "a choice is written"),
        ("- il | translation has il", "- | translation has il", 21, "a choice is written"),
        ("- il | translation has il", "- il | otherwise", 20, "only the last choice"),
        ("- nothing | otherwise\n", "- nothing | othewise\n", 23, "not a condition: 'othewise'"),
        ("- il | translation has il\n", "Then: no.\n", 21, "Then comes after the choices"),
        ("Think about it.", "Then: again.", 27, "a second Then"),
        ("Switch it off.", "Covers: all", 19, "Covers: translation or weights"),
        ("Then if translation has il:", "Then if nothing has il:", 24, "no measure is called"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    before: str, after: str, line: int, problem: str
) -> None:
    assert before in WHOLE
    with pytest.raises(LessonError, match=rf"^why\.en\.md:{line}: .*{re.escape(problem)}"):
        lesson(WHOLE.replace(before, after, 1))


def test_a_question_needs_two_choices_and_a_lesson_a_scene() -> None:
    one = "# T\n## S\nLink: /attention\nText.\nQuestion: What?\n- a | translation has a\n"
    with pytest.raises(LessonError, match=r"why\.en\.md:5: a question needs two choices"):
        lesson(one)
    with pytest.raises(LessonError, match=r"why\.en\.md:3: no scene"):
        lesson("# T\n\nOnly a lead.")
    with pytest.raises(LessonError, match="begins with its title"):
        lesson("")


def test_measures_are_filled_in_and_formulas_left_alone() -> None:
    assert fill("{{ a b }} and {c} of {{d}}", str.upper) == "A B and {c} of D"


@pytest.mark.parametrize(
    ("text", "value"), [("0.9", 0.9), ("50 %", 0.5), ("1e-5", 1e-5), ("-3", -3)]
)
def test_numbers_are_read(text: str, value: float) -> None:
    assert number(text) == pytest.approx(value)
