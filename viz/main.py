"""The script behind every page: page config, navigation, the sentence box."""

import streamlit as st

from viz import state
from viz.text import _

st.set_page_config(page_title="Headlight", page_icon="🔦", layout="wide")
page = st.navigation(
    [st.Page("pages/recording.py", title=_("Translation"), icon=":material/translate:")]
)
state.sentence_box()
page.run()
