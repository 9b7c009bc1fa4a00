"""The interface in other languages: a catalogue each, and how it is kept up to date."""
