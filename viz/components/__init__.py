"""Streamlit components: a typed function and its assets each."""
