import pytest

from viz.course.entry import PAGES
from viz.course.pages import COURSE, FIRST, SECTIONS, after, named, page_links
from viz.shell.navigation import title_of


def test_no_two_pages_share_a_name_or_a_link() -> None:
    titles = {title_of(page) for page in COURSE}
    assert len(titles) == len({page.link for page in COURSE}) == len(COURSE)
    assert not titles & set(SECTIONS)


def test_every_folder_of_a_page_is_in_the_navigation_under_its_name() -> None:
    assert {path.parent for path in PAGES.glob("*/page.py")} == {
        page.path.parent for page in COURSE
    }


def test_there_is_no_page_of_another_name() -> None:
    with pytest.raises(KeyError):
        named("toy")


def test_the_links_lead_through_all_pages_and_back_to_the_first() -> None:
    link, seen = FIRST, []
    for _ in COURSE:
        seen.append(link)
        link = after(link).link
    assert link == FIRST
    assert set(seen) == page_links() | {FIRST}
