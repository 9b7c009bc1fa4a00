"""The roles of every head over 2,000 sentences, the sentences behind them, and similar places.

A head's queries and keys lie on one map. Heads are compared with the model's past or with another
model, and measured in the app for your own model.
"""
