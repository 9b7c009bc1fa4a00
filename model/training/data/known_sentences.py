"""Sentences that a run records again and again, to show how its attention forms."""

import re
from collections.abc import Sequence

from model.training.data.pairs import Pair

ENGLISH = (
    Pair(
        "The animal didn't cross the street because it was too tired.",
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué.",
    ),
    Pair(
        "The animal didn't cross the street because it was too wide.",
        "L'animal n'a pas traversé la rue parce qu'elle était trop large.",
    ),
    Pair(
        "I arrived at the bank after crossing the river.",
        "Je suis arrivé à la banque après avoir traversé la rivière.",
    ),
    Pair(
        "The quick brown fox jumps over the lazy dog.",
        "Le renard brun rapide saute par-dessus le chien paresseux.",
    ),
    Pair("Can you help me find my keys?", "Peux-tu m'aider à trouver mes clés ?"),
    Pair(
        "When my brother came home yesterday evening, he was so tired that he fell asleep on the "
        "sofa with his shoes on.",
        "Quand mon frère est rentré à la maison hier soir, il était si fatigué qu'il s'est endormi "
        "sur le canapé avec ses chaussures.",
    ),
)

CHINESE = (
    Pair("我昨天去学校。", "I went to school yesterday."),
    Pair("我明天去学校。", "I'll go to school tomorrow."),
    Pair("他在打电话，她在打篮球。", "He's on the phone and she's playing basketball."),
    Pair("中国人有中国梦。", "The Chinese have a Chinese dream."),
    Pair("你能帮我找到钥匙吗？", "Can you help me find my keys?"),
    Pair(
        "我弟弟昨天晚上回家的时候很累，他穿着鞋在沙发上睡着了。",
        "When my brother came home yesterday evening, he was so tired that he fell asleep on the "
        "sofa with his shoes on.",
    ),
)

_CHARACTER = re.compile("[\u4e00-\u9fff]")


def known_sentences(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the sentences to record in a run with these dev pairs: Chinese ones for Chinese."""
    chinese = sum(bool(_CHARACTER.search(pair.source)) for pair in pairs)
    return CHINESE if 2 * chinese > len(pairs) else ENGLISH
