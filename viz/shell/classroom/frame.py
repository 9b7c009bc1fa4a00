"""What a class puts around every page, and in the place of one."""

from viz.shell.classroom import phone
from viz.shell.classroom.bar import class_bar
from viz.shell.classroom.results import show_results
from viz.shell.classroom.seat import REFUSALS, Seat, seat
from viz.shell.classroom.start import door
from viz.shell.navigation import PageEntry


def seated() -> Seat | Exception | None:
    """Return the seat that a visitor has in a class, or why there is none; None without a class."""
    try:
        return seat()
    except REFUSALS as error:
        return error


def fills_screen(found: Seat | Exception | None, entry: PageEntry) -> bool:
    """Draw what a class shows in the place of the page, if it does; tell whether."""
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
