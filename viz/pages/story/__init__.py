"""The first page: one word changes, and the model looks at another one."""
