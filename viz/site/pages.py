"""The pages of the site as HTML: a head, the picture, and the next links."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from shlex import quote
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.parse import quote as percent_encoded

from model.checkpoints.examples import Example
from model.sites.sites import Kind
from viz.compute import doubts, examples, models, openings, runs
from viz.course.entry import PageEntry
from viz.course.pages import named
from viz.language.text import _, capital, language, languages
from viz.link.offers import head_offers
from viz.pages.learning import born
from viz.pages.trace.explanation import caution
from viz.shell.doubts import doubt_texts
from viz.shell.navigation import title_of
from viz.shell.watch import menu_texts
from viz.site import engine, head, recorded, trace
from viz.site.messages import Header, script_json
from viz.site.words import (
    finding_words,
    formula_words,
    of_sentence,
    outcome_words,
    page_words,
    tied,
)

STORY, ATTENTION, DECODER, BORN = "index", "attention", "decoder", "learning"
HEAD, TRACE, LAB_MASKS, LAB_HEADS = "head", "trace", "lab_masks", "lab_heads"
"""The pages, by the names of their files."""

LIVE = (ATTENTION, DECODER, HEAD, LAB_MASKS, LAB_HEADS, TRACE)
"""The pages with a box for any sentence; only their opening is recorded."""

_BESIDE = {
    **{BORN: (), HEAD: ("products", "picker", "links", "row", "menu")},
    **{LAB_MASKS: ("outcome", "picker", "menu"), LAB_HEADS: ("outcome", "picker", "menu")},
    **{TRACE: ("bars", "picker", "links", "row", "menu")},
}
"""The scripts that pages need besides their own; others need only the menu of a token."""

_TORCH = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="20" height="20">'
    '<path fill="{colour}" fill-rule="evenodd" '
    'd="M7 2h10v3H7zM7 7h10l-2 4v11H9V11zM11 13h2v3h-2z"/></svg>'
)
"""The mark before the name, as a drawing, since not every machine has a font with a torch."""

_ICON = "data:image/svg+xml," + percent_encoded(_TORCH.format(colour="#0072B2"))

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What a page may load: components write style elements, and the model compiles WebAssembly."""


@dataclass(frozen=True)
class Site:
    """The data that all pages of a model need: the sentences of each, and what surrounds them.

    `models` names the pages of every model of the site; those of the first one lie at the top.
    `address` is that of the program, "" when none was given. An `offline` site keeps its models in
    scripts.
    """

    model: str
    sentences: Mapping[str, Sequence[Example]]
    models: Mapping[str, Sequence[str]]
    address: str = ""
    offline: bool = False

    @property
    def pages(self) -> Sequence[str]:
        """Return the existing pages, in their order: some models have no recorded training."""
        return self.models[self.model]

    @property
    def place(self) -> str:
        """Return the folder of the model's pages in the site, "" or with a slash at its end."""
        return "" if self.model == next(iter(self.models)) else f"{engine.MODELS}{self.model}/"

    def links(self, page: str, top: str) -> dict[str, str]:
        """Return the link to a page of every model, or to its first page; `top` leads to the top.

        The page is in the language in force.
        """
        first = next(iter(self.models))
        tongue = "" if language() == next(iter(languages())) else f"{language()}/"
        return {
            name: f"{top}{'' if name == first else engine.MODELS + percent_encoded(name) + '/'}"
            f"{tongue}"
            f"{page if page in pages else STORY}.html"
            for name, pages in self.models.items()
        }


def title(page: str) -> str:
    """Return the title of a page."""
    if page == BORN:
        return capital(_("a head being born"))
    entry = _entry(page)
    if page == TRACE:
        return capital(_(entry.name))
    return _(entry.heading) if entry.heading else title_of(entry)


def lead(page: str) -> str:
    """Return the line under the title: what to look at, with its Markdown."""
    if page == STORY:
        return _("One word changes, and another one is looked at. Then cut what you see.")
    if page == BORN:
        history = recorded.history()
        return born.lead(history) if history else ""
    return _(_entry(page).lead)


def _entry(page: str) -> PageEntry:
    return named("story" if page == STORY else page)


