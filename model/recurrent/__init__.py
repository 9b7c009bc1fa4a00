"""The recurrent encoder-decoder, for which attention was invented."""
