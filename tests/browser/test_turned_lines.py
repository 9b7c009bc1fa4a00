"""The end of a line of the explorer is a handle: another key, and the model translates anew."""

import re

from playwright.sync_api import Locator, Page, expect

from browser.explorer_file import explorer
from model import TurnAttention, load_translator
from model.interventions import link_text

SENTENCE = "The boy sees the dog."


def opened(page: Page, app: str, query: str) -> Locator:
    page.goto(f"{app}/attention?sentence={SENTENCE.replace(' ', '+')}&{query}&view=lines")
    return explorer(page)


def turned_in_the_link(page: Page) -> TurnAttention:
    expect(page).to_have_url(re.compile(r"edits=turn\."))
    (text,) = re.findall(r"edits=(turn\.[^_&]+)", page.url)
    (turn,) = link_text.read(text).interventions
    assert isinstance(turn, TurnAttention)
    return turn


def test_a_line_of_the_alignment_is_dragged_to_another_word(page: Page, app: str) -> None:
    translator = load_translator("en-fr")
    own = translator.translate(SENTENCE)
    row = own.tokens.index("▁chien")
    tokens = translator.record(SENTENCE).source_tokens
    root = opened(page, app, f"kind=cross&layer=5&head=3&step={row + 1}")
    end = root.get_by_role("slider")
    expect(end).to_have_attribute("aria-valuetext", re.compile("dog"))
    start = end.bounding_box()
    goal = root.get_by_role("option", name=re.compile("boy")).last.bounding_box()
    assert start is not None
    assert goal is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] - 20, goal["y"] + goal["height"] / 2, steps=5)
    expect(root.locator("li.aimed")).to_contain_text("boy")
    page.mouse.up()
    turn = turned_in_the_link(page)
    assert turn == TurnAttention("cross", row, (tokens.index("▁boy"),))
    changed = translator.run(SENTENCE, [turn]).translation.text
    assert changed != own.text
    expect(page.get_by_text(changed).first).to_be_visible()
    page.go_back()
    expect(page.get_by_text(own.text).first).to_be_visible()
    expect(page).not_to_have_url(re.compile("edits"))


def test_a_line_of_a_head_is_turned_by_keyboard_in_that_head_alone(page: Page, app: str) -> None:
    root = opened(page, app, "kind=encoder&layer=1&head=2&word=3")
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
