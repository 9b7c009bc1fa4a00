"""What the site says of doubts is what the app says, in every language."""

import json
import re
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

import viz.site
from viz.components.component import classic
from viz.compute.doubts import Reason
from viz.language.text import languages, using
from viz.shell import doubts

SCRIPT = Path(viz.site.__file__).parent / "assets" / "doubts.js"
LONG = "a long sentence, " * 6

REASONS = [
    Reason("language"),
    Reason("characters", "*", "I love you."),
    Reason("number", "48,271", written="4 827"),
    Reason("capitals", better="Close the door.", pieces=(20, 7)),
    Reason("loud", better="Close the door.", pieces=(3, 1)),
    Reason("small", "chien", "Close the door."),
    Reason("typing", "recieved, teh", LONG),
    Reason("spelling", "colour", "My color."),
    Reason("pieces", "kicked, spilled"),
    Reason("name", "{word}"),
]


def on_site(told: list[Reason], texts: dict[str, object]) -> list[list[str]]:
    """Say the reasons and the offers in Node."""
    code = (
        f"{classic(SCRIPT)}\nconst {{ saidDoubts, offeredBetter }} = headlight();\n"
        f"const [told, texts] = {json.dumps([[asdict(one) for one in told], texts])};\n"
        "console.log(JSON.stringify(told.map((reason) => [\n"
        "  ...saidDoubts(texts, { unsure: [], reason }).map(({ text }) => text),\n"
        '  offeredBetter(texts, { reason }).offer ?? "",\n'
        "])));"
    )
    done = subprocess.run(
        ["node", "-"], input=code, capture_output=True, text=True, timeout=300, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("code", list(languages()))
def test_reasons_and_offers_are_said_as_in_the_app(code: str) -> None:
    with using(code):
        said = on_site(REASONS, doubts.doubt_texts())
        expected = [
            re.sub(r"\\(.)|\*", r"\1", doubts._said(one)).replace("\u2060", "") for one in REASONS
        ]
    assert [text for text, _offer in said] == expected


def test_a_better_sentence_is_offered_as_in_the_app_and_a_long_one_is_cut() -> None:
    offers = [offer for _text, offer in on_site(REASONS, doubts.doubt_texts())]
    names = doubts._offers()
    assert offers == [
        names[one.kind].format(sentence=doubts._short(one.better)) if one.better else ""
        for one in REASONS
    ]
