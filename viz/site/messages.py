"""Messages of components as files of a site, with their common parts stored once."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Header = Mapping[str, object]
Spoken = Mapping[str, Header]
"""A header, or a part of one, in each language by its code."""


@dataclass(frozen=True)
class Drawn:
    """The data of a component: the header of its message, and its numbers in one."""

    header: Header
    body: bytes = b""


@dataclass(frozen=True)
class Parted:
    """The messages of a page: the common part in each language, and a file for each message."""

    common: Spoken
    files: tuple[str, ...]


def drawn(message: bytes, *, deflated: bool) -> Drawn:
    """Split a message of viz/components/message.py into its parts."""
    end = 4 + int.from_bytes(message[:4], "little")
    body = zlib.decompress(message[end:]) if deflated else message[end:]
    return Drawn(json.loads(message[4:end]), body)


def parted(messages: Mapping[str, Sequence[Drawn]]) -> Parted:
    """Split the messages of a page, the same in each language, so that nothing is stored twice.

    The numbers are those of the first language. An entry of a header goes to the common part where
    all messages of a language have the same value. Otherwise it goes to the message's file: once
    where all languages agree, else once for each language.
    """
    first = next(iter(messages.values()))
    names = list(first[0].header)
    common = {
        name
        for name in names
        if all(
            one.header[name] == own[0].header[name] for own in messages.values() for one in own[1:]
        )
    }
    spoken = {
        code: {name: own[0].header[name] for name in names if name in common}
        for code, own in messages.items()
    }
    beside = zip(*messages.values(), strict=True)
    files = tuple(
        _file(list(messages), one, [n for n in names if n not in common]) for one in beside
    )
    return Parted(spoken, files)


def _file(codes: Sequence[str], spoken: Sequence[Drawn], names: Sequence[str]) -> str:
    """Write one message as the argument of a call: JSON, which is also JavaScript; deflated."""
    first, body = spoken[0].header, spoken[0].body
    packed = zlib.compress(body, 9) if body else body
    same = [name for name in names if all(one.header[name] == first[name] for one in spoken)]
    return script_json(
        {
            "own": {name: first[name] for name in same},
            "said": {
                code: {name: one.header[name] for name in names if name not in same}
                for code, one in zip(codes, spoken, strict=True)
            },
            "body": base64.b64encode(packed).decode(),
        }
    )


def script_json(value: object) -> str:
    """Write JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
