"""What a rest of the page waits for."""

from playwright.sync_api import Page

from browser.waiting import rest

SLIDES = """<html><style>@keyframes slide { from { margin-left: -250px; } to { margin-left: 0; } }
@keyframes turn { to { rotate: 360deg; } }
aside { width: 250px; animation: slide 700ms; } i { display: block; animation: turn 1s infinite; }
</style><div data-testid="stApp" data-test-script-state="notRunning">
<div data-testid="stMainBlockContainer"><i>turns for ever</i><aside>slides in</aside></div></div>"""


def test_it_waits_until_what_slides_in_is_there_but_not_for_what_never_ends(page: Page) -> None:
    page.set_content(SLIDES)
    rest(page)
    assert page.locator("aside").evaluate("aside => aside.getBoundingClientRect().left") == 8
