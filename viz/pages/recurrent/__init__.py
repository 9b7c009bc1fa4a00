"""Recurrent translators on the same sentence: without attention, and with five kinds of it."""
