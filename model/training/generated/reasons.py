"""Adjectives that explain why something was not done, where several frames share them.

The first four are said of animals, the last of a place.
"""

from model.training.generated.frame import words

WEARY = words(
    "tired exhausted sick ill weak lazy sleepy old injured wounded hungry thirsty hurt starving "
    "skinny dizzy drunk overweight discouraged unconscious"
)
TIMID = words(
    "scared afraid nervous anxious shy frightened worried careful cautious terrified shocked "
    "surprised suspicious confused embarrassed sensitive helpless "
    "horrified stunned impressed concerned tense puzzled"
)
GLOOMY = words(
    "sad unhappy upset depressed desperate disappointed miserable lonely alone ashamed jealous "
    "proud selfish furious angry stubborn spoiled mad annoyed frustrated humiliated outraged "
    "guilty rude mean cruel serious"
)
SILLY = words(
    "stupid dumb foolish silly crazy naive distracted excited curious blind deaf lost "
    "ignorant innocent careless insane"
)
UNEASY = words(
    "noisy crowded dark dangerous scary risky closed locked blocked haunted flooded muddy humid "
    "loud filthy smelly smoky dusty gloomy private forbidden icy foggy windy isolated terrible "
    "awful weird creepy unpleasant uncomfortable frightening disgusting bright popular famous"
)
