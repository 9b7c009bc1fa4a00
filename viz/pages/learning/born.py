"""Topic 4: a head being born, from the history of the model's own training."""
