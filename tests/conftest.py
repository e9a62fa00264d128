from __future__ import annotations

from hypothesis import settings

# Time limits per example fail on busy machines and say nothing about the code.
settings.register_profile("celosia", deadline=None)
settings.load_profile("celosia")
