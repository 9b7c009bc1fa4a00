"""The source lines that compute the values on a page."""

import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Literal

from model.decoding.beam import Beam
from model.decoding.cached_scorer import CachedScorer
from model.decoding.greedy import Greedy
from model.decoding.sampling import Sampling
from model.decoding.steps import normalised, walk
from model.interventions.sharing import MeanOfGroups, ShareKeysValues
from model.learning.example import batch, training_example
from model.learning.forcing import feed
from model.measures.decoding_cost import Products, decoding_cost
from model.recording.recording import Recording
from model.sites.sites import Stack
from model.tokenizer import Tokenizer
from model.transformer.cache import KeyValueCache
from model.transformer.layers import (
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    MultiHeadAttention,
    add_and_norm,
)
from model.transformer.positional import sinusoidal_positions
from model.transformer.transformer import Decoder, Encoder, Transformer
from model.translator import Translator

ROOT = Path(__file__).parent.parent.parent

Made = type | FunctionType


@dataclass(frozen=True)
class Code:
    """Lines of a file of this project, from `first` on, and the name that they define."""

    name: str
    file: str
    first: int
    text: str


Subject = Literal["cut", "writing", "kept", "shared", "teacher forcing"]

OF_SUBJECTS: Mapping[Subject, tuple[Made, ...]] = {
    "cut": (Tokenizer.encode, Tokenizer.decode, Translator.source),
    "writing": (walk, Greedy, Beam, Sampling, CachedScorer),
    "kept": (KeyValueCache, MultiHeadAttention, decoding_cost, Products),
    "shared": (ShareKeysValues, MeanOfGroups),
    "teacher forcing": (feed, training_example, batch),
}
"""The working code of pages that show more than a block, most important code first."""

_LAYERS: Mapping[Stack, tuple[Made, Made]] = {
    "encoder": (EncoderLayer, Encoder),
    "decoder": (DecoderLayer, Decoder),
}
_ENTER: FunctionType = Transformer._enter


def makers(site: str) -> tuple[Made, ...]:
    """Return the code that makes a site, then the code around it; ValueError for unknown sites."""
    parts = site.split(".")
    stack: Stack = "encoder" if parts[0] == "encoder" else "decoder"
    around, name = _LAYERS[stack], parts[-1]
    if name.startswith(("sum", "norm")):
        return (add_and_norm, *around)
    if any(part.endswith("_attn") for part in parts):
        return (MultiHeadAttention, *around)
    if "ffn" in parts:
        return (FeedForward, *around)
    embed = Transformer.embed if stack == "encoder" else Transformer.embed_target
    by_name: dict[str, tuple[Made, ...]] = {
        "embedding": (_ENTER, embed, Transformer.__init__),
        "positions": (sinusoidal_positions, _ENTER),
        "input": (_ENTER, embed),
        "memory": (Encoder, EncoderLayer, Transformer.encode),
        "output": (Decoder, DecoderLayer),
        "logits": (Transformer.output, Transformer.decode),
        "softmax": (normalised, Transformer.output),
    }
    if name not in by_name:
        raise ValueError(f"nothing that is known makes the site {site!r}")
    return by_name[name]


def codes_of(site: str, recording: Recording) -> list[Code]:
    """Return the lines that make a site, with a recording's sizes after the names of dims."""
    dims = sizes(site, recording)
    return [read(code, dims) for code in makers(site)]


def read(made: Made, dims: Mapping[str, int] | None = None) -> Code:
    """Read the lines of a class or function, with the numbers of these dims."""
    lines, first = inspect.getsourcelines(made)
    code = textwrap.dedent("".join(lines)).rstrip()
    file = Path(inspect.getfile(inspect.unwrap(made))).relative_to(
        ROOT
    )  # the function, not its wrapper
    return Code(made.__qualname__, str(file), first, with_shapes(code, dims or {}))


def sizes(site: str, recording: Recording) -> dict[str, int]:
    """Return the dims named in comments, with their values where a site is made."""
    config = recording.config
    source, target = len(recording.source_tokens), len(recording.target_tokens)
    length = source if site.startswith("encoder") else target
    keys = source if ".cross_attn." in site else length
    return {
        "B": 1,
        "H": config.heads,
        "T": length,
        "S": keys,
        "Dk": config.d_k,
        "D": config.d_model,
        "F": config.d_ff,
        "V": config.target_vocab_size,
    }


def with_shapes(text: str, dims: Mapping[str, int]) -> str:
    """Write numbers after the comments that name dims: `# B S D` becomes `# B S D = 1 17 256`."""

    def numbered(match: re.Match[str]) -> str:
        names = match[1].split()
        if not all(name in dims for name in names):
            return match[0]
        return f"# {match[1]} = {' '.join(str(dims[name]) for name in names)}"

    return re.sub(r"# ([A-Z]k?(?: [A-Z]k?)*)$", numbered, text, flags=re.MULTILINE)
