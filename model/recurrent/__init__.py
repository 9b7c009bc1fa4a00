"""The recurrent encoder-decoder that attention was invented for."""
