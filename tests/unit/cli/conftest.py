from __future__ import annotations

import sys

import pytest


@pytest.fixture
def celosia(monkeypatch, capsys):
    """Run the command line in this process; give back exit code, standard output and standard error."""
    from celosia.cli import main

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["celosia", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capsys.readouterr()
        return caught.value.code or 0, out, err

    return run
