"""Changes to a vault by somebody who has no key."""

from __future__ import annotations

import sqlite3

import psycopg


def doctor(place: str, *statements: str) -> None:
    """Run statements on the tables of a vault, whichever store it has."""
    if "://" in place:
        tables = {name: f"celosia_vault_{name}" for name in ("entries", "log")} | {"meta": "celosia_vault_settings"}
        with psycopg.connect(place.replace("+psycopg", "")) as connection:
            for statement in statements:
                done = connection.execute(statement.format(**tables, content="value").encode())
                assert done.rowcount > 0
        return
    opened = sqlite3.connect(place)
    with opened:
        for statement in statements:
            assert opened.execute(
                statement.format(entries="entries", log="log", meta="meta", content="content")
            ).rowcount
    opened.close()