def page_html(site: Site, page: str, common: Header) -> str:
    """Return a page in the language in force; `common` is the shared part of component data."""
    root = "" if language() == next(iter(languages())) else "../"
    top = root + "../../" * bool(site.place)
    scripts = [page, *_BESIDE.get(page, ("menu",)), "site"]
    parts = "".join(f'<script src="{top}assets/{name}.js"></script>\n' for name in scripts)
    links = escape(script_json(site.links(page, top)))
    told = script_json(_told(site, page, common, root, top))
    about = "" if page == STORY else _about(site, page)
    whole = escape(_("Open this view in Headlight, and type a sentence of your own"))
    return f"""<!doctype html>
<html lang="{language()}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title(page))} · Headlight</title>
<meta name="description" content="{escape(_plain(lead(page)))}">
<link rel="icon" href="{_ICON}">
<link rel="stylesheet" href="{top}assets/site.css">
<script src="{top}assets/models.js" data-parameter="model" data-model="{escape(site.model)}"
  data-links="{links}"></script>
<script src="{top}assets/theme.js"></script></head>
<body data-page="{page}">
{_head(site, page, root, top)}
<main>
{about}<div id="picture"></div>
<p id="problem" role="alert" hidden></p>
<p class="whole"><a id="whole" target="_blank" rel="noopener" href="{page}.html">{whole}</a></p>
{_below(page)}{_others(site, page)}{_program(site)}
</main>
<noscript>{escape(_("This page draws with JavaScript, which is switched off here."))}</noscript>
<script type="application/json" id="told">{told}</script>
{parts}</body></html>
"""


def _head(site: Site, page: str, root: str, top: str) -> str:
    links = "".join(
        f'<a href="{one}.html"{_here(one == page)}>{escape(title(one))}</a>' for one in site.pages
    )
    first = next(iter(languages()))
    tongues = "".join(
        f'<a class="tongue" lang="{code}" hreflang="{code}"{_here(code == language())} href="'
        f'{root}{"" if code == first else code + "/"}{page}.html">{escape(name)}</a>'
        for code, name in languages().items()
    )
    dark = escape(_("Light or dark"))
    mark = _TORCH.format(colour="currentColor")
    # The story has this heading itself; on other pages, components begin at level 3.
    brand = f'{"div" if page == STORY else "h1"} class="brand"'
    return (
        f'<header><{brand}><a href="{STORY}.html">{mark} Headlight</a></{brand.split()[0]}>'
        f'<nav aria-label="{escape(_("Pages"))}">{links}</nav>'
        f'<div class="tools">{_models(site, page, top)}<span class="tongues">{tongues}</span>'
        f'<button type="button" id="theme" title="{dark}" aria-label="{dark}">◐</button>'
        f'<a class="get" href="#program">{escape(_("Get the program"))}</a></div></header>'
    )


def _models(site: Site, page: str, top: str) -> str:
    """Return the choice of the model, if there is one."""
    if len(site.models) == 1:
        return ""
    label = escape(_("Model"))
    options = "".join(
        f'<option value="{escape(link)}"{" selected" * (name == site.model)}>'
        f"{escape(name)}</option>"
        for name, link in site.links(page, top).items()
    )
    return f'<select id="models" aria-label="{label}" title="{label}">{options}</select>'


def _here(here: bool) -> str:
    return ' aria-current="page"' if here else ""


def _about(site: Site, page: str) -> str:
    """Return the title, the sentence or the choice of one, and what to look at in it."""
    box = _box(site, page) if page in LIVE else _choice(site, page)
    share = '<div id="share"></div>' if page in LIVE and page != ATTENTION else ""
    return f"""<div class="title"><h2>{escape(title(page))}</h2>
<p class="lead">{_marked(lead(page))}</p>{share}</div>
{box}<div class="under"><p id="changes" hidden></p>
<p id="doubts" role="status"></p>
<p class="look"><span id="look"></span> <span id="ways"></span></p></div>
"""


