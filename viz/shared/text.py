"""Words on screen: every sentence that a user reads passes through `_()`."""

import gettext
from pathlib import Path

_ = gettext.translation("headlight", Path(__file__).parent / "locales", fallback=True).gettext
