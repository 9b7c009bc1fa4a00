"""What a user can change in a run, as frozen data: one module a family."""
