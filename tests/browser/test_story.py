"""The first page in a browser: the switch, the arc, the ways on, and links that are older."""

import re
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from browser.explorer_file import explorer
from browser.waiting import rest
from model import BlockAttention, TurnAttention, load_translator
from tests.browser.asked import asked_by
from tests.browser.clock import pass_time, stop_clock
from tests.sentences import DECIDING, TIRED_OR_WIDE
from viz.compute import cuts

SENTENCES = (TIRED_OR_WIDE.first, TIRED_OR_WIDE.second)
Likely = dict[str, list[str]]
"""The probabilities of il and elle, by what is forbidden."""

Turned = dict[str, tuple[list[str], str]]
"""The probabilities and the translation, by the key that a head is turned to."""

KNOT, WEIGHTS = '.knot[data-arc="encoder"]', '.weight[data-arc="encoder"]'


@pytest.fixture(scope="module")
def weights() -> list[list[str]]:
    """What the named head gives to animal and to street from "it" in both, recorded here."""
    translator = load_translator("en-fr")
    found: list[list[str]] = []
    for sentence in SENTENCES:
        recording = translator.record(sentence)
        row = recording.source_tokens.index("▁it")
        head = recording.attention("encoder")[5, 3, row]
        places = [recording.source_tokens.index(piece) for piece in ("▁animal", "▁street")]
        found.append([f"{head[place]:.2f}" for place in places])
    return found


def story(page: Page, address: str) -> Locator:
    page.goto(address)
    root = arrived(page)
    expect(root).to_have_attribute("data-shown", "0")
    return root


def arrived(page: Page) -> Locator:
    """Wait until the page itself has taken the place of the first picture, and nothing moves it."""
    expect(page.locator("#first-picture")).to_have_count(0)
    expect(page.locator(".story")).to_be_visible()
    rest(page)
    return page.locator(".story")


def reloaded(page: Page) -> Locator:
    page.reload()
    return arrived(page)


def cut(page: Page, link: str) -> None:
    """Press the scissors of a link, once they rest on it."""
    expect(page.locator(".drawing")).to_have_attribute("data-moving", "")
    page.get_by_role("button", name=f"Cut the link {link}").click()


def settled(page: Page, noun: str) -> None:
    """Wait until the arc rests at a word."""
    number = page.locator(".source [data-word]", has_text=re.compile(f"^{noun}$")).first
    place = number.get_attribute("data-word") or ""
    expect(page.locator(".drawing")).to_have_attribute("data-to", place)
    expect(page.locator(".drawing")).to_have_attribute("data-moving", "")


def end_of_arc(page: Page) -> float:
    """Return how far right the arc ends, in pixels of the window."""
    return float(
        page.locator(KNOT).evaluate(
            "k => { const b = k.getBoundingClientRect(); return b.left + b.width / 2; }"
        )
    )


def middle(page: Page, word: str) -> float:
    box = page.locator(".source .word", has_text=re.compile(f"^{word}$")).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2


def untouched(page: Page) -> Locator:
    """Wait until the story is told as a first visitor sees it."""
    as_told_first = page.locator(".story[data-shown='0'][data-changed=''][data-turned='']")
    expect(as_told_first).to_be_visible()
    settled(page, "animal")
    expect(page.locator(".chances[data-moving='yes']")).to_have_count(0)
    return page.locator(".story")


def test_one_visit_shows_it_all_and_asks_the_server_nothing(
    page: Page, app: str, weights: list[list[str]], likely: Likely, turned: Turned
) -> None:
    asked = asked_by(page)
    story(page, app)
    at_first = asked.copy()
    the_switch_moves_arc_and_word_with_the_models_own_numbers(page, weights)
    it_works_by_keyboard_alone(page)
    scissors_cut_the_arc_and_the_probabilities_move(page, likely)
    an_arc_is_turned_by_keyboard_and_cutting_turns_it_back(page, turned["cross"][0])
    memory_is_carried_over_and_back(page)
    it_fits(page)
    with_reduced_motion_it_is_there_at_once(page)
    the_arc_swings_and_is_never_far_from_the_way(page)
    assert asked == at_first


