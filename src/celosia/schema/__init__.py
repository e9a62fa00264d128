"""Roles, schema and table."""

from __future__ import annotations

from celosia.schema.columns import QuasiIdentifier
from celosia.schema.roles import Role
from celosia.schema.schema import Schema
from celosia.schema.table import Table

__all__ = ["QuasiIdentifier", "Role", "Schema", "Table"]
