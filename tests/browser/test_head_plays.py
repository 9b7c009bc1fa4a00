"""One head plays its six links: at once after a click, in its own numbers, and without motion."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.waiting import LONG, rest
from tests.browser.test_head import MINUS, WAIT

PLAYED = 60_000  # all six links, on a machine that does other things too


def chain_of(page: Page, app: str) -> Locator:
    page.goto(f"{app}/head?kind=cross&layer=5&head=6")
    chain = page.locator(".chain")
    expect(chain).to_have_attribute("data-moment", "6.00", timeout=WAIT)
    rest(page)
    return chain


def pull(page: Page, moment: float) -> None:
    """Pull the slider to a moment: 2.5 is the middle of the third link."""
    page.get_by_label("Where the six links have come to").fill(str(moment))


def numbers(page: Page, step: str) -> list[float]:
    """Read a column of the chain off the screen."""
    texts: list[str] = page.locator(f"[data-step={step}]").all_inner_texts()
    return [float(text.replace(MINUS, "-")) for text in texts]


def inks(chain: Locator) -> list[str]:
    return chain.evaluate(
        "node => [...node.querySelectorAll('canvas')].map(one => one.toDataURL())"
    )


def test_the_first_change_comes_at_once_and_the_play_ends_where_it_began(
    page: Page, app: str
) -> None:
    chain = chain_of(page, app)
    before = [inks(chain), numbers(page, "dots"), numbers(page, "scores"), numbers(page, "weights")]
    pressed = """node => {
        node.querySelector('.play').click();
        return node.dataset.moment;
    }"""
    assert chain.evaluate(pressed) == "0.00"  # before the next frame
    page.get_by_role("button", name="Pause").click()
    expect(chain).to_have_attribute("data-playing", "")
    page.get_by_role("button", name="Play the six links").click()
    expect(chain).to_have_attribute("data-playing", "yes")
    expect(page.locator(".play-said")).to_have_text(re.compile("^2:"), timeout=PLAYED)
    page.get_by_role("button", name="Pause").click()
    expect(chain).to_have_attribute("data-playing", "")
    pull(page, 5.9)
    page.get_by_role("button", name="Play the six links").click()
    expect(chain).to_have_attribute("data-moment", "6.00", timeout=PLAYED)
    after = [inks(chain), numbers(page, "dots"), numbers(page, "scores"), numbers(page, "weights")]
    assert after[1:] == before[1:]
    sliding = len(chain.locator(".sliding").all())
    assert sliding == 2
    assert set(before[0]) <= {*after[0], *inks(chain)}


def test_every_moment_is_computed_from_the_numbers_of_the_head(page: Page, app: str) -> None:
    chain = chain_of(page, app)
    dots, scores, weights = (numbers(page, step) for step in ("dots", "scores", "weights"))
    whole = chain.locator("canvas.z").evaluate("node => node.toDataURL()")
    keys = len(dots)
    assert keys == 5  # the others are folded into one row

    pull(page, 1.5)
    expect(chain.locator(".sliding").first).to_be_visible()
    key = chain.locator("button.chip.key").nth(keys // 2).inner_text()
    expect(chain.locator(".glance-title")).to_contain_text(key)
    seen = chain.locator("[data-step=dots]").evaluate_all(
        "nodes => nodes.map(node => Number(getComputedStyle(node).opacity))"
    )
    assert seen[: keys // 2] == [1] * (keys // 2)
    assert max(seen[keys // 2 + 1 :]) < 0.1

    pull(page, 2.4)
    lengths = chain.locator("[data-step=scores]").evaluate_all(
        "nodes => nodes.map(node => parseFloat(node.style.getPropertyValue('--long')) / 100)"
    )
    longest = max(map(abs, dots))
    for dot, long, score in zip(dots, lengths, scores, strict=True):
        ends = sorted((abs(dot), abs(score)))
        assert ends[0] - 0.01 <= long * longest <= ends[1] + 0.01
        assert long * longest != pytest.approx(abs(score), abs=0.01)
    assert numbers(page, "scores") == scores  # numbers do not count down

    pull(page, 3.5)  # bars of the exponentials, before they are divided by their sum
    assert chain.locator("[data-step=weights] i").evaluate_all(
        "nodes => nodes.map(node => parseFloat(node.style.width) / 100)"
    ) == pytest.approx([weight / max(weights) for weight in weights], abs=0.02)
    assert numbers(page, "weights") == weights

    pull(page, 4.02)
    assert chain.locator("canvas.z").evaluate("node => node.toDataURL()") != whole
    pull(page, 5)
    assert chain.locator("canvas.z").evaluate("node => node.toDataURL()") == whole
    assert numbers(page, "weights") == weights


def test_with_reduced_motion_it_goes_from_link_to_link(browser: Browser, app: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(LONG)
    chain = chain_of(page, app)
    chain.evaluate(
        """node => {
            window.moments = [];
            const said = node.querySelector('.play-said');
            new MutationObserver(() => window.moments.push([node.dataset.moment, said.textContent]))
                .observe(node, { attributeFilter: ['data-moment'] });
        }"""
    )
    page.get_by_role("button", name="Play the six links").click()
    reached = "() => moments.some(([moment]) => moment === '3.00')"
    page.wait_for_function(reached, timeout=PLAYED)
    said: dict[str, str] = dict(page.evaluate("window.moments"))
    assert {"1.00", "2.00", "3.00"} <= set(said) <= {f"{link}.00" for link in range(1, 7)}
    assert said["3.00"].startswith("3:")
    context.close()
