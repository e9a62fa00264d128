"""Roles, schema and table."""

from __future__ import annotations

from celosia.data.schema.columns import QuasiIdentifier
from celosia.data.schema.roles import Role
from celosia.data.schema.schema import Schema
from celosia.data.schema.table import Table

__all__ = ["QuasiIdentifier", "Role", "Schema", "Table"]