def _box(site: Site, page: str) -> str:
    """Return the box for a sentence, the menu of examples, and room for notes on both."""
    source = examples.current().source
    second = _second() if page == TRACE else ""
    name, list_name = escape(_("Sentence to translate")), escape(_("Examples"))
    return f"""<form class="sentence">
<input id="sentence" type="text" lang="{source}" maxlength="2000" autocomplete="off"
spellcheck="false" aria-label="{name}">
{_targets()}<select id="examples" lang="{source}" aria-label="{list_name}">
<option>{list_name}</option>
{_options(site, page)}</select></form>
{second}<p id="notes" role="status"></p>
"""


def _targets() -> str:
    """Return the menu of target languages; "" for a model that translates into one only."""
    name = escape(_("Target language"))
    options = "".join(f"<option>{escape(token)}</option>" for token in runs.languages())
    if not options:
        return ""
    return (
        f'<select id="targets" aria-label="{name}"><option value="">{name}</option>'
        f"{options}</select>\n"
    )


def _second() -> str:
    """Return the box for the sentence that is compared, and the menu of well-known pairs."""
    source = examples.current().source
    name, list_name = escape(_("Compare the sentence above with")), escape(_("Well-known pairs:"))
    options = "".join(
        f'<option title="{escape(f"{first} / {second}")}">{escape(pair)}</option>'
        for pair, first, second in trace.pairs()
    )
    return f"""<div class="sentence second">
<input id="second" type="text" lang="{source}" maxlength="2000" autocomplete="off"
spellcheck="false" aria-label="{name}">
<select id="pairs" aria-label="{list_name}"><option>{list_name}</option>{options}</select></div>
"""


def _choice(site: Site, page: str) -> str:
    """Return the choice among the recorded sentences."""
    label = escape(_("Sentences"))
    before, after = escape(_("Previous sentence")), escape(_("Next sentence"))
    return f"""<div class="sentence">
<a id="before" rel="prev" title="{before}" aria-label="{before}">&lsaquo;</a>
<select id="sentence" lang="{examples.current().source}" aria-label="{label}">
{_options(site, page)}</select>
<a id="after" rel="next" title="{after}" aria-label="{after}">&rsaquo;</a></div>
"""


def _options(site: Site, page: str) -> str:
    groups: dict[str, list[str]] = {}
    for one in site.sentences[page]:
        name = capital(_(one.shows)) if one.shows else ""
        groups.setdefault(name, []).append(f"<option>{escape(one.text)}</option>")
    return "".join(
        f'<optgroup label="{escape(name)}">{"".join(own)}</optgroup>'
        for name, own in groups.items()
    )


def _below(page: str) -> str:
    """Return the text below a picture."""
    history = recorded.history() if page == BORN else None
    said = born.captions(history) if history else []
    name = escape(_("What am I looking at?"))
    if page == TRACE:
        said, name = caution().split("\n\n"), escape(_("What was measured, and what was not"))
    if not said:
        return ""
    text = "".join(f"<p>{_marked(one)}</p>" for one in said)
    return f"<details><summary>{name}</summary>{text}</details>"


def _others(site: Site, page: str) -> str:
    cards = "".join(
        f'<a href="{one}.html"><b>{escape(title(one))}</b><span>{_marked(lead(one))}</span></a>'
        for one in site.pages
        if one != page
    )
    return f'<nav class="cards" aria-label="{escape(_("More pages"))}">{cards}</nav>'


def _program(site: Site) -> str:
    """Describe the way to get the program that made this page."""
    name = models.in_force()
    model = "" if name == "en-fr" else f" --checkpoint {quote(name)}"
    text = _(
        "The app also has lessons, a class that answers, pages on every part of the model, many "
        "sentences at once, other models and your own. It runs on your own machine, and nothing "
        "leaves it."
    )
    shown = escape(site.address)
    where = f'<p><a href="{shown}">{shown}</a></p>' if shown else ""
    then = _("With the sources of Headlight, in their folder:")
    made = _("The model is {model}.").format(model=runs.checkpoint_name())
    return (
        f'<section id="program"><h2>{escape(_("The program itself"))}</h2><p>{escape(text)}</p>'
        f"{where}<p>{escape(then)}</p>"
        f"<pre><code>pip install .\nheadlight{escape(model)}</code></pre>"
        f'<p class="made">{escape(made)}</p></section>'
    )


