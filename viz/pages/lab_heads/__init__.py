"""Switch heads off, alone or together, and compare before and after.

It shows what each head is worth for this sentence, and has experiments at one press.
"""
