"""What a change of the model does is told on the site as in the app: numbers, boards and words."""

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import viz.site
from model.interventions.base import Intervention
from model.interventions.heads import MODES, AblateHead, Mode
from model.interventions.link_text import read, write
from model.interventions.masks import HideSource, LiftMask, PadSource
from model.measures.importance import Importance
from model.sites.sites import KINDS, Head
from tests.viz.live.engine import Engine
from viz.components.component import classic
from viz.components.head_board import Press
from viz.compute import effects, runs
from viz.effect import outcome
from viz.effect.effect import outcome_of
from viz.effect.experiments import Experiment
from viz.figures.theme import KEY, QUERY
from viz.language.text import languages, using
from viz.link import edits as edits_of
from viz.pages.lab_heads import heads
from viz.pages.lab_masks import masks
from viz.pages.lab_masks.mask_board import Stroke
from viz.site import recorded
from viz.site.effects import effect_message, numbers
from viz.site.words import outcome_words

SCRIPT = Path(viz.site.__file__).parent / "assets" / "outcome_words.js"

TIRED = "The animal didn't cross the street because it was too tired."
EVERY_CROSS = "zero.c.1-6.1-8"

ASKED = (
    (TIRED, "", EVERY_CROSS, None),
    (TIRED, "", "", 3),
    (TIRED, "zero.e.1-6.1-8_mean.d.2.1", "", None),
    (TIRED, "lift.d", "", 10),
    (TIRED, "hide.2-3", "", None),
    ("LOOK AT THIS (SMALL) HOUSE.", "uniform.c.6.1-8_skip.e.1", "", None),
    ("I like tea, and she likes coffee.", EVERY_CROSS, "", None),
    ("No.", "zero.d.1-6.1-8_sub.d.1.cross", "", 0),
    ("The old bridge (built in 1890) was closed.", "zero.e.1-6.1-8", "", None),
)
"""A text, its changes, those that are foreseen, and the step in focus."""


@pytest.mark.parametrize(("text", "edits", "foreseen", "step"), ASKED)
def test_the_model_in_the_page_makes_the_same_message(
    engine: Engine, text: str, edits: str, foreseen: str, step: int | None
) -> None:
    changes, seen = read(edits).interventions, read(foreseen).interventions
    expected = effect_message(text, changes, seen, step)
    given = {"rivals": recorded.rivals(), "step": step, "foreseen": foreseen}
    found = engine.ask("effect", text=text, edits=edits, **given)
    header = json.loads(json.dumps(expected.header))
    shapes = header.pop("arrays")
    assert alike(found["header"]) == alike(header)
    tiles = engine.arrays(found["arrays"])
    assert [[kind, 1, list(tile.shape)] for kind, tile in tiles.items()] == shapes
    levels = np.concatenate([tile.ravel() for tile in tiles.values()]).astype(int)
    assert np.abs(levels - np.frombuffer(expected.body, np.uint8)).max() <= 1


def alike(told: Any) -> Any:  # noqa: ANN401
    """Round all numbers of a header."""
    if isinstance(told, dict):
        return {name: alike(one) for name, one in told.items()}
    if isinstance(told, list):
        return [alike(one) for one in told]
    return pytest.approx(told, abs=1e-4) if isinstance(told, float) else told


def test_an_outcome_is_said_as_in_the_app() -> None:
    asked = [
        (effects.effect(text, read(foreseen or edits).interventions), step, foreseen)
        for text, edits, foreseen, step in ASKED
    ]
    for language in languages():
        with using(language):
            told, expected = [], []
            for effect, step, foreseen in asked:
                for part in ("", "word") if foreseen else ("",):
                    coming = Experiment("name", (), "", part=part) if foreseen else None
                    shown = outcome_of(effect, step, coming)
                    expected.append(json.loads(json.dumps(outcome.message(shown))))
                    named = {"name": "name", "part": part} if foreseen else None
                    told.append([numbers(shown), named])
            assert on_site(told) == expected


TEXTS = (
    ("Le chat dort.", "Le chat dort."), ("Le chat dort.", "Le chat dort"), ("a b c", "c b a"),
    ("Le chat dort.", ""), ("Le chat dort.", "Der Hund."), ("a", "a b"), ("a", "a b c"),
    ("a b c d", "a x d"), ("il il il il il il il il", "il"), ("", ""), ("我爱你。", "我恨他。"),
    ("我爱你", "我爱你们"), ("«Oui», dit-il.", "«Non», dit-elle!"), ("...", "."),
    ("l'eau", "l'air"), ("a b c d e", "a x c d b"), ("a b", "b a"), ("a b c d", "b c d. a e"),
    ("我很爱你", "很爱我他"),
)  # fmt: skip


