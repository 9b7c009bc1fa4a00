"""How visitors share one server: they take turns, and stored results serve them all."""