def _told(site: Site, page: str, common: Header, root: str, top: str) -> dict[str, object]:
    """Return the data for the page's script."""
    story = examples.current().story
    looks = _looks(story.first) if story else {}
    return {
        "page": page,
        "models": {"name": site.model, "all": list(site.models)},
        "language": language(),
        "data": f"{root}data/",
        "common": common,
        "sentences": [_sentence(site, page, one) for one in site.sentences.get(page, ())],
        "menu": {"texts": menu_texts(), "looks": looks},
        "pages": {name: f"{name}.html" for name in LIVE},
        "live": {
            "script": f"{top}{engine.SCRIPT}",
            "folder": f"{root}{engine.FOLDER}",
            "files": engine.told(offline=site.offline),
            "offline": site.offline,
            "keeper": "" if site.offline else f"{top}{engine.KEEPER}",
        },
        "words": page_words(),
        "doubts": {"texts": doubt_texts(), "known": doubts.known()} if page in LIVE else {},
        "offers": _offers(page),
        "ofSentence": of_sentence(),
        "tied": tied(),
        "rivals": recorded.rivals() if page in (DECODER, LAB_MASKS, LAB_HEADS) else {},
        **(head.told() if page in (HEAD, TRACE) else {}),
        **({"formulas": formula_words()} if page == HEAD else {}),
        "outcome": outcome_words() if page in (LAB_MASKS, LAB_HEADS) else {},
        **({"pairs": trace.pairs(), "finding": finding_words()} if page == TRACE else {}),
    }


def _offers(page: str) -> dict[str, object]:
    """Return the offers of a head in the unchanged model, as far as the site has them."""
    offers = {
        name: one for name, one in head_offers().items() if name in ("off", "on", "turn", "cut")
    }
    if page == HEAD:
        return offers
    along = ["sentence", "edits", "word", "step", "query", "lock"]
    says = {name: f"{{{name}}}" for name in ("kind", "layer", "head")}
    return {**offers, "numbers": {"page": f"{HEAD}.html", "along": along, "says": says}}


def _looks(sentence: str) -> dict[Kind, tuple[int, int]]:
    """Return the layer and head of each kind, from 0, that the words of a sentence lead to."""
    return dict(openings.opening(sentence).places())


def _sentence(site: Site, page: str, example: Example) -> dict[str, object]:
    """Return a sentence, what to look at in it, and its links to other pages."""
    ways = []
    names = {
        ATTENTION: _("Its attention"),
        DECODER: _("How this translation is written"),
        HEAD: title(HEAD),
        LAB_HEADS: title(LAB_HEADS),
        LAB_MASKS: title(LAB_MASKS),
        BORN: title(BORN),
    }
    for other, name in names.items():
        if other != page and example in site.sentences.get(other, ()):
            ways.append((name, f"{other}.html?{urlencode({'sentence': example.text})}"))
    story = examples.current().story
    if STORY in site.pages and story and example.text in (story.first, story.second):
        ways.append((title(STORY), f"{STORY}.html?{urlencode({'sentence': example.text})}"))
    return {
        "text": example.text,
        "link": urlencode(_asked(example)) if page == ATTENTION else "",
        "look": _(example.look) if example.look and page not in (HEAD, TRACE, BORN) else "",
        "ways": ways,
        "looks": _looks(example.text),
        **({"opens": head.opens(example.text)} if page in (HEAD, TRACE) else {}),
    }


def _asked(example: Example) -> dict[str, str]:
    """Return the parameters of an example's view, with its sentence."""
    return {"sentence": example.text, **dict(parse_qsl(urlsplit(example.link).query))}


def follow(sentence: str) -> str:
    """Return the story's next link: its first sentence, at the deciding head and word."""
    first = openings.opening(sentence)
    layer, head = first.head(first.kind)
    place = "word" if first.kind == "encoder" else "step"
    says = {"sentence": sentence, "kind": first.kind, "layer": layer + 1, "head": head + 1}
    return f"{ATTENTION}.html?{urlencode({**says, place: first.query + 1})}"


def _marked(text: str) -> str:
    """Turn the Markdown of our own sentences into HTML."""
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text, quote=False))
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", bold)


def _plain(text: str) -> str:
    return text.replace("*", "")