def test_any_two_translations_compare_as_in_the_app() -> None:
    some = outcome.Likely("", "il", 0.5, 0.25)
    decision = outcome.Decision(some, some, outcome.Likely("", "all other pieces", 0, 0.5))
    shown = [
        outcome.Outcome(texts, (-1.5, -2.5), decision, [], True, ahead, blanks)
        for texts in TEXTS
        for ahead in (False, True)
        for blanks in (0, 1, 3)
    ]
    expected = [json.loads(json.dumps(outcome.message(one))) for one in shown]
    assert on_site([[numbers(one), None] for one in shown]) == expected


def on_site(told: list[Any]) -> list[Any]:
    """Make the data of outcomes in Node, with the words of the page in the language in force."""
    code = (
        f"{classic(SCRIPT)}\nconst {{ texts, told, colours }} = "
        'JSON.parse(require("node:fs").readFileSync(0, "utf8"));\n'
        "const { outcomeData } = headlight();\n"
        "const made = told.map(([one, seen]) => outcomeData(texts, one, seen, colours));\n"
        "console.log(JSON.stringify(made));\n"
    )
    given = {"texts": outcome_words(), "told": told, "colours": [QUERY, KEY]}
    command = ["node", "-e", code]
    ran = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


SHOWN = (
    (TIRED, "", None),
    (TIRED, "zero.c.1-6.1-8", None),
    (TIRED, "zero.e.6.4", Head("encoder", 5, 3)),
    (TIRED, "zero.e.6.4", Head("encoder", 0, 0)),
    (TIRED, "lift.d_pad.22_lift.e", Head("encoder", 1, 7)),
    (TIRED, "pad.22_lift.c", Head("cross", 4, 2)),
    (TIRED, "zero.d.6.1_zero.d.6.2", Head("decoder", 5, 1)),
    (TIRED, "skip.d.6.ffn", None),
)
"""A text, its changes, and the head whose attention is compared."""


@pytest.mark.parametrize(("text", "edits", "shown"), SHOWN)
def test_the_difference_of_attention_is_that_of_the_app(
    engine: Engine, text: str, edits: str, shown: Head | None
) -> None:
    expected = effect_message(text, read(edits).interventions, shown=shown).header["difference"]
    place = shown and {"kind": shown.kind, "layer": shown.layer, "head": shown.head}
    given = {"rivals": recorded.rivals(), "step": None, "foreseen": "", "shown": place}
    found = engine.ask("effect", text=text, edits=edits, **given)["header"]["difference"]
    assert alike(found) == alike(json.loads(json.dumps(expected)))


VIEWS = (
    (TIRED, "", Head("cross", 4, 2)),
    (TIRED, "hide.2-3_lift.d_pad.22_lift.e_lift.c", Head("encoder", 0, 7)),
    (TIRED, "block.d.2.3.5-1~5-2_block.d.all.all.3-1_invert.d", Head("decoder", 1, 2)),
    ("No.", "hide.1", Head("encoder", 5, 0)),
)
"""A text, its changes, and the head whose links are shown."""


@pytest.mark.parametrize(("text", "edits", "view"), VIEWS)
def test_masks_and_their_controls_are_told_alike(
    engine: Engine, text: str, edits: str, view: Head
) -> None:
    expected = effect_message(text, read(edits).interventions, view=view).header
    place = {"kind": view.kind, "layer": view.layer, "head": view.head}
    given = {"rivals": recorded.rivals(), "step": None, "foreseen": "", "view": place}
    header = engine.ask("effect", text=text, edits=edits, **given)["header"]
    for part in ("controls", "edits"):
        assert header[part] == json.loads(json.dumps(expected[part]))
    links, wanted = header["links"], json.loads(json.dumps(expected["links"]))
    levels = [np.array(one.pop("weights")) for one in (links, wanted)]
    assert links == wanted
    assert np.abs(levels[0] - levels[1]).max() <= 1


CELLS, PLACE = [[4, 0], [4, 1]], {"kind": "decoder", "layer": 1, "head": 2}

