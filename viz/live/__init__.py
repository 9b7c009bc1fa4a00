"""The model in the page: `model/` once more in plain JavaScript, in files of the same names.

It reads the files of a checkpoint as they are, and runs in a worker. Tests hold it to the model.
"""
