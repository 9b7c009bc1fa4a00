"""Words on screen: texts, their catalogues, and the names of languages."""
