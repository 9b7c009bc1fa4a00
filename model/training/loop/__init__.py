"""The run itself: steps, learning rate, optimizers, saved states and signs of life."""
