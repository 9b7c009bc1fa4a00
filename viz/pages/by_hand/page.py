"""Small numbers that explain large ones: two words, minus infinity, √d_k, room for directions."""

from viz.language.text import later
from viz.pages.by_hand.masks_panel import masks_panel
from viz.pages.by_hand.room_panel import room_panel
from viz.pages.by_hand.scale_panel import scale_panel
from viz.pages.by_hand.words_panel import words_panel
from viz.shell.fragment import fragment
from viz.shell.header import choose_view, open_page

VIEWS = {
    later("Thinking Machines"): words_panel,
    later("minus infinity"): masks_panel,
    later("why √d_k"): scale_panel,
    later("room for directions"): room_panel,
}

run = open_page()
fragment(VIEWS[choose_view(list(VIEWS), "by hand")])(run)
