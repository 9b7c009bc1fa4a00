"""Changes that a user can make to a run, as frozen data: one module for each family."""