ACTS: tuple[tuple[str, object], ...] = (
    *(("lookAhead", chosen) for chosen in ("trained", "lifted", "inverted")),
    *(("padding", masked) for masked in (True, False)),
    *(("length", {"length": length, "pieces": 17}) for length in (17, 20)),
    *(("words", spans) for spans in ([], [[1, 2]], [[0, 0], [3, 3]])),
    *(
        ("stroke", {"stroke": {"forbid": forbid, "cells": CELLS}, "view": PLACE, "scope": scope})
        for forbid in (True, False)
        for scope in ("head", "layer", "all")
    ),
)


@pytest.mark.parametrize("edits", ["", "lift.d_hide.2-3", "invert.d_pad.30_block.d.2.3.5-1~6-1"])
def test_the_controls_of_masks_change_the_same(engine: Engine, edits: str) -> None:
    for act, value in ACTS:
        expected = acted(read(edits).interventions, act, value)
        assert engine.ask("mask", edits=edits, act=act, value=value) == write(expected)


def acted(now: tuple[Intervention, ...], act: str, value: Any) -> tuple[Intervention, ...]:  # noqa: ANN401
    """Do what the page about masks does in the app."""
    if act == "lookAhead":
        return masks.with_look_ahead(now, value)
    if act == "stroke":
        stroke = Stroke(value["stroke"]["forbid"], tuple(map(tuple, value["stroke"]["cells"])))
        return masks.draw(now, stroke, Head(**value["view"]), value["scope"])
    if act == "words":
        return edits_of.replaced(now, HideSource, [HideSource(*span) for span in value])
    if act == "length":
        padded = [PadSource(value["length"])] if value["length"] > value["pieces"] else []
        return edits_of.replaced(now, PadSource, padded)
    lifted = [] if value else [LiftMask("encoder"), LiftMask("cross")]
    others = edits_of.of_kind(now, LiftMask, kind="decoder")
    return edits_of.replaced(now, LiftMask, [*others, *lifted])


def test_words_are_hidden_one_by_one_alike(engine: Engine) -> None:
    run = runs.run(TIRED)
    words = tuple(HideSource(*word.span) for word in masks.words(run.source.tokens))
    found = engine.ask("alone", text=TIRED)
    assert found["words"] == [write([word]) for word in words]
    np.testing.assert_allclose(
        found["falls"], -effects.changes_alone(TIRED, words), atol=1e-4, rtol=1e-4
    )


PRESSES = (
    Press("encoder", 2, 3), Press("cross", 0, None), Press("decoder", None, None),
    Press("cross", 9, 1),
)  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("edits", ["", "zero.e.3.4_lift.d", "mean.c.1.1-8", "zero.c.1.1-7"])
def test_a_press_on_the_boards_changes_the_same(engine: Engine, mode: Mode, edits: str) -> None:
    config = runs.translator().config
    sizes, changes = json.dumps(config.to_dict()), read(edits).interventions
    for press in PRESSES:
        asked = {"edits": edits, "press": vars(press), "mode": mode, "config": sizes}
        assert engine.ask("press", **asked, only=False) == write(
            heads.toggle(changes, press, mode, config)
        )
        assert engine.ask("press", **asked, only=True) == write(
            heads.keep_only(changes, press, mode, config)
        )
    assert engine.ask("inMode", edits=edits, mode=mode) == write(heads.in_mode(changes, mode))


def test_heads_are_measured_alike(engine: Engine) -> None:
    text = "I love you."
    found, expected = (
        engine.ask("importance", text=text, mode="mean"),
        effects.importance(text, "mean"),
    )
    for kind in KINDS:
        np.testing.assert_allclose(found[kind], expected.falls[kind], atol=1e-4)
    falls = {kind: expected.falls[kind].tolist() for kind in KINDS}
    chosen = [heads.extreme(expected.falls, "mean", sign) for sign in (1, -1)]
    wanted = [one and write(one) for one in (*chosen, expected.least(5, "mean"))]
    assert engine.ask("ofFalls", falls=falls, mode="mean") == wanted
    for edits in ("", "lift.d_zero.e.1.1", write(expected.least(7, "mean"))):
        now = read(edits).interventions
        asked = {"edits": edits, "falls": falls, "mode": "mean"}
        assert engine.ask("least", **asked)["count"] == heads.least_off(now, expected, "mean")
        wanted = edits_of.replaced(now, AblateHead, expected.least(9, "mean"))
        assert engine.ask("least", **asked, count=9)["edits"] == write(wanted)
    none = {kind: np.zeros((1, 2)) for kind in KINDS}
    assert engine.ask("ofFalls", falls={kind: [[0, 0]] for kind in KINDS}, mode="zero") == [
        None,
        None,
        write(Importance(0.0, none).least(5)),
    ]
