"""What `import model` offers."""

import model
from model.interventions.table import INTERVENTIONS


def test_every_kind_of_intervention_is_public() -> None:
    assert {kind.__name__ for kind in INTERVENTIONS} <= set(model.__all__)
