"""The site says of a trace, in every language, what the app says of it."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import viz.components
import viz.site
from model.interventions.message import Message
from model.recording.trace import Part
from tests.sentences import TIRED_OR_WIDE
from tests.viz.live.engine import Engine
from tests.viz.pages.trace.test_way import trace as by_hand
from viz.components.component import classic
from viz.compute import traces
from viz.effect.near import near_tie, tie
from viz.language.text import languages, using
from viz.pages.trace import finding, views
from viz.site.trace import plain
from viz.site.words import finding_words

SCRIPT = Path(viz.site.__file__).parent / "assets" / "trace_maps.js"
DOM = Path(viz.components.__file__).parent / "javascript" / "dom.js"
TOKENS, WORDS = ["▁old", "▁**cat**", "ty", "</s>"], ("il", "elle")

NAN = np.nan
WAYS = [
    [[NAN] * 4, [0, 0, 0.4, 1.01], [1, 0.98, 0.13, 0], [0, 0, 0.01, 0.02]],
    [[NAN] * 4, [1, 0.85, 0.79, 0.9], [0, 0, 0, 0], [0, 0, 0, 0]],
    [[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]],
    [[0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]],
    [[0, 0, 0.1, 0.1], [0, 0, 0.9, 0.8], [0, 0, 0, 0], [0, 0, 0, 0]],
    [[1, 0.9, 0.6, 0.3], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    [[0.4, 0.3, 0.7, 0.1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    [[1, 0.9, 0.3, 0.9], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    [[0, 0, 0, 0.2]] * 4,
    [[NAN] * 4, [NAN] * 4, [NAN] * 4, [0, 0, 0, 0]],
]
"""Maps of the encoder that are told in every way: one step, none, several, none at the input."""


def every_way() -> list[tuple[Message, ...]]:
    """Return the findings of maps made by hand, and of two sentences by sublayers and heads."""
    told = [finding.where_it_passes(by_hand(one), TOKENS, WORDS) for one in WAYS]
    parts: list[tuple[Part, bool]] = [("sublayer", False), ("z", False), ("z", True)]
    for part, restored in parts:
        at = (11, 3) if part == "z" else None
        found = traces.trace(TIRED_OR_WIDE.first, TIRED_OR_WIDE.second, part, restored, at)
        if at:
            maps = views.head_tables(found, at, ("a", "b"), ())
            told += [finding.which_head(maps, restored), finding.which_head([], restored)]
        else:
            told.append(finding.which_sublayer(found, TOKENS * 8))
    return told


def on_site(told: list[object]) -> list[str]:
    """Say messages in Node as Markdown, in the language in force."""
    code = (
        f"const {{ saidParts }} = (() => {{ {classic(SCRIPT)} return headlight(); }})();\n"
        f"const {{ inARow }} = (() => {{ {classic(DOM)} return headlight(); }})();\n"
        f"const [told, words] = {json.dumps([told, finding_words()])};\n"
        "const bolds = (parts, at) => Boolean(parts[at]?.[1]) !== Boolean(parts[at - 1]?.[1]);\n"
        "const text = (parts) => [...parts, ['', false]]"
        ".map(([own], at) => (bolds(parts, at) ? '**' : '') + own).join('');\n"
        "const own = (all) => all.map((one) => text(saidParts(words, one)));\n"
        "const said = told.map((all) => inARow(own(all)));\n"
        "console.log(JSON.stringify(said));"
    )
    done = subprocess.run(
        ["node", "-"], input=code, capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("code", list(languages()))
def test_the_finding_is_the_same(code: str) -> None:
    ways = every_way()
    unsure = [[(0.41, 0.40), (0.001, 0.93)], [(0.16, 0.02), (0.001, 0.93)]]
    warnings = [warning for answers in unsure if (warning := tie(answers))]
    assert len({warning.text for warning in warnings}) == 2
    assert len({message.text for one in ways for message in one}) >= 13
    with using(code):
        told = [*map(finding.told, ways), *map(near_tie, unsure)]
        given = [[plain(message) for message in one] for one in ways]
        assert on_site([*given, *([plain(warning)] for warning in warnings)]) == [
            text.replace("\\", "") for text in told
        ]


def test_the_page_finds_the_same_of_maps_made_by_hand() -> None:
    with Engine() as engine:
        for encoder in WAYS:
            found = by_hand(encoder)
            maps = {
                kind: [[None if np.isnan(one) else one for one in row] for row in values.tolist()]
                for kind, values in found.maps.items()
            }
            for restored in (False, True):
                asked = {"part": "residual", "restored": restored, "maps": maps}
                if restored:
                    asked["maps"] = {
                        kind: [[None if one is None else 1 - one for one in row] for row in rows]
                        for kind, rows in maps.items()
                    }
                told = engine.ask("finding", trace=asked, tokens=TOKENS, words=WORDS)
                expected = finding.where_it_passes(found, TOKENS, WORDS)
                assert told == [plain(one) for one in expected]