def the_switch_moves_arc_and_word_with_the_models_own_numbers(
    page: Page, weights: list[list[str]]
) -> None:
    root = untouched(page)
    expect(root.locator("h1")).to_have_text("Headlight")
    expect(root.locator(".promise")).to_contain_text("Every number is the model's")
    assert end_of_arc(page) == pytest.approx(middle(page, "animal"), abs=1)
    expect(page.locator(".target .on").first).to_have_text("il")
    assert page.locator(WEIGHTS).all_text_contents() == weights[0]
    expect(page.locator(".reading")).to_contain_text(
        f"{DECIDING} looks at animal with weight {weights[0][0]}"
    )

    page.get_by_role("radio", name="wide").click()
    expect(page.locator(".target .on").first).to_have_text("elle")
    settled(page, "street")
    assert end_of_arc(page) == pytest.approx(middle(page, "street"), abs=1)
    assert page.locator(WEIGHTS).all_text_contents() == weights[1]
    expect(page.locator(".reading")).to_contain_text(f"street with weight {weights[1][1]}")
    expect(page.locator(".numbers tr.on")).to_contain_text("wide")
    page.get_by_role("radio", name="tired").click()


def the_arc_swings_and_is_never_far_from_the_way(page: Page) -> None:
    """The last of a visit: its clock stands afterwards."""
    untouched(page)
    stop_clock(page)
    places = [end_of_arc(page)]
    page.get_by_role("radio", name="wide").click()
    for milliseconds in (200, 200, 300):
        pass_time(page, milliseconds)
        places.append(end_of_arc(page))
    settled(page, "street")
    assert places == sorted(set(places)), "no steps between"
    assert places[-1] == pytest.approx(middle(page, "street"), abs=1)


def with_reduced_motion_it_is_there_at_once(page: Page) -> None:
    untouched(page)
    page.emulate_media(reduced_motion="reduce")
    at = page.get_by_role("radio", name="wide").evaluate(
        """async (button) => {
          const root = button.getRootNode();
          button.click();
          const drawing = root.querySelector('.drawing');
          return [drawing.dataset.moving, drawing.dataset.to];
        }"""
    )
    assert at[0] == ""
    settled(page, "street")
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("radio", name="tired").click()


