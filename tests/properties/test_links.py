"""Whatever a link says is read without an error, and what it was read as stands in a link again."""

from hypothesis import example, given
from hypothesis import strategies as st

from model.interventions.link_text import read, write
from model.interventions.table import INTERVENTIONS
from viz.pages.decoder.step_decoder.view import PARAMETERS, parse_view

NAMES = (*(name for one in INTERVENTIONS for name in one.names), "nonsense", "")
FIELDS = st.one_of(
    st.sampled_from(("e", "d", "c", "all", "attn", "cross", "ffn", "", "-", "~", "1-3~7")),
    st.integers(-5, 2000).map(str),
    st.floats().map(str),
    st.text(max_size=3),
)
PIECES = st.builds(
    lambda name, fields: ".".join([name, *fields]),
    st.sampled_from(NAMES),
    st.lists(FIELDS, max_size=5),
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=6).map("_".join)))
@example("hide.3-1_block.c.1.all.0~0_scale.e.nan_shift.d.99999999999999999999")
def test_what_a_link_was_read_as_is_written_and_read_alike(text: str) -> None:
    found = read(text).interventions
    written = write(found)
    assert set(read(written).interventions) == set(found)
    assert read(written).refused == ()
    assert write(read(written).interventions) == written


VALUES = st.one_of(
    st.text(max_size=20),
    st.integers(-3, 10**12).map(str),
    st.floats().map(str),
    st.sampled_from(("greedy", "beam", "sampling", "mean", "1-2.3_4", "5", "1-2-3")),
)


@given(st.dictionaries(st.sampled_from(PARAMETERS), VALUES))
def test_a_view_of_the_decoder_is_written_and_read_alike(parameters: dict[str, str]) -> None:
    read_view = parse_view(parameters, layers=6, heads=8)
    again = parse_view(read_view.view.to_parameters(), layers=6, heads=8)
    assert again.malformed == ()
    assert again.view.to_parameters() == read_view.view.to_parameters()
    assert set(read_view.malformed) <= set(parameters) | {"branch"}
