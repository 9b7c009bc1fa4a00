"""Two texts side by side, with the words marked that differ."""

from viz.components import two_texts


def test_changed_words_are_marked_and_text_is_never_markup() -> None:
    before, after = two_texts.marked("il <b>dort</b> ici", "elle <b>dort</b> ici")
    assert before.count("<mark") == after.count("<mark") == 1
    assert ">il</mark>" in before
    assert ">elle</mark>" in after
    assert "&lt;b&gt;dort&lt;/b&gt;" in before
    assert "<b>" not in before + after
