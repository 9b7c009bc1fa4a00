"""The losses of a step: translation, side tasks, and the losses that make pictures causes."""
