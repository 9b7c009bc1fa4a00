"""Who imports whom: the arrows between the folders, and no other."""

import ast
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("model", "viz", "headlight", "browser", "benchmarks")


@dataclass(frozen=True)
class Rule:
    """What a part may import beside the standard library, and what of that it may not."""

    allowed: tuple[str, ...]
    forbidden: tuple[str, ...] = ()


# Of the model, its frozen data: what a person can choose, and what was measured.
FROZEN = (
    "model.checkpoints.card.Card",
    *(f"model.checkpoints.examples.{one}" for one in ("Example", "Examples")),
    *(f"model.checkpoints.examples.{one}" for one in ("Meanings", "StoryPair")),
    "model.chinese",
    "model.decoding.beam.Node",
    "model.decoding.beam.Tree",
    "model.decoding.steps",
    "model.interventions",
    *(f"model.learning.{one}" for one in ("descent.Descent", "example.TrainingExample")),
    *(f"model.learning.{one}" for one in ("dropout.Draws", "forcing.Fed", "recipe")),
    *("model.learning.equal_heads.Heads", "model.learning.optimizers"),
    *(f"model.learning.beginning.{one}" for one in ("FirstGradients", "Norms", "Sizes")),
    *(f"model.learning.beginning.{one}" for one in ("RULES", "Rule", "xavier_bound")),
    *(f"model.measures.unigram.{one}" for one in ("Round", "Scores", "cut")),
    *(f"model.measures.decoding_cost.{one}" for one in ("DecodingCost", "StepCost")),
    *(f"model.measures.decoding_cost.{one}" for one in ("expected", "kept_bytes")),
    "model.measures.familiarity.Sign",
    *(f"model.measures.quality.{one}" for one in ("Group", "Order", "Worked", "chrf", "worked")),
    *(f"model.measures.atlas.atlas.{one}" for one in ("Atlas", "Chosen")),
    *(f"model.measures.atlas.roles.{one}" for one in ("ROLES", "Role")),
    "model.measures.importance.Importance",
    "model.measures.mean_trace.MeanTrace",
    *(f"model.measures.smaller.{one}" for one in ("Measured", "Method", "Smaller")),
    *(f"model.measures.own_pair.{one}" for one in ("NoPairError", "Reason")),
    *(f"model.measures.minimal_pairs.{one}" for one in ("Slot", "align", "by_slot")),
    "model.measures.swing.Swing",
    *(f"model.recording.history.{one}" for one in ("CUTS", "UNDECIDED", "History")),
    *(f"model.recording.parts.{one}" for one in ("Parts", "ScoreParts")),
    "model.recording.recording.Recording",
    *(f"model.recording.trace.{one}" for one in ("Part", "Trace")),
    "model.recurrent.config",
    "model.recurrent.looking.Looking",
    "model.sites.sites",
    "model.transformer.config",
    *(f"model.results.{one}" for one in ("Run", "Source", "Step", "Translation")),
    *(f"model.measures.vocabulary.{one}" for one in ("LONGEST", "METHODS", "MOST_PIECES")),
    *(f"model.measures.vocabulary.{one}" for one in ("Learned", "Method", "Vocabulary")),
    "model.words",
)
AROUND = (
    *(
        "numpy",
        "streamlit",
        "viz.components",
        "viz.compute",
        "viz.course",
        "viz.language",
        "viz.link",
        "viz.shell",
    ),
    *FROZEN,
)
# Frozen data that a page's entry says of its parameters.
_SAID = tuple(f"viz.link.{part}" for part in ("branches", "forms", "parameter"))
MODEL = Rule(("model", "numpy", "safetensors", "sentencepiece", "torch"), ("model.training",))
TRAINING = Rule(("model", "eflomal", "numpy", "sacrebleu", "sentencepiece", "torch", "tqdm"))
BROWSER = ("browser", "playwright")

