"""The experiments of the page about heads: what to switch off at one press."""

from model.interventions.heads import Mode
from model.measures.importance import Importance
from model.transformer.config import ModelConfig
from viz.effect.experiments import Experiment
from viz.language.sides import side_names
from viz.language.text import _
from viz.pages.lab_heads import heads


def experiments(importance: Importance | None, config: ModelConfig, mode: Mode) -> list[Experiment]:
    """List the changes worth trying; some need the importance of heads for the sentence."""
    falls = importance.falls if importance else None
    half = sum(config.layers(kind) * config.heads for kind in config.kinds) // 2
    return [
        Experiment(
            _("The head it needs most"),
            heads.extreme(falls, mode, 1) if falls else None,
            _("Switches off the head without which the translation is least likely"),
        ),
        Experiment(
            _("Surer without it"),
            heads.extreme(falls, mode, -1) if falls else None,
            _("Switches off the head without which the translation is most likely"),
        ),
        Experiment(
            _("Half of all heads"),
            importance.least(half, mode) if importance else None,
            _("Switches off the {count} heads that change the log-probability least").format(
                count=half
            ),
        ),
        Experiment(
            (
                _("Looking at all {source} alike")
                if mode == "uniform"
                else _("Without looking at {source}")
            ).format(**side_names()),
            heads.every("cross", config, mode),
            _("Switches off every head of cross-attention"),
            foreseen=True,
        ),
        Experiment(
            _("Looking back at all alike") if mode == "uniform" else _("Without looking back"),
            heads.every("decoder", config, mode),
            _("Switches off every head that looks at what is written so far"),
        ),
    ]
