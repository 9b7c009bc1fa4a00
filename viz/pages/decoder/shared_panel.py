"""The view of heads that share keys and values: what it saves, and what the translation loses."""

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from model.interventions.base import Intervention
from model.interventions.sharing import ShareKeysValues
from model.measures.decoding_cost import kept_bytes
from model.results import Run
from model.sites.sites import Kind
from model.words import words_changed
from viz.compute import effects, runs
from viz.compute.effects import Effect
from viz.figures.figure import show_figure
from viz.figures.labels import Number
from viz.figures.table import show_table
from viz.language.text import _, _n
from viz.language.wording import in_a_row
from viz.link import edits
from viz.pages.decoder.shared_figure import shared_figure
from viz.shell import state
from viz.shell.finding import say
from viz.shell.heavy import shown
from viz.shell.source_code import show_source_of

_KEY = "shared keys"


def divisors(heads: int) -> list[int]:
    """Return the sizes of equal groups of `heads` heads, from 1 on."""
    return [size for size in range(1, heads + 1) if heads % size == 0]


def shared_size(interventions: Iterable[Intervention]) -> int:
    """Return how many heads of the decoder share a key and a value; 1 if none do."""
    shares = edits.of_kind(interventions, ShareKeysValues)
    return max((share.size for share in shares), default=1)


def sharing(interventions: Iterable[Intervention], size: int) -> tuple[Intervention, ...]:
    """Return the interventions with this many heads sharing, in decoder and cross-attention."""
    kinds: tuple[Kind, ...] = () if size == 1 else ("decoder", "cross")
    return edits.replaced(
        interventions, ShareKeysValues, [ShareKeysValues(kind, size) for kind in kinds]
    )


def fewer_keys(run: Run) -> None:
    """Draw the model beside models whose heads share keys and values, and the choice of one."""
    sizes = divisors(runs.translator().config.heads)
    st.markdown(
        _(
            "Each line: how probable the pieces of the unchanged translation stay when "
            "neighbouring heads share one key and one value. Choose one to have it on all pages."
        )
    )
    _choose(sizes)
    others = sharing(edits.interventions(), 1)
    with shown(_("Translating with fewer keys and values")):
        by_size = {size: effects.effect(run.source.text, sharing(others, size)) for size in sizes}
    say(finding(by_size, sizes))
    likely = {_name(size, sizes): effect.likely_after for size, effect in by_size.items()}
    figure = shared_figure(likely, by_size[1].pieces, state.current_theme())
    show_figure(figure, "shared", wide=True)
    _table(by_size, sizes)
    _explain()
    show_source_of("shared")


def finding(by_size: Mapping[int, Effect], sizes: Sequence[int]) -> str:
    """Say with how few keys and values the words stay as with all; in Markdown.

    `by_size` holds the model's effect for each number of heads that share a key and a value, of
    which 1 shares nothing.
    """
    as_trained = by_size[1].after.translation.text
    changed = {
        size: words_changed(as_trained, by_size[size].after.translation.text) for size in sizes
    }
    smallest = max(sizes)
    most = max(size for size, count in changed.items() if not count)
    fewest, least = (_name(size, list(sizes)) for size in (most, smallest))
    asked = _("How few keys and values does it need?")
    if most == smallest:
        return in_a_row((asked, _("**{least}**: even then no word changes.").format(least=least)))
    kept = (
        _("With fewer than **{fewest}**, words change.")
        if most == 1
        else _("With **{fewest}** no word changes.")
    )
    lost = _n(
        "With **{least}**, {count} word changes.",
        "With **{least}**, {count} words change.",
        changed[smallest],
    )
    told = kept.format(fewest=fewest), lost.format(least=least, count=changed[smallest])
    return in_a_row((asked, *told))


def _name(size: int, sizes: list[int]) -> str:
    """Return words for a size: the number of keys and values that are left for all heads."""
    left = max(sizes) // size
    return _("{left} of {heads}").format(left=left, heads=max(sizes))


def _choose(sizes: list[int]) -> None:
    now = shared_size(edits.interventions())
    st.session_state[_KEY] = now if now in sizes else 1
    st.segmented_control(
        _("Keys and values in the decoder, on all pages"),
        sizes,
        format_func=lambda size: _name(size, sizes),
        required=True,
        key=_KEY,
        on_change=_take,
    )


def _take() -> None:
    edits.set_interventions(sharing(edits.interventions(), st.session_state[_KEY]))


def _table(by_size: dict[int, Effect], sizes: list[int]) -> None:
    """Write a table of the bytes kept at the end of the translation, and of its quality."""
    config, heads = runs.translator().config, max(sizes)
    target, source = len(by_size[1].pieces), len(by_size[1].before.source.ids)
    show_table(
        {
            _("keys and values"): [_name(size, sizes) for size in by_size],
            _("bytes kept"): [
                f"{kept_bytes(config, target, source, heads // size):,}" for size in by_size
            ],
            _("log-probability of the first translation"): [
                f"{Number(effect.log_probs[1]):.2f}" for effect in by_size.values()
            ],
            _("translation"): [effect.after.translation.text for effect in by_size.values()],
        },
    )


def _explain() -> None:
    with st.expander(_("What am I looking at?")):
        st.markdown(
            _(
                "The cache grows with the number of heads, as each has keys and values of its own. "
                "**Multi-query attention** gives all heads one key and one value, **grouped-query "
                "attention** one to each group; every head keeps its own query. Here the "
                "projections of neighbouring heads are averaged, in the decoder's self-attention "
                "and in cross-attention, and nothing is trained afterwards. Large models that "
                "are built so have learned with it, or were trained on after the averaging "
                "(Ainslie et al., 2023): what is lost here is what that training must make up for."
            )
        )
        st.latex(
            r"k_g = \frac{1}{|g|} \sum_{h \in g} x\,W_K^{(h)} = "
            r"x \Big(\frac{1}{|g|} \sum_{h \in g} W_K^{(h)}\Big)"
        )
