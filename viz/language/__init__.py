"""Words on screen: texts, their catalogues, and what a language is called."""
