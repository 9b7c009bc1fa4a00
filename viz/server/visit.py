"""The messages between a browser and the server about a page, as Streamlit defines them."""

from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


def ask(page: str, query: str = "", *, walked: bool = False) -> BackMsg:
    """Return the message that asks for a page; `page` is as in its link, "" for the first one.

    With `walked`, it is what a link in an open window asks: the link counts, not earlier choices.
    """
    message = BackMsg()
    message.rerun_script.page_name = page
    message.rerun_script.query_string = query
    message.rerun_script.is_history_navigation = walked
    message.rerun_script.context_info.timezone = "UTC"
    return message


def press(button: str, query: str = "") -> BackMsg:
    """Return the message of a press on a button, given by its id; `query` is the page's link."""
    message = BackMsg()
    message.rerun_script.query_string = query
    message.rerun_script.context_info.timezone = "UTC"
    message.rerun_script.widget_states.widgets.add(id=button, trigger_value=True)
    return message


@dataclass
class Answer:
    """The server's answer to one request; it is complete once it is `finished`.

    `pages` are the pages that the answer leads to, as they stand in links, and `errors` the errors
    on the page. `components` holds the data sent for our components, by their names, and `buttons`
    the ids of the buttons, by their labels.
    """

    finished: bool = False
    pages: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    components: dict[str, BidiComponent] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)

    def add(self, message: ForwardMsg) -> None:
        """Add one message of the server."""
        match message.WhichOneof("type"):
            case "navigation":
                self.pages = [page.url_pathname for page in message.navigation.app_pages]
            case "page_not_found":
                self.errors.append(f"no page {message.page_not_found.page_name!r}")
            case "delta" if message.delta.new_element.WhichOneof("type") == "exception":
                self.errors.append(message.delta.new_element.exception.message)
            case "delta" if message.delta.new_element.WhichOneof("type") == "bidi_component":
                sent = message.delta.new_element.bidi_component
                self.components[sent.component_name] = sent
            case "delta" if message.delta.new_element.WhichOneof("type") == "button":
                button = message.delta.new_element.button
                self.buttons[button.label] = button.id
            case "script_finished":
                status = message.script_finished
                self.finished = status != ForwardMsg.FINISHED_EARLY_FOR_RERUN
                if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    self.errors.append("a page cannot be compiled")