# The longest name that fits a module decides.
RULES = {
    "model": MODEL,
    "model.decoding": Rule(("model.decoding", "torch")),
    "model.decoding.quick_decoder": Rule(("model.transformer", "torch")),
    "model.decoding.cached_scorer": Rule(
        (
            *("model.decoding.draft", "model.decoding.quick_decoder"),
            *("model.transformer.transformer", "torch"),
        )
    ),
    "model.decoding.edited_scorer": Rule(
        ("model.decoding.draft", "model.sites.tap", "model.transformer", "torch")
    ),
    "model.decoding.together": Rule(("model.decoding", "model.sites.tap", "torch")),
    # It trains for show. The trainer's steps are here, too: they need nothing but torch.
    "model.learning": Rule(
        (
            *("model.decoding", "model.interventions", "model.learning", "model.sites"),
            "model.tokenizer",
            *("model.transformer", "model.results", "model.translator", "numpy", "torch"),
        )
    ),
    # Above its rooms are the commands. Losses are made of data, the loop of both.
    "model.training": TRAINING,
    "model.training.generated": replace(
        TRAINING, forbidden=("model.training.losses", "model.training.loop")
    ),
    "model.training.data": replace(
        TRAINING, forbidden=("model.training.losses", "model.training.loop")
    ),
    "model.training.losses": replace(TRAINING, forbidden=("model.training.loop",)),
    **{f"model.learning.{part}": Rule(("torch",)) for part in ("cross_entropy", "muon")},
    "model.learning.master_weights": Rule(("model.learning.muon", "torch")),
    "model.training.settings": Rule(
        (
            *("model.families.Config", "model.learning.recipe", "model.recurrent.config"),
            "model.sites.sites",
            "model.transformer.config",
        )
    ),
    "viz": Rule(()),
    # The name for everybody else.
    "headlight": Rule(("headlight", "model", "viz.notebook", "viz.program")),
    # The program: it starts the app, or one of the programs of its table.
    "viz.program": Rule(("model.home", "streamlit", "viz.classroom.network")),
    "viz.language": Rule(("babel", "model.words", "streamlit", "viz.language")),
    # It reads the catalogues of other languages, and all cards.
    "viz.language.update": Rule(("babel", "model.checkpoints", "model.sites", "viz.language.text")),
    # It asks for the languages of the model in force.
    "viz.language.sides": Rule(("viz.compute.examples", "viz.language.text")),
    "viz.figures": Rule(
        (
            *("model.sites.sites", "model.words", "numpy", "plotly"),
            *("viz.figures", "viz.language.text", "viz.language.wording.in_a_row"),
        )
    ),
    "viz.figures.table": Rule(("streamlit", "viz.figures.letters.STAGE")),
    "viz.figures.figure": Rule(
        (
            *("plotly", "streamlit"),
            *(f"viz.figures.{part}" for part in ("letters", "margins", "said")),
        )
    ),
    "viz.components": Rule(
        (
            *("PIL", "model.sites.sites", "model.words", "numpy", "streamlit", "viz.components"),
            *("viz.figures.labels", "viz.figures.theme", "viz.language"),
            *(
                f"model.measures.sharpest.{one}"
                for one in ("Weights", "sharpest_heads", "sharpest_kind")
            ),
        ),
        ("viz.language.sides",),
    ),
    # The model as a whole, and what draws without a server. Streamlit brings Pillow.
    "viz.notebook": Rule(
        (
            *("PIL", "model", "numpy", "plotly", "viz.components", "viz.figures"),
            *("viz.language.text", "viz.notebook"),
        ),
        ("model.training",),
    ),
    "viz.sharing": Rule(("model", "numpy", "torch", "viz.sharing"), ("model.training",)),
    # It knows neither the model nor the pages: only who asked what, and who answered.
    "viz.classroom": Rule(("redis", "viz.classroom")),
    "viz.compute": Rule(
        ("model", "numpy", "streamlit", "torch", "viz.compute", "viz.sharing"), ("model.training",)
    ),
    "viz.link": Rule(
        (
            *("streamlit", "viz.compute", "viz.course", "viz.figures.letters.STAGE"),
            *("viz.language", "viz.link", *FROZEN),
        )
    ),
    # Below everything: entries are written in these words.
    **{name: Rule(()) for name in ("viz.link.branches", "viz.link.forms")},
    "viz.link.parameter": Rule(("viz.link.forms",)),
    "viz.course.entry": Rule(("viz.link.parameter",)),
    # It finds each entry by the name of its folder.
    "viz.course.pages": Rule(("viz.course.entry", "viz.language.text")),
    "viz.link.choice": Rule(("streamlit", "viz.figures.labels", "viz.language", "viz.link")),
    "viz.shell": Rule(
        (
            *AROUND,
            *(f"viz.figures.{part}" for part in ("labels", "letters.STAGE", "theme", "weights")),
            *("segno", "viz.classroom", "viz.handout", "viz.sharing"),
        )
    ),
    # What several pages show of a change.
    "viz.effect": Rule((*AROUND, "plotly", "viz.effect", "viz.figures")),
    # It draws a figure later than the page.
    "viz.shell.below": Rule(
        (
            *("plotly", "streamlit", "viz.components.component", "viz.figures.figure"),
            *(f"viz.figures.{part}" for part in ("letters.STAGE", "margins.height_of")),
            "viz.shell.fragment",
        )
    ),
    "viz.server": Rule(
        (
            *("pandas", "starlette", "streamlit"),
            *("viz.classroom", "viz.compute", "viz.course", "viz.language.text"),
            *("viz.link.framing", "viz.link.table", "viz.server", "viz.shell"),
        )
    ),
    # The model in JavaScript; its only Python assembles the kernel.
    "viz.live": Rule(()),
    # It stands above the pages: it writes what they show, without a server.
    "viz.site": Rule(
        (
            *("model.command", "model.home", "streamlit", "viz.components", "viz.compute"),
            *("viz.course", "viz.figures.labels", "viz.figures.theme", "viz.figures.weights"),
            *("viz.language", "viz.link", "viz.pages"),
            *("viz.effect", "viz.server.arguments", "viz.shell", "viz.site", *FROZEN),
            "model.checkpoints.checkpoint.WEIGHTS",
        )
    ),
    # Lessons on paper and in other programs.
    "viz.handout": Rule(
        (
            *("latex2mathml", "markdown_it", "model.command", "model.home", "numpy", "viz.compute"),
            *(
                "viz.course.pages",
                "viz.figures.labels",
                "viz.figures.theme",
                "viz.handout",
                "viz.language",
                "viz.link",
            ),
            *("viz.notebook", "viz.server.arguments", "viz.shell", *FROZEN),
        )
    ),
    "browser": Rule(
        (
            *BROWSER,
            "viz.handout.chromium",
            "streamlit.proto",
            "viz.components.attention_explorer",
            "viz.server",
            "websockets",
        )
    ),
    "benchmarks": Rule(
        (
            *("benchmarks", *BROWSER, "model", "numpy", "plotly", "streamlit"),
            *("tests.fixtures", "torch", "transformers", "viz"),
        )
    ),
}
for page in (ROOT / "viz" / "pages").glob("*/"):
    name = f"viz.pages.{page.name}"
    RULES[name] = Rule((*AROUND, "plotly", "viz.effect", "viz.figures", name))
    RULES[f"{name}.entry"] = Rule(("viz.course.entry", "viz.language.text", *_SAID))


