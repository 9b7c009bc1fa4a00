"""What a step is taught: translation, side tasks, and that pictures are causes."""
