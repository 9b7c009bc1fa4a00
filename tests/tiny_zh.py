"""A tiny model from Chinese to English that has learned a few sentences by heart.

Its folder is called zh-en, so that what belongs to the model of that name is shown.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from model.checkpoints.checkpoint import save_checkpoint
from model.checkpoints.examples import EXAMPLES
from model.tokenizer import Tokenizer
from model.training.data.pairs import Pair, learn_tokenizer
from model.transformer.config import ModelConfig
from model.transformer.transformer import Transformer

CANDIDATES = Path(__file__).parents[1] / "model" / "training" / "candidates" / "zh-en.json"
NAME = "zh-en"
FIRST, SECOND = "我昨天去学校。", "我明天去学校。"
STORY = {"first": FIRST, "second": SECOND, "asks": "去", "source": ["昨天", "明天"]}
KNOWN = {
    FIRST: "I went to school.",
    SECOND: "I will go to school.",
    "我爱你。": "I love you.",
    "他在打篮球。": "He is playing basketball.",
    "他打了我。": "He hit me.",
    "她是老师。": "She is a teacher.",
}
"""What the model learns."""


def candidates() -> dict[str, Any]:
    """Read the candidates for examples of a model from Chinese to English."""
    return json.loads(CANDIDATES.read_text(encoding="utf-8"))


def examples() -> dict[str, Any]:
    """Return the content of an examples.json for this model."""
    found = candidates()
    return {
        **{name: found[name] for name in ("source", "target", "typed", "rivals")},
        "weak_spots": [{"what": one["what"], "text": one["text"]} for one in found["weak_spots"]],
        "sentences": [{"text": text} for text in KNOWN] + [{"text": "你好！", "reference": "Hi!"}],
        "story": STORY,
        "pairs": [{"name": "昨天 / 明天", "first": FIRST, "second": SECOND}],
        "meanings": [found["meanings"][0], *found["meanings"][2:4]],
    }


def write_zh_en(beside: Path) -> Path:
    """Write a checkpoint folder called zh-en into another folder, with examples and no card."""
    found = candidates()
    pairs = [Pair(text, said) for text, said in KNOWN.items()]
    texts = [one["text"] for one in found["sentences"]]
    texts += [text for one in found["meanings"] for text in one["sentences"]]
    # Every two words stand beside each other, so that each becomes a piece.
    words = sorted({word for said in KNOWN.values() for word in said.strip(".").split()})
    own = ("昨天", "明天", "学校", "老师", "我", "他", "她", "去", "打", "是")
    texts += [f"{one}，{other}。" for one in own for other in own]
    said = [f"{one} {other}." for one in words for other in words]
    tokenizer = learn_tokenizer([*pairs, *map(Pair, texts, said)], 600)
    config = ModelConfig(
        len(tokenizer),
        d_model=32,
        heads=4,
        encoder_layers=2,
        decoder_layers=3,
        d_ff=40,
        max_length=256,
    )
    model = _learned(config, tokenizer, pairs)
    save_checkpoint(beside / NAME, config, model.state_dict(), tokenizer, {"name": NAME})
    text = json.dumps(examples(), ensure_ascii=False)
    (beside / NAME / EXAMPLES).write_text(text, encoding="utf-8")
    return beside / NAME


def _learned(config: ModelConfig, tokenizer: Tokenizer, pairs: list[Pair]) -> Transformer:
    torch.manual_seed(11)
    model, end = Transformer(config), tokenizer.end_id
    source = [torch.tensor([*tokenizer.encode(pair.source), end]) for pair in pairs]
    target = [
        torch.tensor([tokenizer.begin_id, *tokenizer.encode(pair.target), end]) for pair in pairs
    ]
    src, tgt = (
        pad_sequence(rows, batch_first=True, padding_value=config.pad_id)
        for rows in (source, target)
    )  # B S, B T
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _step in range(100):
        memory, mask = model.encode(src)
        logits = model.decode(tgt[:, :-1], memory, mask)  # B T V
        loss = cross_entropy(logits.transpose(1, 2), tgt[:, 1:], ignore_index=config.pad_id)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()
