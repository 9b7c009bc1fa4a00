"""What the explorer says can be done holds for a finger as well as for a mouse and a keyboard."""

import pytest

from viz.components.attention_explorer.words import explorer_words


@pytest.mark.parametrize("view", ["lines", "grid", "matrix"])
def test_a_hint_asks_for_no_mouse_and_no_key(view: str) -> None:
    hint = explorer_words(("en", "fr"))[f"{view} lead"]
    assert "press it" in hint
    assert not {"Click", "click", "Esc"} & set(hint.replace(".", "").replace(",", "").split())
