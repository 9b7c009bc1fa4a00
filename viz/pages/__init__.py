"""The pages of the app, one folder for each."""
