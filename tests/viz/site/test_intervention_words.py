"""The chips of the site say of every change what the app's tray says, in every language."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import viz.site
from model.interventions.base import Intervention
from model.interventions.link_text import groups, write
from model.interventions.masks import LiftMask
from model.interventions.positions import ScalePositions, ShiftPositions
from model.interventions.scale import ScaleScores
from tests.model.interventions.samples import CONFIG, SAMPLES, SOURCE_TOKENS
from tests.viz.live.engine import Engine
from tests.viz.shell.test_intervention_words import TOGETHER
from viz.components.component import classic
from viz.language.text import languages, using
from viz.shell.intervention_words import group_words
from viz.site.words import page_words

SCRIPT = Path(viz.site.__file__).parent / "assets" / "intervention_words.js"

ODD: list[list[Intervention]] = [
    *([ScaleScores("cross", factor)] for factor in (2.0, 0.5, 1e-5, 123.456789, 100.0)),
    [ScalePositions("encoder", 1 / 3)],
    *([ShiftPositions("decoder", by)] for by in (3, -3, 0)),
    [LiftMask("cross"), LiftMask("decoder")],
]


def test_every_change_is_said_as_in_the_app() -> None:
    samples = [list(one.interventions) for kind in SAMPLES.values() for one in kind]
    changes: list[Sequence[Intervention]] = [*samples, *(made for made, _ in TOGETHER), *ODD]
    config = json.dumps(CONFIG.to_dict())
    with Engine() as engine:
        told = [
            [
                group["words"]
                for group in engine.ask("groups", edits=text, config=config, source=source)
            ]
            for text in map(write, changes)
            for source in (SOURCE_TOKENS, [])
        ]
    for language in languages():
        with using(language):
            expected = [
                [group_words(group, CONFIG, source) for group in groups(one)]
                for one in changes
                for source in (SOURCE_TOKENS, [])
            ]
            assert on_site(told) == expected


def on_site(told: Sequence[Sequence[object]]) -> list[list[str]]:
    """Say messages in Node, with the words of the page in the language in force."""
    code = (
        f"{classic(SCRIPT)}\nconst {{ words, told }} = "
        'JSON.parse(require("node:fs").readFileSync(0, "utf8"));\n'
        "const { saidMessage } = headlight();\n"
        "const said = told.map((all) => all.map((one) => saidMessage(words, one)));\n"
        "console.log(JSON.stringify(said));\n"
    )
    given = json.dumps({"words": page_words(), "told": told})
    ran = subprocess.run(
        ["node", "-e", code], input=given, capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)
