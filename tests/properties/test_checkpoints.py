"""A damaged checkpoint is refused with one sentence, whatever the damage."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model import load_translator

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
FILES = ("config.json", "model.safetensors", "tokenizer.model")
FEW = settings(max_examples=40)


@pytest.fixture
def copy(checkpoint_folder: Path, tmp_path: Path) -> Path:
    """A folder to damage."""
    return Path(shutil.copytree(checkpoint_folder, tmp_path / "copy"))


def opens(folder: Path) -> bool:
    """Tell whether a folder is opened; if not, it is refused in one line."""
    said = ""
    try:
        load_translator(folder)
    except ValueError as error:
        said = str(error)
    assert "\n" not in said
    return not said


@FEW
@given(data=st.data())
def test_a_config_with_any_other_value_is_opened_or_refused(
    copy: Path, data: st.DataObject
) -> None:
    path = copy / "config.json"
    before = path.read_text(encoding="utf-8")
    values = json.loads(before)
    name = data.draw(st.sampled_from(sorted(values)))
    changed = values | {name: data.draw(VALUES)}
    path.write_text(json.dumps(changed), encoding="utf-8")
    opens(copy)
    path.write_text(before, encoding="utf-8")
    assert opens(copy)


@FEW
@given(st.sampled_from(FILES), st.floats(0, 0.999), st.binary(min_size=1, max_size=40))
def test_a_file_that_ends_too_soon_or_in_other_bytes_is_refused(
    copy: Path, name: str, share: float, rest: bytes
) -> None:
    path = copy / name
    before = path.read_bytes()
    path.write_bytes(before[: int(share * len(before))] + rest)
    assert not opens(copy)
    path.write_bytes(before)
