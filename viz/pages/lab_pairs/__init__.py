"""Two sentences that differ in one word: where the translations part, and which heads notice.

Four measures say what each word decides.
"""
