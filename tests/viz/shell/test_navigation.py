from viz.shell.navigation import FIRST, after, course, page_links, sections


def test_no_two_pages_share_a_name_or_a_link() -> None:
    pages = course()
    assert len({page.title for page in pages}) == len({page.link for page in pages}) == len(pages)
    assert not {page.title for page in pages} & set(sections())


def test_the_links_lead_through_all_pages_and_back_to_the_first() -> None:
    link, seen = FIRST, []
    for _ in course():
        seen.append(link)
        link = after(link).link
    assert link == FIRST
    assert set(seen) == page_links() | {FIRST}
