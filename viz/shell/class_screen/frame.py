"""What a visitor in a class sees in place of a page."""

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


def fills_screen(seat: Seat | Exception | None, entry: PageEntry) -> bool:
    """Draw what a class shows in place of the page; return False if it shows the page itself."""
    if seat is None:
        return False
    if isinstance(seat, Exception):
        phone.style()
        door(seat)
        return True
    if not seat.state.screen or (seat.leads and not seat.state.over):
        return False
    phone.style()
    if not seat.state.over:
        class_bar(seat, entry)
    if seat.leads:
        show_results(seat)
    else:
        phone.show_phone(seat)
    return True
