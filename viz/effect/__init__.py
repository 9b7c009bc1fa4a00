"""Parts of several pages: what interventions do to the translation and to attention."""
