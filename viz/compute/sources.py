"""The lines of the model that make a site, read from its source, with a run's shapes in them."""

import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType

from model.decoding.steps import normalised
from model.recording.recording import Recording
from model.transformer.layers import FeedForward, MultiHeadAttention, add_and_norm
from model.transformer.transformer import Decoder, Encoder, Transformer

ROOT = Path(__file__).parent.parent.parent

Made = type | FunctionType


@dataclass(frozen=True)
class Code:
    """Lines of a file of this project, from `first` on."""

    file: str
    first: int
    text: str


def maker(site: str) -> Made:
    """Return the class or function that makes a site; ValueError when it is none of a layer."""
    parts = site.split(".")
    if parts[-1].startswith(("sum", "norm")):
        return add_and_norm
    if any(part.endswith("_attn") for part in parts):
        return MultiHeadAttention
    if "ffn" in parts:
        return FeedForward
    by_name: dict[str, Made] = {
        "embedding": Transformer.embed,
        "positions": Transformer.embed,
        "input": Transformer.embed,
        "memory": Encoder,
        "output": Decoder,
        "logits": Transformer.output,
        "softmax": normalised,
    }
    if parts[-1] not in by_name:
        raise ValueError(f"nothing that is known makes the site {site!r}")
    return by_name[parts[-1]]


def code_of(site: str, recording: Recording) -> Code:
    """Return the lines that make a site, the shapes of a recording beside the names of dims."""
    made = maker(site)
    lines, first = inspect.getsourcelines(made)
    text = textwrap.dedent("".join(lines)).rstrip()
    file = Path(inspect.getfile(made)).relative_to(ROOT)
    return Code(str(file), first, with_shapes(text, sizes(site, recording)))


def sizes(site: str, recording: Recording) -> dict[str, int]:
    """Return the dims that stand in comments, as they are where a site is made."""
    config = recording.config
    source, target = len(recording.source_tokens), len(recording.target_tokens)
    own = source if site.startswith("encoder") else target
    keys = source if ".cross_attn." in site else own
    return {
        "B": 1,
        "H": config.heads,
        "T": own,
        "S": keys,
        "Dk": config.d_k,
        "D": config.d_model,
        "F": config.d_ff,
        "V": config.target_vocab_size,
    }


def with_shapes(text: str, dims: Mapping[str, int]) -> str:
    """Write numbers behind the comments that name dims: `# B S D` becomes `# B S D = 1 17 256`."""

    def numbered(found: re.Match[str]) -> str:
        names = found[1].split()
        if not all(name in dims for name in names):
            return found[0]
        return f"# {found[1]} = {' '.join(str(dims[name]) for name in names)}"

    return re.sub(r"# ([A-Z]k?(?: [A-Z]k?)*)$", numbered, text, flags=re.MULTILINE)
