import numpy as np
from numpy.typing import NDArray

class Interrupted(Exception): ...  # noqa: N818  (not an error: somebody asked for it)

class Pulse:
    def __init__(self) -> None: ...
    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def stopped(self) -> bool: ...
    def stop(self) -> None: ...

class Columns:
    def __init__(self, n_rows: int) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n_rows(self) -> int: ...
    def add_line(self, positions: NDArray[np.int32], full: int) -> None: ...
    def add_bag(self, codes: NDArray[np.int32], n_values: int, unit: int, full: int) -> None: ...
    def add_tree(
        self, codes: NDArray[np.int32], nodes: NDArray[np.int32], loss: NDArray[np.int32], full: int
    ) -> None: ...

def k_members(
    columns: Columns,
    k: int,
    first: int,
    subjects: NDArray[np.int32] | None,
    weights: NDArray[np.float64],
    pulse: Pulse | None = None,
    threads: int = 0,
) -> NDArray[np.int32]: ...
def l_greedy(
    columns: Columns,
    k: int,
    order: NDArray[np.int32],
    subjects: NDArray[np.int32] | None,
    pulse: Pulse | None = None,
    threads: int = 0,
) -> NDArray[np.int32]: ...
def mondrian(
    columns: Columns,
    k: int,
    strict: bool,
    subjects: NDArray[np.int32] | None,
    pulse: Pulse | None = None,
    threads: int = 0,
) -> NDArray[np.int32]: ...
def hilbert_order(
    coordinates: NDArray[np.uint32], bits: int, pulse: Pulse | None = None, threads: int = 0
) -> NDArray[np.int32]: ...
def split_order(
    columns: Columns,
    k: int,
    order: NDArray[np.int32],
    subjects: NDArray[np.int32] | None,
    pulse: Pulse | None = None,
    threads: int = 0,
) -> NDArray[np.int32]: ...
def class_extents(
    labels: NDArray[np.int32], codes: NDArray[np.int32], n_classes: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
def instruction_sets() -> list[str]: ...
def use_instruction_set(name: str) -> None: ...
