"""The step-through decoder in a browser: how tests open it and read it."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page

PATIENCE = 60_000


def open_decoder(page: Page, app: str, query: str = "") -> Locator:
    page.goto(f"{app}/decoder{query}")
    return settled(page)


def settled(page: Page) -> Locator:
    """Wait until the browser has the answer to what it asked for last."""
    page.locator(".decoder[data-busy='false']").wait_for(timeout=PATIENCE)
    return page.locator(".decoder")


def last_step(decoder: Locator) -> int:
    return int(decoder.locator(".position").get_attribute("max") or 0)


def wait_for_link(page: Page, name: str, value: str) -> None:
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get(name) == [value])


def pieces(row: Locator) -> list[str]:
    return row.locator(".chip").all_inner_texts()


def bars(decoder: Locator) -> list[float]:
    return decoder.locator("button.bar").evaluate_all(
        "bars => bars.map((bar) => Number(bar.dataset.probability))"
    )


def slider_texts(slider: Locator) -> list[float]:
    """Read what each position of a slider means, by moving it there and back."""
    texts = slider.evaluate(
        """(slider) => {
          const before = slider.value;
          const move = (at) => {
            slider.value = at;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            return slider.getAttribute("aria-valuetext");
          };
          const texts = Array.from({ length: Number(slider.max) + 1 }, (_, at) => move(at));
          move(before);
          return texts;
        }"""
    )
    return [0.0 if text == "all" else float(text) for text in texts]
