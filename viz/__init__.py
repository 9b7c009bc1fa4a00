"""The web app: pages on which people watch the model pay attention."""
