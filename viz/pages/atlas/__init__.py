"""The roles of every head over 2,000 sentences, the sentences behind them, and similar places.

Its queries and keys lie on one map; it is compared with the model's past or another model, and
measured in the app for your own model.
"""
