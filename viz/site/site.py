"""The whole site: the recorded content, in every language, as files in a folder."""

import base64
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import streamlit

from model.checkpoints.examples import Example
from model.home import HOME
from viz.components import head_board
from viz.components.attention_explorer import ENTRY as EXPLORER
from viz.components.component import classic
from viz.components.head_links import ENTRY as LINKS
from viz.components.head_picker import ENTRY as PICKER
from viz.components.token_row import ENTRY as ROW
from viz.compute import examples, live, models, swings
from viz.effect import outcome
from viz.figures.theme import FONT
from viz.language.text import languages, using
from viz.pages.decoder.step_decoder import ENTRY as STEPS
from viz.pages.head.head_chain import ENTRY as CHAIN
from viz.pages.head.head_chain import PRODUCTS
from viz.pages.lab_masks import mask_board
from viz.pages.learning.timeline import ENTRY as TIMELINE
from viz.pages.story.story_picture import ENTRY as PICTURE
from viz.pages.trace.trace_map import ENTRY as MAPS
from viz.pages.trace.weight_bars import ENTRY as BARS
from viz.shell.watch import ENTRY as MENU
from viz.site import engine, recorded
from viz.site.head import head
from viz.site.messages import Drawn, parted
from viz.site.pages import (
    ATTENTION,
    BORN,
    DECODER,
    HEAD,
    LAB_HEADS,
    LAB_MASKS,
    LIVE,
    STORY,
    TRACE,
    Site,
    follow,
    page_html,
)
from viz.site.trace import parts_first, trace

LARGEST = 10_000_000
"""The most bytes of all files of a model's pages together, without the model."""

_ASSETS = Path(__file__).parent / "assets"
_PARTS = {
    **{STORY: PICTURE, ATTENTION: EXPLORER, DECODER: STEPS, HEAD: CHAIN},
    **{TRACE: MAPS, "bars": BARS, BORN: TIMELINE},
    **{
        "bars": BARS,
        "menu": MENU,
        "products": PRODUCTS,
        "picker": PICKER,
        "links": LINKS,
        "row": ROW,
    },
    **{"outcome": outcome.ENTRY, LAB_MASKS: mask_board.ENTRY, LAB_HEADS: head_board.ENTRY},
}
"""The entry module of each script: of a page by its name, or of a part that pages share."""

_LINK_COLOURS = {"light": "#0068c9", "dark": "#3d9df3"}  # Streamlit's own


def write_site(
    folder: Path,
    address: str = "",
    tell: Callable[[str], None] = print,
    *,
    names: Sequence[str] = (),
    offline: bool = False,
) -> int:
    """Write the site of these models into a new or empty folder; return its bytes.

    The pages of the first model, or without names those of the model in force, lie at the top.
    `address` is where to get the program, "" if unknown. `tell` receives the current piece of work.
    An `offline` site opens from a disk, too: its models lie in scripts, which are a third larger.
    Raises ValueError naming the fault of the folder, what a model lacks, or the bytes beyond
    `LARGEST`.
    """
    _check_folder(folder)
    sentences = {name: sentences_of(name) for name in names or [models.in_force()]}
    pages = {name: tuple(own) for name, own in sentences.items()}
    files: dict[str, bytes] = {}
    for name, own in sentences.items():
        files |= site_files(Site(name, own, pages, address, offline), tell)
    if not offline:
        files[engine.KEEPER] = engine.keeper(files).encode()
    try:
        for place, content in files.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise ValueError(f"{folder}: the site could not be written: {error.strerror}") from None
    return sum(map(len, files.values()))


