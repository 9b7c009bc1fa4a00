"""Attention on the site: any sentence, heads switched off in place, and links in the app's form."""

from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

from browser.explorer_file import explorer, settle
from model import AblateHead, BlockAttention, Translator
from model.interventions import link_text
from tests.browser.static_host import PHONE
from viz.compute import doubts

SENTENCE = "My grandmother sings in the kitchen."


def answered(page: Page) -> Locator:
    """Return the explorer once the model has answered."""
    expect(page.locator("body[data-model] #picture[aria-busy=false]")).to_be_visible()
    return explorer(page)


def typed(page: Page, text: str) -> Locator:
    explorer(page)  # from then on, the box is heard
    page.locator("#sentence").fill(text)
    page.locator("#sentence").press("Enter")
    in_link = "text => new URL(location).searchParams.get('sentence') === text"
    page.wait_for_function(in_link, arg=text.strip())
    return answered(page)


def asked(page: Page) -> dict[str, str]:
    return {name: own[0] for name, own in parse_qs(urlsplit(page.url).query).items()}


def test_a_typed_sentence_is_translated_and_a_head_cut_in_place(
    page: Page, host: str, translator: Translator
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{host}/attention.html")
    explorer(page)
    root = typed(page, SENTENCE)
    translation = page.locator(".translation")
    expect(translation).to_contain_text(translator.translate(SENTENCE).text)
    place = {name: root.get_attribute(f"data-{name}") for name in ("kind", "layer", "heads")}
    page.locator("[data-link=off]").click()
    answered(page)
    expect(page.locator("#changes .chip")).to_have_count(1)
    parameters = asked(page)
    (change,) = link_text.read(parameters["edits"]).interventions
    assert isinstance(change, AblateHead)
    assert (change.kind, change.layer + 1, str(change.head + 1)) == (
        place["kind"],
        int(place["layer"] or 0),
        place["heads"],
    )
    run = translator.run(SENTENCE, (change,))
    expect(translation).to_contain_text(run.translation.text)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    assert [url for url in requests if not url.startswith((host, "data:", "blob:"))] == []
    page.locator("[data-link=off]").click()  # on again
    expect(page.locator("#changes")).to_be_hidden()
    page.go_back()
    expect(page.locator("#changes .chip")).to_have_count(1)


QUICK = """
document.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("sentence");
  box.focus();
  box.value = "SENTENCE";
  box.dispatchEvent(new Event("input"));  // as a key does, whether or not the page listens already
});
"""
"""Somebody types before the picture has come."""


def test_what_is_typed_while_the_page_comes_is_translated(
    page: Page, host: str, translator: Translator
) -> None:
    page.add_init_script(QUICK.replace("SENTENCE", SENTENCE))
    page.goto(f"{host}/attention.html")
    expect(page.locator(".translation")).to_contain_text(translator.translate(SENTENCE).text)
    assert asked(page)["sentence"] == SENTENCE


def test_a_doubtful_translation_is_doubted_and_a_press_asks_the_better_sentence(
    page: Page, host: str
) -> None:
    text = "I recieved a letter yesterday."
    why = doubts.reason(text)
    assert why
    assert why.better
    page.goto(f"{host}/attention.html")
    explorer(page)
    typed(page, text)
    expect(page.locator("#doubts")).to_contain_text(why.of)
    page.locator("#doubts button").click()
    expect(page.locator("#sentence")).to_have_value(why.better)
    answered(page)
    assert asked(page)["sentence"] == why.better
    expect(page.locator("#doubts")).not_to_contain_text(why.of)


def test_a_link_of_the_app_leads_to_the_same_view(
    page: Page, host: str, translator: Translator
) -> None:
    says = {
        **{"sentence": SENTENCE, "edits": "zero.c.5.3_lift.d_nonsense", "kind": "cross"},
        **{"layer": "5", "heads": "2-3", "view": "lines", "lock": "q3", "aids": "words"},
    }
    page.goto(f"{host}/attention.html?{urlencode(says)}")
    root = answered(page)
    changes = link_text.read(says["edits"]).interventions
    expect(page.locator(".translation")).to_contain_text(
        translator.run(SENTENCE, changes).translation.text
    )
    for name, value in (("kind", "cross"), ("layer", "5"), ("heads", "2-3"), ("locks", "q3")):
        expect(root).to_have_attribute(f"data-{name}", value)
    expect(page.locator("#notes")).to_contain_text("nonsense")
    expect(page.locator("#changes .chip")).to_have_count(2)
    page.get_by_role("button", name="Reset all").click()
    answered(page)
    expect(page.locator(".translation")).to_contain_text(translator.translate(SENTENCE).text)
    expect(page.locator("#notes")).to_be_hidden()
    expect(root).to_have_attribute("data-locks", "q3")


def test_the_end_of_a_line_can_be_turned(page: Page, host: str, translator: Translator) -> None:
    page.goto(f"{host}/attention.html")
    said = explorer(page).locator(".said")
    page.locator(".handle").focus()
    page.keyboard.down("ArrowDown")
    expect(said).to_contain_text("% → ")
    assert "edits" not in asked(page)
    page.keyboard.up("ArrowDown")
    answered(page)
    changes = link_text.read(asked(page)["edits"]).interventions
    sentence = page.locator("#sentence").input_value()
    expect(page.locator(".translation")).to_contain_text(
        translator.run(sentence, changes).translation.text
    )
    expect(page.locator("#changes .chip")).to_contain_text("looks at")
    expect(said).to_contain_text("% → ")


def test_scissors_cut_the_link_in_the_head_that_they_name(page: Page, host: str) -> None:
    page.goto(f"{host}/attention.html")
    root = explorer(page)
    scissors = root.locator("[data-cut=one]")
    name = scissors.inner_text()
    scissors.click()
    answered(page)
    (cut, *_) = link_text.read(asked(page)["edits"]).interventions
    assert isinstance(cut, BlockAttention)
    assert name.endswith(f"{cut.kind} {(cut.layer or 0) + 1}.{(cut.head or 0) + 1}")
    page.locator("#changes .chip").first.click()
    expect(page.locator("#changes")).to_be_hidden()
    assert "edits" not in asked(page)


def test_another_sentence_drops_what_named_pieces_of_the_last_one(page: Page, host: str) -> None:
    says = {"sentence": SENTENCE, "edits": "hide.2_zero.e.1.1", "lock": "q4", "view": "matrix"}
    page.goto(f"{host}/attention.html?{urlencode(says)}")
    answered(page)
    typed(page, "I love you.")
    assert asked(page) == {"sentence": "I love you.", "edits": "zero.e.1.1", "view": "matrix"}


def test_odd_sentences_are_answered_in_a_sentence(page: Page, host: str) -> None:
    page.goto(f"{host}/attention.html")
    root = explorer(page)
    page.locator("#sentence").fill("   ")
    page.locator("#sentence").press("Enter")
    expect(page.locator("#problem")).to_be_hidden()
    typed(page, "The cat sleeps on the mat. " * 40)
    expect(page.locator("#notes")).to_contain_text("only the first")
    page.goto(f"{host}/attention.html?sentence=%E2%80%8B")
    expect(page.locator("#problem")).to_contain_text("Nothing to translate")
    settle(page)
    expect(root).to_be_visible()


def test_without_its_model_the_recorded_picture_stays(page: Page, host: str) -> None:
    page.route("**/model.safetensors*", lambda route: route.fulfill(status=404))
    page.goto(f"{host}/assets/site.css")  # nothing runs here that opens a model which was kept
    page.evaluate(
        "navigator.storage.getDirectory()"
        ".then((root) => root.removeEntry('headlight-models', { recursive: true }))"
    )
    page.goto(f"{host}/attention.html?view=grid")
    root = explorer(page)
    page.locator("#sentence").fill(SENTENCE)
    page.locator("#sentence").press("Enter")
    expect(page.locator("#problem")).to_have_text(
        "A file of this site is missing: model.safetensors.z"
    )
    expect(root).to_have_attribute("data-view", "grid")
    expect(page.locator("#picture")).to_have_attribute("aria-busy", "false")
