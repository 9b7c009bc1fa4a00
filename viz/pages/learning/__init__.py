"""How it learned: one training example, teacher forcing, some steps, a head being born."""
