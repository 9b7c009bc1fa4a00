"""A part that is redrawn on its own takes nothing else of its page with it."""

from collections import Counter
from collections.abc import Sequence

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import local_script_runner

from tests.app.conftest import OpenPage

PAGES = {
    "below the first screen": ("lab_heads", {"lesson": "silence", "scene": "3", "present": "1"}),
    "a lesson": ("lab_masks", {"lesson": "masks", "scene": "1"}),
    "the decoder": ("decoder", {}),
    "what is kept": ("decoder", {"writing": "what is kept"}),
}

ROOTS = len(RootContainer.keys())
"""The page, its sidebar and the like, which are there from the start."""


def bad_paths(messages: Sequence[ForwardMsg]) -> list[list[int]]:
    """Return the places, on the way to which the browser would lack an element before."""
    children, bad = Counter[tuple[int, ...]]({(): ROOTS}), []
    for message in messages:
        path = list(message.metadata.delta_path)
        if message.WhichOneof("type") not in {"delta", "ref_hash"} or not path:
            continue
        for depth, place in enumerate(path):
            parent = tuple(path[:depth])
            if place > children[parent]:
                bad.append(path)
                break
            children[parent] = max(children[parent], place + 1)
    return bad


@pytest.mark.parametrize("name", PAGES)
def test_what_follows_a_part_has_its_place_when_the_part_is_drawn_anew(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    page, parameters = PAGES[name]
    drawn: list[list[ForwardMsg]] = []
    parse = local_script_runner.parse_tree_from_messages
    monkeypatch.setattr(
        local_script_runner,
        "parse_tree_from_messages",
        lambda messages: (drawn.append(list(messages)), parse(messages))[1],
    )
    assert not open_page(page, **parameters).exception
    whole = drawn[-1]
    assert bad_paths(whole) == []
    parts = {one.delta.fragment_id for one in whole} - {""}
    assert len(parts) > 1
    for part in parts:
        queue = ForwardMsgQueue()
        for one in whole:
            queue.enqueue(one)
        queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[part])
        assert bad_paths(queue.flush()) == []
