from __future__ import annotations

import signal

from hypothesis import settings

# Time limits per example fail on busy machines and say nothing about the code.
settings.register_profile("celosia", deadline=None)
settings.load_profile("celosia")

# Started in the background, a test run inherits that Ctrl-C is ignored, and so would the programs that it tests.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