def it_works_by_keyboard_alone(page: Page) -> None:
    untouched(page)
    page.get_by_role("radio", name="tired").focus()
    page.keyboard.press("ArrowRight")
    settled(page, "street")
    expect(page.get_by_role("radio", name="wide")).to_be_focused()
    expect(page.get_by_role("radio", name="wide")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("ArrowLeft")
    settled(page, "animal")


@pytest.fixture(scope="module")
def likely() -> Likely:
    """Return the probabilities of il and elle in the second sentence, by what is forbidden."""
    translator = load_translator("en-fr")
    own = translator.record(SENTENCES[1])
    it, *nouns = (own.source_tokens.index(piece) for piece in ("▁it", "▁animal", "▁street"))
    step = own.target_tokens.index("elle") - 1
    forbidden_by_name: dict[str, list[BlockAttention]] = {"": []}
    places = {head.kind: (head.layer, head.head) for head in cuts.heads(TIRED_OR_WIDE)}
    for end, place in (("", places), (" all", dict.fromkeys(places, (None, None)))):
        cross = [BlockAttention("cross", step, it, *place["cross"])]
        encoder = [BlockAttention("encoder", it, noun, *place["encoder"]) for noun in nouns]
        each = {"cross": cross, "encoder": encoder, "cross encoder": cross + encoder}
        forbidden_by_name |= {f"{name}{end}": some for name, some in each.items()}
    found: Likely = {}
    for name, forbidden in forbidden_by_name.items():
        recording = translator.record(SENTENCES[1], translator.translate(SENTENCES[1]), forbidden)
        logits = recording.logits[step].astype(float)
        chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        ids = [translator.tokenizer.id(piece) for piece in ("il", "elle")]
        found[name] = [f"{chances[one]:.1%}" for one in ids]
    return found


def scissors_cut_the_arc_and_the_probabilities_move(page: Page, likely: Likely) -> None:
    root = untouched(page)
    page.get_by_role("radio", name="wide").click()
    settled(page, "street")
    values = page.locator(".chances .value")
    expect(values).to_have_text(likely[""])
    encoder = page.get_by_role("button", name="Cut the link from it to animal, street")
    cross = page.get_by_role("button", name="Cut the link from elle to it")
    encoder.click()
    expect(root).to_have_attribute("data-changed", "encoder")
    expect(encoder).to_have_attribute("aria-pressed", "true")
    expect(values).to_have_text(likely["encoder"])
    expect(page.locator('.arc[data-arc="encoder"]')).to_have_class("arc cut")
    dashes = page.locator('.arc[data-arc="encoder"]').evaluate(
        "path => getComputedStyle(path).strokeDasharray"
    )
    assert dashes != "none"
    expect(page.locator('.arc[data-arc="cross"]')).to_have_class("arc")
    expect(page.locator(WEIGHTS)).to_have_text(["0.00", "0.00"])
    said = page.locator(".done")
    expect(said).to_contain_text(f"Cut: in head {DECIDING}, it may not look at animal or street.")
    expect(said).to_contain_text(f"elle {likely[''][1]} → {likely['encoder'][1]}")
    expect(said).to_contain_text(re.compile(r"\d+ other heads look at street, too"))
    everywhere = page.get_by_role("button", name="in all heads", exact=True)
    everywhere.click()
    expect(root).to_have_attribute("data-changed", "encoder all")
    expect(values).to_have_text(likely["encoder all"])
    expect(said).to_contain_text("Cut: it may not look at animal or street, in any head.")
    encoder.click()
    expect(values).to_have_text(likely[""])
    expect(root).to_have_attribute("data-changed", "")
    expect(everywhere).to_be_hidden()
    # By keyboard alone, and both at once.
    cross.focus()
    page.keyboard.press("Enter")
    expect(cross).to_have_attribute("aria-pressed", "true")
    expect(values).to_have_text(likely["cross"])
    assert likely["cross"] != likely[""]
    encoder.focus()
    page.keyboard.press("Space")
    expect(values).to_have_text(likely["cross encoder"])
    page.get_by_role("radio", name="tired").click()
    settled(page, "animal")
    expect(root).to_have_attribute("data-changed", "cross encoder")
    expect(page.locator(".arc.cut")).to_have_count(2)
    for link in ("from il to it", "from it to animal, street"):
        cut(page, link)


@pytest.fixture(scope="module")
def turned() -> Turned:
    """Return the probabilities and the translation when encoder 6.4 is turned, by its new key."""
    translator = load_translator("en-fr")
    own = translator.translate(SENTENCES[0])
    tokens = translator.record(SENTENCES[0]).source_tokens
    results: Turned = {}
    for key in ("street", "cross"):
        turn = TurnAttention("encoder", tokens.index("▁it"), (tokens.index(f"▁{key}"),), ((5, 3),))
        logits = translator.record(SENTENCES[0], own, [turn]).logits
        logits = logits[own.tokens.index("il")].astype(float)
        chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        ids = [translator.tokenizer.id(piece) for piece in ("il", "elle")]
        text = translator.run(SENTENCES[0], [turn]).translation.text
        results[key] = [f"{chances[one]:.1%}" for one in ids], text
    return results


def shown_translation(page: Page) -> list[str]:
    """Return the words of the translation on screen."""
    said = page.locator(".target").evaluate(
        """line => [...line.querySelectorAll('.word')]
          .map((word) => word.querySelector('.on')?.textContent ?? word.textContent).join(' ')"""
    )
    return said.split()


def apart(translation: str) -> list[str]:
    """Split a translation into words and marks, as the page does."""
    return re.sub(r"([.'])", r" \1 ", translation).replace(" ' ", "' ").split()


def drag(page: Page, word: str, end: str = '.handle[data-arc="encoder"]') -> None:
    """Drag the end of an arc to a word, and leave it held there."""
    start = page.locator(end).bounding_box()
    goal = page.locator(".source .word", has_text=re.compile(f"^{word}$")).bounding_box()
    assert start is not None
    assert goal is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"], steps=6)


def an_arc_is_turned_by_keyboard_and_cutting_turns_it_back(page: Page, likely: list[str]) -> None:
    root = untouched(page)
    end = page.get_by_role("slider", name=f"What it looks at, in {DECIDING}")
    expect(end).to_have_attribute("aria-valuetext", "animal")
    end.focus()
    for _ in range(20):
        if end.get_attribute("aria-valuetext") == "cross":
            break
        page.keyboard.press("ArrowRight")
    expect(end).to_have_attribute("aria-valuetext", "cross")
    settled(page, "cross")
    expect(page.locator(".chances .value")).to_have_text(likely)
    page.keyboard.press("Escape")
    settled(page, "animal")
    expect(root).to_have_attribute("data-turned", "")
    page.keyboard.press("ArrowLeft")
    expect(end).to_have_attribute("aria-valuetext", "The")
    cut(page, "from it to animal, street")
    expect(root).to_have_attribute("data-turned", "")
    expect(root).to_have_attribute("data-changed", "encoder")
    cut(page, "from it to animal, street")


def memory_is_carried_over_and_back(page: Page) -> None:
    root = untouched(page)
    values = page.locator(".chances .value")
    before = values.all_text_contents()
    carry = page.get_by_role("button", name="Carry it over from the sentence with wide")
    carry.focus()
    page.keyboard.press("Enter")
    expect(carry).to_have_attribute("aria-pressed", "true")
    expect(root).to_have_attribute("data-changed", "carry")
    expect(page.locator(".done")).to_contain_text(
        "the memory at it is that of the sentence with wide"
    )
    expect(page.locator(".done")).to_contain_text(f"il {before[0]} → ")
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-changed", "")
    expect(values).to_have_text(before)


def it_fits(page: Page) -> None:
    untouched(page)
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        rest(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        stage = page.locator(".stage").bounding_box()
        assert stage is not None
        left, right = stage["x"] - 1, stage["x"] + stage["width"] + 1
        for word in page.locator(".line .word").all():
            box = word.bounding_box()
            assert box is not None
            assert left <= box["x"] <= box["x"] + box["width"] <= right
        named = page.locator(".stage :is(.role, .end):visible").all_text_contents()
        assert {"query: who is looking", "key: who is looked at"} <= set(named)
    page.set_viewport_size({"width": 1280, "height": 900})
    rest(page)


def test_one_visit_leads_on_with_what_is_pointed_at(page: Page, app: str) -> None:
    story(page, app)
    your_own_sentence_is_one_click_away_and_back_leads_home(page)
    a_word_offers_what_a_token_offers_in_its_own_sentence(page)


def your_own_sentence_is_one_click_away_and_back_leads_home(page: Page) -> None:
    root = untouched(page)
    root.get_by_role("link", name="Try your own sentence").click()
    explorer(page)
    expect(page).to_have_url(re.compile(r"/attention"))
    rest(page)
    box = page.get_by_label("Sentence to translate")
    box.fill("The cat is here.")
    box.press("Enter")
    expect(page).to_have_url(re.compile("sentence=The.cat.is.here"))
    rest(page)
    page.get_by_test_id("stSidebarNav").get_by_text("The story").click()
    expect(page.locator(".story")).to_be_visible()
    expect(page).not_to_have_url(re.compile("sentence="))
    rest(page)
    page.get_by_test_id("stSidebarNav").get_by_text("Attention").click()
    expect(page.get_by_label("Sentence to translate")).to_have_value("The cat is here.")
    rest(page)
    page.get_by_test_id("stSidebarNav").get_by_text("The story").click()
    arrived(page)


def a_word_offers_what_a_token_offers_in_its_own_sentence(page: Page) -> None:
    untouched(page)
    offered = page.get_by_role("menuitem")
    page.locator(".source .word", has_text=re.compile("^animal$")).click()
    names = [
        "Its attention",
        "Where else does the head look like this?",
        "Its vector through the layers",
        "Its neighbours",
        "Mask it",
    ]
    expect(offered).to_have_text(names)
    page.get_by_role("radio", name="wide").click()
    settled(page, "street")
    expect(offered).to_have_count(0)
    page.locator(".target .on", has_text="elle").click()
    expect(offered).to_have_text(names[:-1])
    offered.first.click()
    expect(page.get_by_label("Sentence to translate")).to_have_value(SENTENCES[1])
    expect(explorer(page)).to_contain_text("writing elle")


def test_a_link_brings_back_what_was_changed(
    page: Page, app: str, likely: Likely, turned: Turned
) -> None:
    story(page, app)
    the_end_of_an_arc_is_dragged_to_another_word(page, app, *turned["street"])
    a_link_shows_the_story_as_it_was_left(page, app, likely["cross encoder"])
    two_sentences_of_ones_own_are_told_and_their_link_brings_them_back(page, app)
    what_a_link_says_wrongly_is_left_out(page, app)


def the_end_of_an_arc_is_dragged_to_another_word(
    page: Page, app: str, values: list[str], translation: str
) -> None:
    root = untouched(page)
    own = page.locator(".chances .value").all_text_contents()
    drag(page, "street")
    expect(page.locator(".chances .value")).to_have_text(values)  # while it is held
    expect(page.locator(".word.aimed")).to_have_text("street")
    expect(root).to_have_attribute("data-turned", "")
    page.mouse.up()
    settled(page, "street")
    expect(page.locator(".done")).to_contain_text(
        f"Turned: from it, head {DECIDING} looks at street alone."
    )
    expect(page.locator(".chances .value")).to_have_text(values)
    assert shown_translation(page) == apart(translation)
    expect(page).to_have_url(re.compile(r"\?turned=turn\.e\."))
    reloaded(page)
    expect(page.locator(".chances .value")).to_have_text(values)
    settled(page, "street")
    page.get_by_role("button", name="Let it look by itself again").click()
    settled(page, "animal")
    expect(page.locator(".chances .value")).to_have_text(own)
    expect(page).to_have_url(f"{app}/")
    # The weight of the other arc stands beside that of this one.
    drag(page, "animal", '.handle[data-arc="cross"]')
    expect(page.locator(".word.aimed")).to_have_text("animal")
    boxes = [one.bounding_box() for one in page.locator(".weight").filter(visible=True).all()]
    sides = sorted((box["x"], box["x"] + box["width"]) for box in boxes if box)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(sides))
    page.mouse.up()
    page.get_by_role("button", name="Let it look by itself again").click()


def a_link_shows_the_story_as_it_was_left(page: Page, app: str, likely: list[str]) -> None:
    untouched(page)
    page.get_by_role("radio", name="wide").click()
    cut(page, "from it to animal, street")
    cut(page, "from elle to it")
    expect(page).to_have_url(f"{app}/?shown=2&changed=cross+encoder")
    root = reloaded(page)
    expect(root).to_have_attribute("data-shown", "1")
    expect(root).to_have_attribute("data-changed", "cross encoder")
    expect(page.locator(".chances .value")).to_have_text(likely)
    page.get_by_role("radio", name="tired").click()
    for link in ("from il to it", "from it to animal, street"):
        cut(page, link)
    expect(page).to_have_url(f"{app}/")


def two_sentences_of_ones_own_are_told_and_their_link_brings_them_back(
    page: Page, app: str
) -> None:
    untouched(page)
    boxes, problem = page.locator(".own input"), page.locator(".own .problem")
    boxes.nth(0).fill("The cat is sleeping.")
    boxes.nth(1).fill("The cat is sleeping.")
    boxes.nth(1).press("Enter")
    expect(problem).to_contain_text("Both sentences are the same")
    expect(page.locator(".source")).to_contain_text("street")
    boxes.nth(1).fill("The dog is sleeping.")
    boxes.nth(1).press("Enter")
    expect(page.locator(".source")).to_contain_text("sleeping", timeout=120_000)
    expect(problem).to_be_empty()
    expect(page).to_have_url(re.compile(r"first=The[+%20]+cat.*second=The[+%20]+dog"))
    rest(page)
    page.locator(".change[data-change='cross']").click()
    expect(page.locator(".chances")).to_have_attribute("data-moving", "")
    values = page.locator(".chances .value").all_text_contents()
    reloaded(page)
    expect(page.locator(".source")).to_contain_text("sleeping")
    expect(page.locator(".story")).to_have_attribute("data-changed", "cross")
    expect(page.locator(".chances .value")).to_have_text(values)
    page.locator(".own .pairs button").first.click()
    expect(page.locator(".source")).to_contain_text("street")
    expect(page).to_have_url(f"{app}/")


def what_a_link_says_wrongly_is_left_out(page: Page, app: str) -> None:
    root = page.locator(".story")
    page.goto(f"{app}/?shown=7&changed=everything+cross")
    expect(root).to_have_attribute("data-shown", "0")
    expect(root).to_have_attribute("data-changed", "cross")
