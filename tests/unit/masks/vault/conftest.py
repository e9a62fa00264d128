"""Places for vaults: a file, and a schema of its own on a real PostgreSQL server."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from postgres_server import postgres_server


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture
def postgres_place(server: str) -> str:
    """The address of a new, empty schema."""
    schema = f"vault_{secrets.token_hex(6)}"
    with psycopg.connect(server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"'.encode())
    return f"{server}&options=-csearch_path%3D{schema}"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where nothing is yet: a path, and an address of PostgreSQL."""
    if request.param == "sqlite":
        return str(tmp_path / "people.vault")
    return str(request.getfixturevalue("postgres_place"))
