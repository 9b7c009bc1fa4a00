"""The measuring of a model without an atlas, on offered or pasted sentences."""

from collections.abc import Mapping

import streamlit as st

from viz.compute import atlas, models
from viz.compute.atlas import MOST_TEXTS, Texts
from viz.language.text import _
from viz.shell.heavy import heavy

_MEASURED, _BOX = "atlas measured", "atlas sentences"


def measured_texts() -> Texts:
    """Return the texts on which this visitor has measured the model in force, or ()."""
    return measured_here().get(models.in_force(), ())


def measured_here() -> Mapping[str, Texts]:
    """Return the texts on which this visitor has measured models, by model name."""
    return st.session_state.get(_MEASURED, {})


def offer_to_measure() -> None:
    """Draw a box of sentences, and the button that measures all heads on them."""
    st.info(_("Nobody has measured the heads of this model yet. It takes a minute, here and now."))
    offered = "\n".join(sentence.text for sentence in atlas.offered())
    typed = st.text_area(
        _("Sentences, one on each line, at most {count}").format(count=MOST_TEXTS),
        offered,
        height=220,
        key=_BOX,
    )
    lines = dict.fromkeys(" ".join(line.split()) for line in (typed or "").splitlines())
    texts = tuple(line for line in lines if line)[:MOST_TEXTS]
    if not texts:
        st.caption(_("There is no sentence yet."))
        return
    label = _("Measure all heads on {count} sentences").format(count=len(texts))
    if not st.button(label, type="primary", icon=":material/map:"):
        return
    with heavy(_("Measuring all heads")):
        atlas.measure(texts)
    if atlas.find(texts) is None:
        st.warning(_("The result is too large to keep: take fewer sentences."))
        return
    st.session_state[_MEASURED] = {**measured_here(), models.in_force(): texts}
    st.rerun()


def say_corpus(texts: Texts) -> None:
    """Explain how, and on which sentences, the heads were measured."""
    atlas_ = atlas.atlas(texts)
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "Every head was measured on {count} sentences that the model never learned from, "
                "with its own translations. A **role** names keys for some queries, such as the "
                "piece just before. What counts is the weight on those keys, held against what "
                "even attention would give them (and, where two nouns compete, against the weight "
                "on the other noun): 0 is as by chance, 1 is always. From 0.3 on a head has the "
                "role. A head may do more than one thing, and a role says where it looks, not what "
                "it is good for."
            ).format(count=len(atlas_))
            if not texts
            else _(
                "Every head was measured here on {count} sentences, with the model's own "
                "translations. The weight on the keys that a **role** names is held against what "
                "even attention would give them: 0 is as by chance, 1 is always. From 0.3 on a "
                "head has the role."
            ).format(count=len(atlas_))
        )
        if atlas_.about.corpus:
            corpus = atlas_.about.corpus.replace("`", "'")
            st.caption(_("Sentences: {corpus}").format(corpus=f"`{corpus}`"))
    if texts and st.button(_("Measure on other sentences"), icon=":material/restart_alt:"):
        st.session_state[_MEASURED] = {}
        st.rerun()
