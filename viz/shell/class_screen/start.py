"""How a class begins: its code, link and QR code, and the door for those who join."""

from collections.abc import Callable
from html import escape
from urllib.parse import urlsplit

import segno
import streamlit as st
from streamlit.web.server.server_util import get_url

from viz.classroom.network import own_address
from viz.classroom.room import LENGTH, cleaned
from viz.classroom.store import Full
from viz.course.entry import PageEntry
from viz.language.text import _
from viz.link import address
from viz.link.settings import choose_class
from viz.link.table import CLASSROOM
from viz.shell.class_screen.seat import Seat, begin, here, leave, no_place, refusal

LOCAL = ("localhost", "127.0.0.1", "::1")
"""Host names that mean a different machine on every machine."""

OPENED, _TYPED = "class dialog", "class typed"


def class_button(entry: PageEntry) -> None:
    """Draw the button to begin or join a class and, if it is open, the dialog for that."""
    st.button(
        _("Class"),
        key="class button",
        icon=":material/groups:",
        type="tertiary",
        help=_("Start a class that answers, or join one"),
        on_click=open_dialog,
        args=("doors",),
    )
    if opened("doors"):
        dialog(_("A class that answers"), lambda: _doors(entry))


def open_dialog(which: str) -> None:
    """Open the dialog of a name in the next run; call it in a callback."""
    st.session_state[OPENED] = which


def opened(which: str) -> bool:
    """Tell whether a dialog is open; it stays open through redraws until somebody closes it."""
    return st.session_state.get(OPENED) == which


def close_dialog() -> None:
    """Close the open dialog; call it in a callback, or before a rerun."""
    st.session_state.pop(OPENED, None)


def show_code(seat: Seat) -> None:
    """Show the code of the class in a dialog if its teacher has asked for it."""
    if opened("code"):
        dialog(_("Join the class"), lambda: _code(seat))


def dialog(title: str, body: Callable[[], None]) -> None:
    """Draw an open dialog with a title and a body."""
    st.dialog(title, width="large", on_dismiss=close_dialog)(body)()


def _doors(entry: PageEntry) -> None:
    """Draw the two offers of the dialog: to begin a class, and to join one."""
    st.markdown(
        _(
            "Everybody opens a link on a phone or a laptop, sees what you show, and predicts what "
            "the model will do before you reveal it. No accounts, no names, no other service."
        )
    )
    if st.button(_("Start a class"), type="primary", icon=":material/groups:", key="start class"):
        try:
            begin(here(entry))
        except Full:
            st.warning(_("There are as many classes here as there may be. Try again later."))
            return
        except OSError as error:
            st.warning(no_place(error))
            return
        open_dialog("code")
        st.rerun()
    st.caption(kept())
    st.divider()
    with st.form("join class", border=False):
        typed = st.text_input(
            _("Or join one: its code, six characters"), key=_TYPED, max_chars=3 * LENGTH
        )
        if st.form_submit_button(_("Join")) and typed:
            close_dialog()
            choose_class(cleaned(typed) or typed[:LENGTH])
            st.rerun()


def kept() -> str:
    """Say what a class keeps, and for how long."""
    return _(
        "What a class keeps: its code, the page you show, the questions, and each answer beside a "
        "random text that stands for a browser. No name is asked for. It lies in one file on the "
        "machine that runs Headlight, or in the Redis that its keeper named, and is forgotten when "
        "you say so, or after four hours in which nothing happened. "
        "Network addresses that tried a wrong code are kept for a minute. Nothing goes elsewhere."
    )


def _code(seat: Seat) -> None:
    """Show how to join, large enough for the last row."""
    root = outwards(f"{address.root()}/")
    link = f"{root}?{CLASSROOM[0]}={seat.code}"
    if urlsplit(root).hostname in LOCAL:
        st.warning(_alone())
    left, right = st.columns([5, 6], vertical_alignment="center")
    picture = segno.make(link, error="m", micro=False).svg_data_uri(scale=10, border=3)
    left.html(f'<img class="class-qr" alt="{escape(link)}" src="{picture}">')
    right.html(
        f'<div class="class-address">{escape(root.partition("://")[2])}</div>'
        f'<div class="class-code">{seat.code[:3]} {seat.code[3:]}</div>'
    )
    right.code(link, language=None)
    st.info(
        _(
            "The address of your own page holds the key: whoever has it leads the class. Show the "
            "page in full screen (F11), so that the key is not on the wall."
        ),
        icon=":material/key:",
    )
    with st.expander(_("Lead from another device, too")):
        own = [(name, str(st.session_state[name])) for name in CLASSROOM]
        st.code(f"{root}{address.link('', own)}", language=None)
    st.caption(kept())


def outwards(root: str) -> str:
    """Return an address that works only on this machine as other machines of its network reach it.

    If the server was not started for the network, the address is returned as it is.
    """
    host, own = urlsplit(root).hostname, own_address()
    if host not in LOCAL or not own or own not in st.get_option("server.allowedHosts"):
        return root
    return root.replace(f"//{host}", f"//{own}", 1)


def _alone() -> str:
    """Say that phones do not reach this address, and which address they would reach."""
    if not (own := own_address()):
        return _("Only this machine can open this address, as it has no network.")
    return _(
        "Only this machine can open this address. For phones, end Headlight and start it with "
        "`python run.py class`, or `headlight class` if it is installed. Your class then opens "
        "`{address}`."
    ).format(address=get_url(own))


def door(error: Exception) -> None:
    """Say why a visitor is not let in; offer to try another code, or to go on without a class."""
    with st.container(key="class phone"):
        st.markdown(f"### {_('Join the class')}")
        st.warning(refusal(error))
        with st.form("door", border=False):
            typed = st.text_input(_("Code of the class"), key="door code", max_chars=3 * LENGTH)
            if st.form_submit_button(_("Join"), type="primary", width="stretch") and typed:
                choose_class(cleaned(typed) or typed[:LENGTH])
                st.rerun()
        st.button(
            _("Look at Headlight without a class"),
            key="leave class",
            type="tertiary",
            on_click=leave,
        )
