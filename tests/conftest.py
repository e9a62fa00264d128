from __future__ import annotations

import signal

from hypothesis import settings
from trying import tries

settings.register_profile("celosia", parent=tries())
settings.load_profile("celosia")

# Started in the background, a test run inherits that Ctrl-C is ignored, and so would the programs that it tests.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
