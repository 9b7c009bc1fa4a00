from model.sites.sites import (
    DIMS,
    KINDS,
    RECURRENT_SITES,
    SITES,
    attention_site,
)
from model.transformer.config import ModelConfig


def test_every_name_occurs_once_and_every_dim_is_explained() -> None:
    names = [site.name for site in SITES]
    assert len(set(names)) == len(names)
    recurrent = [site.name for site in RECURRENT_SITES]
    assert len(set(recurrent)) == len(recurrent)
    both = (*SITES, *RECURRENT_SITES)
    assert {dim for site in both for dim in site.dims} == set(DIMS)


def test_sites_of_a_layer_are_listed_for_each_layer_of_their_stack(config: ModelConfig) -> None:
    sites = config.sites()
    per_layer = {
        stack: sum(site.name.startswith(f"{stack}.{{layer}}.") for site in SITES)
        for stack in ("encoder", "decoder")
    }
    single = sum("{layer}" not in site.name for site in SITES)
    assert len(sites) == single + 2 * per_layer["encoder"] + 3 * per_layer["decoder"]
    assert "encoder.1.self_attn.q" in sites
    assert "encoder.2.self_attn.q" not in sites
    assert "decoder.2.cross_attn.q" in sites


def test_attention_sites_stand_in_the_table(config: ModelConfig) -> None:
    sites = config.sites()
    for kind in KINDS:
        for layer in range(config.layers(kind)):
            for part in ("q", "k", "v", "scores", "weights", "z", "out"):
                assert attention_site(kind, layer, part) in sites


def test_attention_is_always_head_query_key() -> None:
    for site in SITES:
        if site.name.endswith((".scores", ".weights")):
            heads, query, key = site.dims
            cross = ".cross_attn." in site.name
            own = "S" if site.name.startswith("encoder") else "T"
            assert (heads, query, key) == ("H", own, "S" if cross else own)
