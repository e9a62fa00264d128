"""Draw the README's picture: what ``celosia demo`` shows, as it shows it."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from celosia.cli import console, demo

__all__: list[str] = []

if __name__ == "__main__":
    console.screen.record = True
    console.screen.width = 92
    with tempfile.TemporaryDirectory() as folder:
        demo.demo(Path(folder) / "demo-release")
    target = Path(__file__).parent / "images" / "demo.svg"
    target.parent.mkdir(exist_ok=True)
    drawn = console.screen.export_svg(title="celosia demo").replace(folder + "/", "")
    # The fonts would come from a network, which a picture must not need.
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)
    target.write_text(drawn, encoding="utf-8")
