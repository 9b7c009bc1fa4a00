"""Before Transformers: recurrent translators, without and with attention."""