@cache
def imports(source: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the imports of a module, wherever they are."""
    nodes = ast.walk(ast.parse(source))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


@cache
def imported(source: str, package: str) -> frozenset[str]:
    """List the full names that a module of this package imports, wherever it does so."""
    names: set[str] = set()
    for node in imports(source):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        else:
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = [*(parents if node.level else []), *([node.module] if node.module else [])]
            names |= {".".join([*start, alias.name]) for alias in node.names}
    return frozenset(names)


def within(name: str, parts: tuple[str, ...]) -> bool:
    return any(name == part or name.startswith(part + ".") for part in parts)


def forbidden_imports(module: str, source: str) -> list[str]:
    """List what a module imports against the rule of its part."""
    rule = RULES[max((part for part in RULES if within(module, (part,))), key=len)]
    return sorted(
        name
        for name in imported(source, package=module.rpartition(".")[0])
        if name.split(".")[0] not in sys.stdlib_module_names
        and (within(name, rule.forbidden) or not within(name, rule.allowed))
    )


def modules() -> list[str]:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths)


def source_of(module: str) -> str:
    return (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")


SOURCES = {module: source_of(module) for module in modules()}


def test_a_module_imports_only_what_its_part_may() -> None:
    found = {module: forbidden_imports(module, source) for module, source in SOURCES.items()}
    assert {module: names for module, names in found.items() if names} == {}


FORBIDDEN = r"""
model.sites.tap | def late():\n    import viz | viz
model.decoding.beam | from ..tokenizer import Tokenizer | model.tokenizer.Tokenizer
viz.figures.attention | from viz import compute | viz.compute
viz.pages.head.page | from viz.pages.lab_heads import heads | viz.pages.lab_heads.heads
viz.compute.runs | from model.training import card | model.training.card
viz.shell.state | from model.translator import Translator | model.translator.Translator
"""
"""A module, a line in it, and what in that line it may not import."""


@pytest.mark.parametrize("row", FORBIDDEN.strip().splitlines())
def test_a_forbidden_import_is_found(row: str) -> None:
    module, line, named = row.split(" | ")
    assert forbidden_imports(module, line.replace(r"\n", "\n")) == [named]


def test_whoever_draws_a_figure_asks_nobody_for_its_numbers() -> None:
    """A module that builds plotly figures gets numpy: no streamlit, nothing computed."""
    figures, asking = ("plotly",), ("streamlit", "viz.compute", "viz.language.sides", "viz.shell")
    both = []
    for module, source in SOURCES.items():
        if not module.startswith("viz."):
            continue
        names = imported(source, package=module.rpartition(".")[0])
        names -= {"plotly.graph_objects.Figure"}  # to pass one on, not to build one
        if any(within(n, figures) for n in names) and any(within(n, asking) for n in names):
            both.append(module)
    assert both == []


def defined(source: str) -> set[str]:
    """List the names that a module makes itself, at its top level."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                t.id for target in targets for t in ast.walk(target) if isinstance(t, ast.Name)
            }
    return names


