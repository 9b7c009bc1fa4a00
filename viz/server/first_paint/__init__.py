"""What a page shows before Streamlit has started in the browser: its style and a picture.

Where Streamlit cannot start because no websocket reaches the server, one sentence says so.

Streamlit loads a megabyte of code and opens a websocket before it draws anything. The app's style
comes with the page itself, so that nothing is drawn without it and moves later: the layout shift of
a loading page was 0.23 to 0.66 without, and is under 0.1 on nearly all pages with it.

The picture of the first page needs no Streamlit either. When the server starts, an internal visitor
opens that page in every language. The code and numbers of its picture go to all other visitors with
the first answer. The page's own picture then replaces it.
"""

import hashlib
import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import get_option
from streamlit.proto.BidiComponent_pb2 import BidiComponent

from viz.language.text import CHOSEN, ENGLISH, _, using
from viz.link.framing import EMBED
from viz.link.table import ON
from viz.server.first_paint.framed import framed
from viz.server.inside import inside

COMPONENT = "story_picture"
SCRIPT, NO_CONNECTION = "first_picture.js", "no_connection.js"
_PLAIN = frozenset((CHOSEN, "present", EMBED))
"""Parameters that do not change the picture; any other parameter, such as a model, may."""

_ASSETS, _VIZ = Path(__file__).parent / "assets", Path(__file__).parents[2]
_ENTRANCE = "export default heldDuringPresses(headlight().render);\n"
_THEME = {
    "--st-background-color": "backgroundColor",
    "--st-secondary-background-color": "secondaryBackgroundColor",
    "--st-text-color": "textColor",
}


@dataclass(frozen=True)
class Picture:
    """A script that draws the picture, and the name of this version."""

    script: str
    version: str


_SHEETS = (
    _ASSETS / "app.css",
    *sorted(_VIZ.rglob("page.css")),
    _ASSETS / "stage.css",
    _ASSETS / "print.css",
)
STYLE = "\n".join(sheet.read_text(encoding="utf-8") for sheet in _SHEETS)
"""The app's style and that of each page; the top bar gives it the theme's values as variables."""

_NO_CONNECTION = (_ASSETS / NO_CONNECTION).read_text(encoding="utf-8")

PICTURES: dict[str, Picture] = {}
"""The pictures by language; filled once, before the first visitor."""


def picture(sent: BidiComponent) -> Picture:
    """Make the script that draws the first page's picture, from the data that Streamlit sends.

    Raises ValueError if the data have another form.
    """
    if not sent.js_content.endswith(_ENTRANCE):
        raise ValueError(f"the first page's picture does not end with {_ENTRANCE!r}")
    values = {
        "data": json.loads(sent.json),
        "style": (_ASSETS / "first_picture.css").read_text(encoding="utf-8"),
        "themes": {
            scheme: {
                **{name: get_option(f"theme.{scheme}.{key}") for name, key in _THEME.items()},
                "--st-font": get_option("theme.font"),
            }
            for scheme in ("light", "dark")
        },
    }
    script = "".join(
        (
            "{\n",  # a block of its own, so that its names are not left on the page
            sent.js_content.removesuffix(_ENTRANCE),
            (_ASSETS / "first_picture.js").read_text(encoding="utf-8").replace("export ", ""),
            f"showFirst(headlight().render, {json.dumps(values, ensure_ascii=False)});\n}}\n",
        )
    )
    return Picture(script, hashlib.sha256(script.encode()).hexdigest()[:12])


class FirstPaint:
    """ASGI middleware that adds the style to every page, and the picture to the first."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer requests for our two scripts, complete pages, and pass on everything else."""
        within = inside(scope) if scope["type"] == "http" else None
        if within is None or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        path = within.strip("/")
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        name = wanted(query, Headers(scope=scope))
        first_picture = PICTURES.get(name)
        if first_picture and path == SCRIPT:
            headers = {"Cache-Control": "public, max-age=31536000, immutable"}
            answer = Response(first_picture.script, media_type="text/javascript", headers=headers)
            await answer(scope, receive, send)
        elif path == NO_CONNECTION:
            await Response(_NO_CONNECTION, media_type="text/javascript")(scope, receive, send)
        elif "." in path or path.startswith("_stcore"):
            await self.app(scope, receive, send)
        else:
            has_picture = not path and query.keys() <= _PLAIN
            on_stage = query.get("present", [])[-1:] == [ON]
            added = _added(name, first_picture if has_picture else None, presents=on_stage)
            if EMBED in query:
                added[' lang="en"'] = added.get(' lang="en"', "") + " data-headlight-embed"
                with using(name):
                    added["</body>"] += framed(path, query)
            await self._complete(added, scope, receive, send)

    async def _complete(
        self, added: dict[str, str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass on a page with each addition before its tag; it is small, and always sent whole."""
        headers = MutableHeaders(scope=scope)
        for name in ("if-none-match", "if-modified-since", "range", "accept-encoding"):
            del headers[name]
        begun: list[Message] = []
        parts: list[bytes] = []

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.append(message)
                return
            parts.append(message.get("body", b""))
            if message.get("more_body"):
                return
            start, body = begun[0], b"".join(parts)
            answered = MutableHeaders(scope=start)
            if answered.get("content-type", "").startswith("text/html"):
                for tag, addition in added.items():
                    body = body.replace(tag.encode(), (addition + tag).encode(), 1)
                for name in ("etag", "last-modified"):
                    del answered[name]
                answered["vary"] = "Accept-Language"
            if scope["method"] == "GET":
                answered["content-length"] = str(len(body))
            await send(start)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, complete)


def _added(language: str, picture: Picture | None, *, presents: bool) -> dict[str, str]:
    """Return what is added to a page, by the tag that it precedes."""
    # At the end of the body: Streamlit's own style, in the head, comes before it.
    added = {"</body>": f"<style>{STYLE}</style>{_no_connection(language)}"}
    if presents:
        added[' lang="en"'] = " data-headlight-presents"
    if picture:
        source = f"./{SCRIPT}?{CHOSEN}={language}&amp;v={picture.version}"
        # Deferred, before Streamlit's own scripts, which are deferred too: it runs first.
        added["<title>"] = f'<script defer fetchpriority="high" src="{source}"></script>'
    return added


def _no_connection(language: str) -> str:
    """Return the sentence that is shown if no websocket reaches the server, hidden at first."""
    with using(language):
        sentence = _(
            "This page stays empty because something between your browser and the server, such as "
            "a proxy, lets no websocket through: whoever runs the server finds in "
            "deploy/nginx-path.conf which lines it needs."
        )
    return (
        f'<p id="no-connection" role="alert" hidden>{escape(sentence)}</p>'
        f'<script async src="./{NO_CONNECTION}"></script>'
    )


def wanted(query: dict[str, list[str]], headers: Headers) -> str:
    """Return the language of a request: that of its link, else the browser's first choice.

    The app decides by the same rule (viz/link/settings.py); where its choice differs, it replaces
    the picture.
    """
    asked = query.get(CHOSEN, [""])[-1] or headers.get("accept-language", "")
    name = asked.split(",")[0].split(";")[0].split("-")[0].strip().lower()
    return name if name in PICTURES else ENGLISH
