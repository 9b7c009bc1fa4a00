"""What a class shows in place of a page."""

from viz.course.entry import PageEntry
from viz.shell.class_screen import phone
from viz.shell.class_screen.bar import class_bar
from viz.shell.class_screen.results import show_results
from viz.shell.class_screen.seat import REFUSALS, Seat, seat
from viz.shell.class_screen.start import door


def seated() -> Seat | Exception | None:
    """Return a visitor's seat in the class, or the error that refuses it; None without a class."""
    try:
        return seat()
    except REFUSALS as error:
        return error


def fills_screen(found: Seat | Exception | None, entry: PageEntry) -> bool:
    """Draw what the class shows in place of the page; return False if it shows the page itself."""
    if found is None:
        return False
    if isinstance(found, Exception):
        phone.style()
        door(found)
        return True
    if not found.state.screen or (found.leads and not found.state.over):
        return False
    phone.style()
    if not found.state.over:
        class_bar(found, entry)
    if found.leads:
        show_results(found)
    else:
        phone.show_phone(found)
    return True