@cache
def path_of(module: str) -> Path | None:
    """Return the file of one of our modules or packages; None for others."""
    stem = ROOT / module.replace(".", "/")
    found = [path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()]
    return found[0] if found else None


@cache
def made_by(module: str) -> set[str] | None:
    """List the names that one of our modules makes itself; None for others."""
    path = path_of(module)
    return defined(path.read_text(encoding="utf-8")) if path else None


PUBLIC = ("model", "viz.notebook")
"""Packages that offer what their modules make."""


def borrowed(source: str) -> list[str]:
    """List the names that are imported from one of our modules which has them from elsewhere."""
    found = []
    for node in imports(source):
        if not isinstance(node, ast.ImportFrom) or not node.module or node.module in PUBLIC:
            continue
        own = made_by(node.module)
        for name in (alias.name for alias in node.names):
            if own is not None and name not in own and not path_of(f"{node.module}.{name}"):
                found.append(f"{node.module}.{name}")
    return found


def test_every_name_is_imported_from_its_home() -> None:
    found = {module: borrowed(source) for module, source in SOURCES.items()}
    assert {module: names for module, names in found.items() if names} == {}


FLOORS = (
    *("model.words", "model.chinese", "model.command", "model.home", "model.sites"),
    *("model.tokenizer", "model.marian_tokenizer"),
    *("model.transformer", "model.recurrent", "model.decoding", "model.families"),
    *("model.checkpoints", "model.interventions", "model.recording", "model.results"),
    *("model.arguments", "model.loaded", "model.scoring"),
    *(
        "model.translator",
        "model.measures",
        "model.learning",
        "model.training",
        "model.__init__",
        "model.__main__",
    ),
)
"""The rooms of the model from the lowest to the highest: each imports only what lies below it."""


def floor(name: str) -> int:
    """Tell how high a module of the model lies, or one that is imported: `model` is the whole."""
    room = ".".join(name.split(".")[:2])
    return FLOORS.index(room if room in FLOORS else "model.__init__")


def upward(module: str, source: str) -> list[str]:
    """List what a module of the model imports from above it."""
    names = imported(source, package=module.rpartition(".")[0])
    ours = sorted(name for name in names if within(name, ("model",)))
    return [name for name in ours if floor(name) > floor(module)]


def test_no_import_runs_upward_in_the_model() -> None:
    found = {
        module: upward(module, source)
        for module, source in SOURCES.items()
        if within(module, ("model",))
    }
    assert {".".join(module.split(".")[:2]) for module in found} == set(FLOORS)
    assert {module: names for module, names in found.items() if names} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, source in SOURCES.items():
        names = imported(source, package=module.rpartition(".")[0])
        found = {name if path_of(name) else name.rpartition(".")[0] for name in names}
        ours = {name for name in found if within(name, FOLDERS)}
        graph[module.removesuffix(".__init__")] = ours - {module.removesuffix(".__init__")}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_opening_a_translator_imports_nothing_of_the_training() -> None:
    code = (
        "import sys; from model import load_translator; load_translator();"
        "print([name for name in sys.modules if name.startswith('model.training')])"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0)


def test_there_is_something_to_check() -> None:
    assert {"model.transformer.layers", "model.decoding.greedy", "viz.shell.state"} <= set(SOURCES)
    assert len(SOURCES) > 300