def _check_folder(folder: Path) -> None:
    """Make the folder; ValueError when it is not empty or not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ValueError(f"{folder} is not empty: name a new folder")
    except FileExistsError:
        raise ValueError(f"{folder} is a file: name a new folder") from None
    except OSError as error:
        raise ValueError(f"{folder}: no folder can be made here: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{folder}: nothing may be written there")


def sentences_of(name: str) -> dict[str, Sequence[Example]]:
    """Return the sentences of each page that a model has; the story chooses its own.

    A model without examples of its own has the sentences of the shipped one, without what is said
    of them. Raises ValueError when the model in the page cannot be this one.
    """
    with models.using(name):
        if models.is_recurrent(name):
            raise ValueError(f"{name} is recurrent, and a site shows a Transformer")
        live.check()
        sentences = examples.current().sentences
        if examples.languages() is None:
            sentences = tuple(replace(one, shows="", look="", link="") for one in sentences)
        known = recorded.born_sentences(sentences)
        able = [page for page in LIVE if page != TRACE or parts_first()]
        return {
            **({STORY: ()} if _has_story() else {}),
            **dict.fromkeys(able, sentences),
            **({BORN: known} if known else {}),
        }


def _has_story() -> bool:
    """Return True if a head of the model in force decides between the sentences of the story."""
    with suppress(ValueError):
        return bool(swings.swing(swings.story()))
    return False


def site_files(site: Site, tell: Callable[[str], None]) -> dict[str, bytes]:
    """Return every file of a model's pages by its path, with those that all models share.

    Raises ValueError when there are more than `LARGEST` bytes, or no weights for a browser.
    """
    texts = _assets(site)
    with models.using(site.model):
        weights = engine.files(offline=site.offline)
        for page in site.pages:
            tell(f"recording {site.place}{page}.html")
            texts |= {f"{site.place}{path}": text for path, text in _page(site, page).items()}
    files = {path: text.encode() for path, text in texts.items()}
    size = sum(map(len, files.values()))
    if size > LARGEST:
        raise ValueError(f"this site has {size:,} bytes, and at most {LARGEST:,} are allowed")
    return files | {f"{site.place}{path}": content for path, content in weights.items()}


def _page(site: Site, page: str) -> dict[str, str]:
    """Return the files of a page: itself in each language, and the data it draws.

    The first page is also that of a folder, whatever its name.
    """
    messages: dict[str, Sequence[Drawn]] = {}
    for code in languages():
        with using(code):
            messages[code] = _messages(page, site)
    parts = parted(messages)
    files = {
        f"data/{page}-{number}.js": f'headlightTake("{page}-{number}", {text});\n'
        for number, text in enumerate(parts.files)
    }
    for at, code in enumerate(languages()):
        with using(code):
            html = page_html(site, page, parts.common[code])
            for name in {page, STORY} if page == site.pages[0] else {page}:
                files[f"{code}/{name}.html" if at else f"{name}.html"] = html
    return files


def _messages(page: str, site: Site) -> list[Drawn]:
    if page == STORY:
        return recorded.story(follow(swings.story().first), f"{ATTENTION}.html")
    record = {
        ATTENTION: recorded.attention,
        DECODER: recorded.decoder,
        HEAD: lambda sentences: [head(one.text) for one in sentences],
        LAB_HEADS: recorded.lab_heads,
        LAB_MASKS: recorded.lab_masks,
        TRACE: lambda _sentences: [trace()],
        BORN: recorded.heads_born,
    }[page]
    return record(site.sentences[page][: 1 if page in LIVE else None])


def _assets(site: Site) -> dict[str, str]:
    """Return scripts and the style sheet. A file cannot load modules: each script is plain."""
    files = {
        f"assets/{name}.js": f"{{\n{classic(entry)}window.headlightParts ??= {{}};\n"
        f'window.headlightParts["{name}"] = headlight();\n}}\n'
        for name, entry in _PARTS.items()
        if name not in (TRACE, BORN) or name in site.pages
    }
    for name in ("theme.js", "models.js"):
        files[f"assets/{name}"] = (_ASSETS / name).read_text(encoding="utf-8")
    start = "headlight().start();\n"
    files["assets/site.js"] = f"{{\n{classic(_ASSETS / 'site.js')}{start}}}\n"
    files[engine.SCRIPT] = engine.script(offline=site.offline)
    style = (_ASSETS / "site.css").read_text(encoding="utf-8")
    files["assets/site.css"] = _font() + _colours() + style
    return files


def _colours() -> str:
    """Return the colours of both themes, those of the app, as variables for components."""
    path = HOME / ".streamlit" / "config.toml"
    theme = tomllib.loads(path.read_text(encoding="utf-8"))["theme"]
    rules = [
        _variables(':root[data-theme="dark"]' if name == "dark" else ":root", name, theme)
        for name in ("light", "dark")
    ]
    return "".join(rules)


def _variables(selector: str, name: str, theme: Mapping[str, Mapping[str, str]]) -> str:
    own = {**theme, **theme[name]}
    values = {
        "background-color": own["backgroundColor"],
        "secondary-background-color": own["secondaryBackgroundColor"],
        "text-color": own["textColor"],
        "primary-color": own["primaryColor"],
        "link-color": _LINK_COLOURS[name],
        "font": FONT,
    }
    text = "".join(f"--st-{key}:{value};" for key, value in values.items())
    return f"{selector}{{color-scheme:{name};{text}}}\n"


def _font() -> str:
    """Return the app's font, which Streamlit brings along; "" if it is missing."""
    media = Path(streamlit.__file__).parent / "static" / "static" / "media"
    font = next(media.glob("SourceSansVF-Upright*.woff2"), None)
    if font is None:
        return ""
    data = base64.b64encode(font.read_bytes()).decode()
    return (
        '@font-face{font-family:"Source Sans";font-weight:200 900;font-display:swap;'
        f'src:url(data:font/woff2;base64,{data}) format("woff2")}}\n'
    )
