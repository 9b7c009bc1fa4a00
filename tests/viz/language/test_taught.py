"""What a card's settings say of the training, in words."""

from model.training.settings import WEIGHTS, TrainingSettings
from viz.language.taught import as_list, taught


def test_only_tasks_with_a_weight_are_told() -> None:
    silent: dict[str, object] = {name: [0.0, 0] for name in WEIGHTS}
    assert taught(silent) == []
    assert taught({}) == []  # settings of a trainer that had no such tasks
    (alive,) = taught({**silent, "alive": [0, 0.5]})
    assert "units" in alive


def test_every_task_of_the_trainer_has_its_words() -> None:
    settings = TrainingSettings(resting=(1.0,), resting_share=0.25)
    found = taught({**settings.to_dict(), **{name: [1.0] for name in WEIGHTS}})
    assert len(found) == len(WEIGHTS)
    (resting,) = (text for text in found if "on attention itself" in text)
    assert "below 25%" in resting
    assert as_list(found).count("\n- ") == len(WEIGHTS)
