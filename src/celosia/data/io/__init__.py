"""Reading and writing files: one file per format, and a release folder that is placed whole."""

from __future__ import annotations

from celosia.data.io.base import STATS_FORMATS, Dialect, Format, OutputDialect, Source, format_of
from celosia.data.io.durable import write_text_file
from celosia.data.io.files import column_names, described, read, sha256_of, write
from celosia.data.io.folder import check_target, placing
from celosia.data.io.formulas import neutralise, neutralised, restore, restored
from celosia.data.io.frames import FrameKind, from_polars, to_polars
from celosia.data.io.labels import Labels
from celosia.data.io.numbers import number_columns, parse_numbers
from celosia.data.io.plain import scrub

__all__ = [
    "STATS_FORMATS",
    "Dialect",
    "Format",
    "FrameKind",
    "Labels",
    "OutputDialect",
    "Source",
    "check_target",
    "column_names",
    "described",
    "format_of",
    "from_polars",
    "neutralise",
    "neutralised",
    "number_columns",
    "parse_numbers",
    "placing",
    "read",
    "restore",
    "restored",
    "scrub",
    "sha256_of",
    "to_polars",
    "write",
    "write_text_file",
]
