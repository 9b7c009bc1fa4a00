"""A lesson as a page to print, with pictures, questions, lines to write on, and a key."""

from html import escape
from typing import Literal

from viz.handout.markup import block, inline
from viz.handout.sheet import Asked, Sheet, SheetScene
from viz.language.text import _, language
from viz.notebook.paper.picture import FAMILY, svg

Paper = Literal["A4", "Letter"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LINES = 3
"""The number of lines to write on under each scene."""

_STYLE = f"""
@page {{ margin: 16mm 15mm 18mm; }}
body {{ font: 11.5pt/1.45 {FAMILY}; color: #262730; }}
body {{ max-width: 190mm; margin: 0 auto; padding: 8mm; }}
h1 {{ font-size: 20pt; margin: 0 0 2mm; }}
h2 {{ font-size: 13.5pt; margin: 0 0 1mm; }}
.lead {{ margin: 0 0 4mm; color: #555867; }}
.who {{ display: flex; gap: 8mm; margin: 0 0 6mm; }}
.who span {{ flex: 2; border-bottom: 1px solid #9aa0ac; padding-bottom: 1mm; }}
.who span + span {{ flex: 1; }}
.scene {{ break-inside: avoid; margin: 0 0 7mm; }}
.scene p {{ margin: 1mm 0 2mm; }}
.open {{ font-size: 9.5pt; color: #555867; overflow-wrap: anywhere; }}
figure {{ margin: 2mm 0; }}
figure svg {{ max-width: 100%; max-height: 105mm; height: auto; }}
.asks {{ font-weight: 600; }}
ol {{ list-style: none; margin: 0; padding: 0; }}
ol li::before {{ content: "☐ " attr(data-letter) ") "; }}
.write {{ border-bottom: 1px solid #c9ccd4; height: 8mm; }}
.asking + .scene:not(.asking), .key {{ break-before: page; }}
.key dt {{ font-weight: 600; margin-top: 3mm; break-after: avoid; }}
.key dd {{ margin: 0; }}
.key dd p {{ margin: 0.5mm 0; }}
.made {{ font-size: 9pt; color: #555867; margin-top: 6mm; }}
.how {{ background: #f2f4f8; padding: 2mm 4mm; }}
@media print {{ body {{ max-width: none; padding: 0; }} .how {{ display: none; }} }}
"""


def worksheet(sheet: Sheet, address: str = "", paper: Paper | None = None) -> str:
    """Return a worksheet as one HTML file in the language in force.

    With the `address` of a server, each scene has its link. `paper` fixes the size of a page;
    without it the printer's own size is used, as the sheet fits both A4 and Letter.
    """
    size = f"@page {{ size: {paper}; }}" if paper else ""
    scenes = "".join(_scene(sheet, scene, address) for scene in sheet.scenes)
    how = _("To get a PDF, print this page and choose “Save as PDF”. The key is on the last page.")
    return f"""<!doctype html>
<html lang="{language()}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(sheet.title)} · Headlight</title><style>{_STYLE}{size}</style></head>
<body>
<p class="how">{escape(how)}</p>
<h1>{escape(sheet.title)}</h1>
<div class="lead">{block(sheet.lead)}</div>
<p class="who"><span>{escape(_("Name:"))}</span><span>{escape(_("Date:"))}</span></p>
{scenes}{_key(sheet)}
</body></html>
"""


def _scene(sheet: Sheet, scene: SheetScene, address: str) -> str:
    drawn = f"<figure>{svg(scene.picture)}</figure>" if scene.picture else ""
    link = f"{address.rstrip('/')}/?lesson={sheet.name}&scene={scene.number}" if address else ""
    opened = f'<p class="open">{escape(link)}</p>' if link else ""
    asked = _asked(scene.asked) if scene.asked else ""
    kind = "scene asking" if scene.asked else "scene"  # a later picture may give the answer away
    lines = '<div class="write"></div>' * LINES
    return (
        f'<section class="{kind}"><h2>{escape(scene.heading)}</h2>{opened}'
        f"{block(scene.text)}{drawn}{asked}{lines}</section>\n"
    )


def _asked(asked: Asked) -> str:
    choices = "".join(
        f'<li data-letter="{letter}">{inline(choice)}</li>'
        for letter, choice in zip(LETTERS, asked.choices, strict=False)
    )
    return (
        f'<p class="asks">{inline(asked.text)}</p><ol>{choices}</ol>'
        f"<p>{escape(_('Why do you think so?'))}</p>"
    )


def _key(sheet: Sheet) -> str:
    answers = "".join(
        f"<dt>{escape(scene.heading)}</dt><dd>{_answer(scene.asked)}</dd>"
        for scene in sheet.scenes
        if scene.asked
    )
    made = _("Every number was measured on {model}. Made with Headlight.").format(model=sheet.model)
    return (
        f'<section class="key"><h1>{escape(_("Key for the teacher"))}</h1><dl>{answers}</dl>'
        f'<p class="made">{escape(made)}</p></section>'
    )


def _answer(asked: Asked) -> str:
    if asked.right is None:
        said = escape(_("None of these: the model does something else."))
    else:
        said = f"<b>{LETTERS[asked.right]}</b>: {inline(asked.choices[asked.right])}"
    return f"<p>{said}</p>{block(asked.then)}"
