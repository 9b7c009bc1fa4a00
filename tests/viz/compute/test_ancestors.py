"""The recurrent models beside a Transformer: held all at once, with one embedding."""

from viz.compute import ancestors, models, translators


def test_all_small_models_that_are_shipped_are_held_at_once() -> None:
    """One page shows all recurrent ones: a place too few, and each visit would load them all."""
    names = [ancestors.name_of(kind) for kind in ancestors.shipped()]
    assert len(names) == 8
    assert len(names) + len(models.twins()) <= translators.SMALL
    first = [translators.loaded(name) for name in names]
    assert [translators.loaded(name) for name in names] == first
    embeddings = {translators.network_of(name).embedding.weight.data_ptr() for name in names}
    assert len(embeddings) == 1


def test_a_card_is_read_without_its_model() -> None:
    translators._hold_small.clear()
    assert ancestors.recurrent_card("lstm") is not None
    assert not translators.is_held(ancestors.name_of("lstm"))
