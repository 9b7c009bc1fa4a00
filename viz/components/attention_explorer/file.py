"""The explorer as a separate page, in a file or a frame, without a server or a network."""

import base64
import json
from html import escape

from viz.components.attention_explorer import message, script
from viz.components.attention_explorer.recording import ExplorerRecording
from viz.figures.theme import DARK, LIGHT, Theme
from viz.language.text import language

_PAGE = """<!doctype html><html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<style>:root{{{light};--st-font:"Source Sans","Source Sans Pro","PingFang SC",
"Microsoft YaHei","Noto Sans CJK SC",system-ui,sans-serif}}
:root.dark{{{dark}}}
body{{background:var(--st-background-color);color:var(--st-text-color);margin:16px 20px;
font-family:var(--st-font)}}@media print{{body{{margin:0}}}}</style></head>
<body><div id="explorer"></div>
<script>{script}
const host = () => {{ try {{ return window.parent.document; }} catch {{ return null; }} }};
const said = host()?.body.dataset ?? {{}};
const colab = host()?.documentElement.getAttribute("theme");
const kind = said.vscodeThemeKind ?? colab ?? "";
const told = said.jpThemeLight === "false" || kind.includes("dark");
const light = said.jpThemeLight === "true" || kind.includes("light");
const wanted = {dark_wanted};
const dark = wanted ?? (told || (!light && matchMedia("(prefers-color-scheme: dark)").matches));
document.documentElement.classList.toggle("dark", dark);
headlight().standalone(document.getElementById("explorer"), "{data}", {view});
</script></body></html>"""


def explorer_page(recording: ExplorerRecording, view: str = "", dark: bool | None = None) -> str:
    """Return the HTML of a page with the explorer of a recording.

    It opens on `view`, written like the parameters of a link. With `dark` None, its theme follows
    the notebook around it, or else the browser.
    """
    return _PAGE.format(
        language=language(),
        title=escape(recording.sentence),
        light=_variables(LIGHT),
        dark=_variables(DARK),
        script=script(),
        dark_wanted={None: "null", True: "true", False: "false"}[dark],
        data=base64.b64encode(message(recording)).decode(),
        view=json.dumps(view).replace("<", "\\u003c"),
    )


def _variables(theme: Theme) -> str:
    return f"--st-background-color:{theme.background};--st-text-color:{theme.text}"
