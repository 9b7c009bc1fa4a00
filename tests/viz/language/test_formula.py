import pytest

from viz.language.formula import in_formula


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("头的宽度", r"\text{头的宽度}"),
        ("50 % } of", r"\text{50 \% \} of}"),
        (r"$\frac", r"\text{\$\backslash frac}"),
    ],
)
def test_no_character_of_a_text_ends_it(text: str, shown: str) -> None:
    assert in_formula(text) == shown
