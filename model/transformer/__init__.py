"""The network, as the paper has it."""
