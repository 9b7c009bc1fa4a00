"""The names of masks in PyTorch are those that its own Transformer takes."""

from inspect import signature

from torch.nn import Transformer

from viz.pages.lab_masks.names import rows


def test_every_mask_of_pytorch_is_named_once() -> None:
    asked = {name for name in signature(Transformer.forward).parameters if name.endswith("_mask")}
    named = [row["PyTorch"] for row in rows()]
    assert sorted(named) == sorted(asked)
