"""Tables of SQL databases (SQLite and PostgreSQL), read without writing and written whole or not at all."""

from __future__ import annotations

from celosia.data.io.sql.address import is_address, resolve_url, split_address
from celosia.data.io.sql.reading import read_sql
from celosia.data.io.sql.writing import SqlTarget, write_sql

__all__ = ["SqlTarget", "is_address", "read_sql", "resolve_url", "split_address", "write_sql"]
