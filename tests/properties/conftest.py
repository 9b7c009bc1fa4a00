"""What the tests with made-up input share: the tiny model, and the same input every time."""

from hypothesis import HealthCheck, settings

from tests.model.conftest import (
    _one_thread,
    checkpoint_folder,
    config,
    model,
    pairs,
    tokenizer,
    translator,
)

__all__ = [
    "_one_thread", "checkpoint_folder", "config", "model", "pairs", "tokenizer", "translator"
]  # fmt: skip

settings.register_profile(
    "steady",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("steady")
