"""How it learned: training examples, steps, rates and scores, and a head being born."""
