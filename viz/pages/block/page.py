"""One block in numbers: the parts around attention in every layer."""

from viz.language.text import later
from viz.pages.block.batch_panel import batch_panel
from viz.pages.block.ffn_panel import ffn_panel
from viz.pages.block.first_panel import first_panel
from viz.pages.block.heads_panel import heads_panel
from viz.pages.block.norm_panel import norm_panel
from viz.shell.cover import telling
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

VIEWS = {
    later("add & norm"): norm_panel,
    later("norm after or before"): first_panel,
    later("feed-forward"): ffn_panel,
    later("heads split and merged"): heads_panel,
    later("a batch with padding"): batch_panel,
}

run = open_page()
view = choose_view(list(VIEWS), "block view")
with telling():
    fragment(VIEWS[view])(run)
