"""Fresh memory for a frame, so that no value hides under a missing cell."""

from __future__ import annotations

import io

import polars as pl


def scrub(frame: pl.DataFrame) -> pl.DataFrame:
    """Return an equal frame whose memory holds nothing but its visible cells.

    A cell that was blanked is only *marked* missing: its old value stays in the buffer below, and Arrow files,
    Arrow tables and pickles copy the buffer whole. Parquet has no room for values under missing cells, so each
    column goes through an uncompressed Parquet image in memory and comes back clean.

    Guarantee: the buffers hold no value that is not a visible cell of the frame. Python copies of the old frame that
    somebody else holds are not touched.

    Examples
    --------
    >>> blanked = pl.DataFrame({"salary": [1, 2]}).select(pl.when(pl.col("salary") > 1).then("salary"))
    >>> scrub(blanked)["salary"].to_list()
    [None, 2]
    """
    return pl.DataFrame([_scrubbed(column) for column in frame.get_columns()])


def _scrubbed(column: pl.Series) -> pl.Series:
    image = io.BytesIO()
    column.to_frame().write_parquet(image, compression="uncompressed", statistics=False)
    image.seek(0)
    return pl.read_parquet(image, rechunk=True).to_series()
