"""The end of a line of the explorer is a handle: another key, and the model translates anew."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.explorer_file import explorer
from browser.waiting import rest
from model import (
    BlockAttention,
    Translation,
    Translator,
    TurnAttention,
    load_translator,
)
from model.interventions import link_text
from viz.compute.chances import step_chances

SENTENCE = "The boy sees the dog."


def opened(page: Page, app: str, query: str) -> Locator:
    page.goto(f"{app}/attention?sentence={SENTENCE.replace(' ', '+')}&{query}&view=lines")
    root = explorer(page)
    rest(page)
    return root


def edited_in_the_link(page: Page, kind: str) -> object:
    expect(page).to_have_url(re.compile(rf"edits={kind}\."))
    (text,) = re.findall(rf"edits=({kind}\.[^_&]+)", page.url)
    (edit,) = link_text.read(text).interventions
    return edit


def turned_in_the_link(page: Page) -> TurnAttention:
    turn = edited_in_the_link(page, "turn")
    assert isinstance(turn, TurnAttention)
    return turn


def test_a_line_of_the_alignment_is_dragged_and_cut(page: Page, app: str) -> None:
    translator = load_translator("en-fr")
    own = translator.translate(SENTENCE)
    row = own.tokens.index("▁chien")
    root = opened(page, app, f"kind=cross&layer=5&head=3&step={row + 1}")
    it_is_dragged_to_another_word(page, root, translator, own)
    rest(page)
    page.go_back()
    unchanged(page, own)
    for scissor, place in (("one", (4, 2)), ("all", (None, None))):
        scissors_cut_it(page, root, scissor, translator, place)
        rest(page)
        page.get_by_role("button", name=re.compile("Undo|Remove|✕")).first.click()
        unchanged(page, own)


def unchanged(page: Page, own: Translation) -> None:
    expect(page).not_to_have_url(re.compile("edits"))
    expect(page.get_by_text(own.text).first).to_be_visible()
    rest(page)


def it_is_dragged_to_another_word(
    page: Page, root: Locator, translator: Translator, own: Translation
) -> None:
    """While it is held, the probabilities move, and nothing beside them."""
    row = own.tokens.index("▁chien")
    turn = TurnAttention("cross", row, (translator.source(SENTENCE).tokens.index("▁boy"),))
    chances = step_chances(SENTENCE, (turn,), row)
    end, frame, said = root.get_by_role("slider"), root.locator(".frame"), root.locator(".said")
    expect(end).to_have_attribute("aria-valuetext", re.compile("dog"))
    start, place = end.bounding_box(), frame.bounding_box()
    goal = root.get_by_role("option", name=re.compile("boy")).last.bounding_box()
    assert start is not None
    assert goal is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] - 20, goal["y"] + goal["height"] / 2, steps=5)
    expect(root.locator("li.aimed")).to_contain_text("boy")
    for piece, before, after in zip(chances.pieces, chances.before, chances.after, strict=True):
        expect(said).to_contain_text(f"{piece} {100 * before:.1f}% → {100 * after:.1f}%")
    expect(page).not_to_have_url(re.compile("edits"))
    assert frame.bounding_box() == pytest.approx(place, abs=1)
    page.mouse.up()
    assert turned_in_the_link(page) == turn
    expect(said).to_contain_text(f"{100 * chances.after[1]:.1f}%")
    changed = translator.run(SENTENCE, [turn]).translation.text
    assert changed != own.text
    expect(page.get_by_text(changed).first).to_be_visible()


def scissors_cut_it(
    page: Page,
    root: Locator,
    scissor: str,
    translator: Translator,
    place: tuple[int | None, int | None],
) -> None:
    """They cut it in the head that they name, or in all."""
    recording = translator.record(SENTENCE)
    row = recording.target_tokens.index("▁chien") - 1
    frame = root.locator(".frame")
    stood = frame.bounding_box()
    expect(root.locator("[data-cut=one]")).to_contain_text(re.compile(r"chien → ·?dog in"))
    root.locator(f"[data-cut={scissor}]").click()
    cut = BlockAttention("cross", row, recording.source_tokens.index("▁dog"), *place)
    assert edited_in_the_link(page, "block") == cut
    changed = translator.run(SENTENCE, [cut]).translation.text
    expect(page.get_by_text(changed).first).to_be_visible()
    expect(page.get_by_role("button", name="Reset all")).to_be_visible()
    assert frame.bounding_box() == pytest.approx(stood, abs=1)  # the tray moves nothing


def test_a_line_of_a_head_is_turned_by_keyboard(page: Page, app: str) -> None:
    root = opened(page, app, "kind=encoder&layer=1&head=2&word=3")
    it_moves_while_an_arrow_key_is_held_and_escape_gives_it_up(page, root)
    it_is_turned_in_that_head_alone(page, root)


def it_moves_while_an_arrow_key_is_held_and_escape_gives_it_up(page: Page, root: Locator) -> None:
    end, said = root.get_by_role("slider"), root.locator(".said")
    own, before = end.get_attribute("aria-valuenow"), said.inner_text()
    key = "ArrowUp" if own != "1" else "ArrowDown"
    end.focus()
    page.keyboard.down(key)
    expect(said).to_contain_text("→")
    page.keyboard.press("Escape")
    expect(said).to_have_text(before)
    expect(end).to_have_attribute("aria-valuenow", own or "")
    page.keyboard.up(key)
    expect(page).not_to_have_url(re.compile("edits"))


def it_is_turned_in_that_head_alone(page: Page, root: Locator) -> None:
    end = root.get_by_role("slider")
    at = int(end.get_attribute("aria-valuenow") or 0)
    end.focus()
    step = 1 if at == 1 else -1
    page.keyboard.press("ArrowDown" if step > 0 else "ArrowUp")
    turn = turned_in_the_link(page)
    assert (turn.kind, turn.query, turn.heads) == ("encoder", 2, ((0, 1),))
    assert turn.keys == (at - 1 + step,)
    expect(end).to_have_attribute("aria-valuenow", str(at + step))
    expect(end).to_be_focused()


def test_several_heads_of_a_stack_have_no_end_to_drag(page: Page, app: str) -> None:
    root = opened(page, app, "kind=encoder&layer=1&head=2&heads=1-2-3")
    expect(root.locator(".field")).to_be_visible()
    expect(root.get_by_role("slider")).to_have_count(0)


def test_an_end_keeps_the_cursor_when_the_doubts_above_it_go(page: Page, app: str) -> None:
    sentence = "THE+CAT+DID+NOT+CROSS+THE+STREET."
    page.goto(f"{app}/attention?sentence={sentence}&kind=encoder&layer=1&head=2&word=2")
    end = explorer(page).get_by_role("slider")
    expect(page.locator(".st-key-doubts")).to_be_visible()
    rest(page)
    end.focus()
    page.keyboard.press("ArrowDown" if end.get_attribute("aria-valuenow") == "1" else "ArrowUp")
    turned_in_the_link(page)
    expect(page.locator(".st-key-doubts")).to_be_hidden()
    expect(end).to_be_focused()
