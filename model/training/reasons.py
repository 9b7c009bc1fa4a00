"""Adjectives that explain why something was not done, where several frames share them.

The first four are said of animals, the last of a place.
"""

from model.training.frame import words

WEARY = words(
    "tired exhausted sick ill weak lazy sleepy old injured wounded hungry thirsty hurt starving "
    "skinny dizzy drunk"
)
TIMID = words(
    "scared afraid nervous anxious shy frightened worried careful cautious terrified shocked "
    "surprised suspicious confused embarrassed sensitive helpless"
)
GLOOMY = words(
    "sad unhappy upset depressed desperate disappointed miserable lonely alone ashamed jealous "
    "proud selfish furious angry stubborn spoiled"
)
SILLY = words("stupid dumb foolish silly crazy naive distracted excited curious blind deaf lost")
UNEASY = words(
    "noisy crowded dark dangerous scary risky closed locked blocked haunted flooded muddy humid "
    "loud filthy smelly smoky dusty gloomy private forbidden icy foggy windy isolated terrible"
)
