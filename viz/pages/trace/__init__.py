"""Trace: one vector is carried from one sentence into the other, wherever there is one."""
