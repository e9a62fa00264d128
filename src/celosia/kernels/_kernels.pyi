from collections.abc import Callable, Sequence

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
    def loss(self) -> float: ...
    @property
    def stopped(self) -> bool: ...
    def stop(self) -> None: ...

class Columns:
    def __init__(self, n_rows: int) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n_rows(self) -> int: ...
    def take(self, rows: NDArray[np.int32]) -> Columns: ...
    def add_line(self, positions: NDArray[np.int32], full: int) -> None: ...
    def add_bag(self, codes: NDArray[np.int32], n_values: int, unit: int, full: int) -> None: ...
    def add_tree(
        self, codes: NDArray[np.int32], nodes: NDArray[np.int32], loss: NDArray[np.int32], full: int
    ) -> None: ...

class Demands:
    def __init__(self, n_rows: int) -> None: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_least_rows(self) -> int: ...
    @property
    def counts_only(self) -> bool: ...
    @property
    def are_about_proportion(self) -> bool: ...
    @property
    def are_exact(self) -> bool: ...
    def add_rows(self, least: int) -> None: ...
    def add_distinct(self, codes: NDArray[np.int32], least: int) -> None: ...
    def add_shares(
        self,
        codes: NDArray[np.int32],
        least: NDArray[np.float64],
        most: NDArray[np.float64],
        present_only: bool,
        reference: NDArray[np.float64] | None = None,
    ) -> None: ...
    def add_overall(self, is_mean: bool, least: int, limit: float, people: NDArray[np.int32] | None = None) -> None: ...
    def add_cells(self, codes: NDArray[np.int32], n_values: int, least: int) -> None: ...
    def add_entropy(self, codes: NDArray[np.int32], n_values: int, log_l: float) -> None: ...
    def add_recursive(self, codes: NDArray[np.int32], n_values: int, c: float, l: int) -> None: ...
    def add_equal_distance(self, codes: NDArray[np.int32], reference: NDArray[np.float64], t: float) -> None: ...
    def add_line_distance(
        self, codes: NDArray[np.int32], reference: NDArray[np.float64], steps: NDArray[np.float64], t: float
    ) -> None: ...
    def add_tree_distance(
        self,
        codes: NDArray[np.int32],
        reference: NDArray[np.float64],
        parents: NDArray[np.int32],
        weights: NDArray[np.float64],
        t: float,
    ) -> None: ...
    def broken(self, labels: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def accepts(self, rows: list[int]) -> bool: ...

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
    demands: Demands,
    order: NDArray[np.int32],
    pulse: Pulse | None = None,
    threads: int = 0,
) -> NDArray[np.int32]: ...
def mdav(
    cells: NDArray[np.float64],
    weights: NDArray[np.float64],
    ends: NDArray[np.int32],
    k: int,
    pulse: Pulse | None = None,
) -> NDArray[np.int32]: ...
def sift(columns: Columns, demands: Demands, losses: NDArray[np.int32], limit: int, seed: int) -> NDArray[np.int32]: ...
def weave(
    columns: Columns,
    demands: Demands,
    labels: NDArray[np.int32],
    passes: int,
    seconds: float,
    seed: int,
    pulse: Pulse | None = None,
    threads: int = 0,
) -> tuple[NDArray[np.int32], list[float], list[float]]: ...
def class_losses(columns: Columns, labels: NDArray[np.int32], n_classes: int) -> NDArray[np.int32]: ...
def class_sets(
    columns: Columns,
    demands: Demands,
    n_most_rows: int,
    kinds: NDArray[np.int32],
    prices: NDArray[np.int64],
    bar: int,
    n_per_row: int,
    n_most_sets: int,
    n_most_looks: int,
    seconds: float,
    pulse: Pulse | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], bool, int]: ...
def exact_cover(
    kinds: NDArray[np.int32],
    starts: NDArray[np.int64],
    costs: NDArray[np.int64],
    first_spare: int,
    n_spare: int,
    unused: int,
    n_of_kind: NDArray[np.int32],
    bar: int,
    n_most_looks: int,
    seconds: float,
    pulse: Pulse | None = None,
) -> tuple[NDArray[np.int32], bool, int]: ...
def cheapest_classes(
    columns: Columns,
    k: int,
    potentials: NDArray[np.float64],
    rows: NDArray[np.int32],
    tolerance: float,
    n_parts: int,
    seconds: float,
    pulse: Pulse | None = None,
    threads: int = 0,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]: ...
def class_costs(columns: Columns, members: NDArray[np.int32], ends: NDArray[np.int64]) -> NDArray[np.float64]: ...
def fit_potentials(
    members: NDArray[np.int32],
    ends: NDArray[np.int64],
    costs: NDArray[np.float64],
    caps: NDArray[np.float64],
    potentials: NDArray[np.float64],
    first_heat: float,
    last_heat: float,
    n_sweeps: int,
    pulse: Pulse | None = None,
) -> NDArray[np.float64]: ...
def least_partition(
    columns: Columns,
    k: int,
    prices: NDArray[np.float64],
    cost: float,
    may_suppress: bool,
    n_steps: int,
    pulse: Pulse | None = None,
) -> float | None: ...
def mend(
    columns: Columns,
    demands: Demands,
    labels: NDArray[np.int32],
    spare: int,
    merges_only: bool = False,
    pulse: Pulse | None = None,
    threads: int = 0,
) -> NDArray[np.int32]: ...
def merge_nearest(
    columns: Columns,
    labels: NDArray[np.int32],
    wanting: list[int],
    spare: int,
    pulse: Pulse | None = None,
) -> NDArray[np.int32]: ...
def mondrian(
    columns: Columns,
    demands: Demands,
    strict: bool,
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
def join_neighbours(demands: Demands, labels: NDArray[np.int32], order: NDArray[np.int32]) -> NDArray[np.int32]: ...
def sorted_rows(
    columns: list[NDArray[np.int32]], n_rows: int, ties: NDArray[np.uint64] | None
) -> NDArray[np.int32]: ...
def match_counts(
    columns: list[NDArray[np.int32]],
    n_rows: int,
    pulse: Pulse | None = None,
    threads: int = 0,
    subjects: NDArray[np.int32] | None = None,
) -> NDArray[np.int64]: ...
def minimal_keys(
    columns: list[NDArray[np.int32]],
    n_rows: int,
    n_needed: int,
    max_size: int,
    pulse: Pulse | None = None,
    threads: int = 0,
) -> list[list[int]]: ...
def minimal_uniques(
    columns: list[NDArray[np.int32]],
    n_rows: int,
    max_size: int,
    pulse: Pulse | None = None,
    threads: int = 0,
    subjects: NDArray[np.int32] | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]: ...
def class_extents(
    labels: NDArray[np.int32], codes: NDArray[np.int32], n_classes: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
def md5(data: NDArray[np.uint8], offsets: NDArray[np.int64], threads: int = 0) -> NDArray[np.uint8]: ...
def sha1(data: NDArray[np.uint8], offsets: NDArray[np.int64], threads: int = 0) -> NDArray[np.uint8]: ...
def sha512(data: NDArray[np.uint8], offsets: NDArray[np.int64], threads: int = 0) -> NDArray[np.uint8]: ...
def sha256(data: NDArray[np.uint8], offsets: NDArray[np.int64], threads: int = 0) -> NDArray[np.uint8]: ...
def hmac_sha256(
    key: bytes, data: NDArray[np.uint8], offsets: NDArray[np.int64], threads: int = 0
) -> NDArray[np.uint8]: ...
def exchange_losses(
    columns: Columns, rows: list[int], ends: list[int], x: int, i: int, y: int
) -> tuple[list[int], list[int], list[int], list[int], list[int]]: ...
def regroup_trial(
    columns: Columns, demands: Demands, rows: list[int], ends: list[int], way: int, seed: int
) -> tuple[bool, int, list[list[int]], list[int]]: ...
def graph_classes(
    rows: Sequence[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64] | None]],
    n_vertices: int,
    colours: NDArray[np.int32] | None,
    before: NDArray[np.int32] | None,
    seed: int,
    pulse: Pulse | None = None,
    threads: int = 0,
    hash_bits: int = 64,
) -> NDArray[np.int32]: ...
def degree_distance(degrees: NDArray[np.int32], k: int, may_add: bool = True, may_delete: bool = True) -> int: ...
def priced_degree_distance(
    degrees: NDArray[np.int32], up: NDArray[np.int32], down: NDArray[np.int32], k: int
) -> int: ...
def distance_to_nearest(
    groups: NDArray[np.int32], out: NDArray[np.int32], into: NDArray[np.int32], sizes: NDArray[np.int64], k: int
) -> int: ...
def degree_targets(
    starts: NDArray[np.int64],
    partners: NDArray[np.int32],
    groups: NDArray[np.int32],
    sides: NDArray[np.int8] | None,
    mates: NDArray[np.int32] | None,
    k: int,
    may_add: bool,
    may_delete: bool,
    n_trials: int,
    seconds: float,
    seed: int,
    pulse: Pulse | None = None,
) -> tuple[NDArray[np.int32], tuple[NDArray[np.int32], NDArray[np.int32]], int]: ...
def realise_degrees(
    starts: NDArray[np.int64],
    partners: NDArray[np.int32],
    groups: NDArray[np.int32],
    sides: NDArray[np.int8] | None,
    mates: NDArray[np.int32] | None,
    k: int,
    may_add: bool,
    may_delete: bool,
    targets: NDArray[np.int32],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    seed: int,
    pulse: Pulse | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32], bool]: ...
def anneal_degrees(
    starts: NDArray[np.int64],
    partners: NDArray[np.int32],
    groups: NDArray[np.int32],
    sides: NDArray[np.int8] | None,
    k: int,
    may_add: bool,
    may_delete: bool,
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    n_steps: int,
    n_rounds: int,
    heat: float,
    enough: int,
    seconds: float,
    seed: int,
    pulse: Pulse | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None: ...
def instruction_sets() -> list[str]: ...
def use_instruction_set(name: str) -> None: ...

class Twins:
    def __init__(
        self,
        out: tuple[NDArray[np.int64], NDArray[np.int32]],
        into: tuple[NDArray[np.int64], NDArray[np.int32]] | None,
        loops: NDArray[np.uint8] | None,
        kinds: NDArray[np.int32],
        pools: NDArray[np.int32],
        closed: bool,
        add_cost: int,
        delete_cost: int,
    ) -> None: ...
    def search(
        self,
        k: int,
        start: NDArray[np.int32] | None,
        n_steps: int,
        n_runs: int,
        seconds: float,
        seed: int,
        pulse: Pulse | None = None,
        threads: int = 0,
    ) -> NDArray[np.int32]: ...
    def cheapest(
        self, k: int, bound: int, n_nodes: int, seconds: float, pulse: Pulse | None = None
    ) -> tuple[NDArray[np.int32], bool]: ...

class Holdings:
    def __init__(
        self,
        starts: NDArray[np.int64],
        items: NDArray[np.int32],
        n_items: int,
        absence: bool,
        slots: NDArray[np.int32] | None = None,
        n_slots: int = 0,
        usable: NDArray[np.uint8] | None = None,
        row_groups: NDArray[np.int32] | None = None,
        slot_groups: NDArray[np.int32] | None = None,
        n_groups: int = 1,
        weights: NDArray[np.int64] | None = None,
    ) -> None: ...
    def one_known(self, k: int) -> tuple[NDArray[np.uint8], int]: ...
    def two_known(
        self, k: int, floor: int, pulse: Pulse | None = None, threads: int = 0
    ) -> tuple[NDArray[np.uint8], int]: ...
    def search_sets(
        self,
        rows: NDArray[np.int32],
        k: int,
        size: int,
        n_steps: int,
        pulse: Pulse | None = None,
        threads: int = 0,
    ) -> NDArray[np.int8]: ...
    def greedy_sets(
        self, rows: NDArray[np.int32], k: int, n_steps: int, pulse: Pulse | None = None, threads: int = 0
    ) -> NDArray[np.int32]: ...
    def fewest_candidates(
        self, size: int, known: int, floor: int, n_steps: int, pulse: Pulse | None = None, threads: int = 0
    ) -> tuple[int, bool]: ...
    def cover_counts(
        self, rows: NDArray[np.int32], pulse: Pulse | None = None, threads: int = 0
    ) -> NDArray[np.int64]: ...

class EditSearch:
    def __init__(
        self,
        n_vertices: int,
        directed: bool,
        source: NDArray[np.int32],
        target: NDArray[np.int32],
        sides: NDArray[np.int8] | None,
        may_add: bool,
        may_delete: bool,
    ) -> None: ...
    def add_known(
        self, k: int, n_known: int, absence: bool, exclude_known: bool, groups: NDArray[np.int32] | None
    ) -> None: ...
    def add_degrees(self, k: int, groups: NDArray[np.int32] | None) -> None: ...
    def add_twins(self, k: int, closed: bool, groups: NDArray[np.int32] | None, seed: int) -> None: ...
    def violation(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> int: ...
    def run(
        self,
        source: NDArray[np.int32],
        target: NDArray[np.int32],
        n_looks: int,
        heat: tuple[float, float],
        price: tuple[float, float],
        counts_missing: bool,
        seconds: float,
        seed: int,
        pulse: Pulse | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None: ...
    def edit_sets(
        self, size: int, n_most: int, n_looks: int, seconds: float, pulse: Pulse | None = None
    ) -> tuple[list[tuple[NDArray[np.int32], NDArray[np.int32]]], bool, int]: ...

class Ladders:
    def __init__(self, n_rows: int) -> None: ...
    @property
    def n_rows(self) -> int: ...
    def __len__(self) -> int: ...
    def add(
        self,
        codes: NDArray[np.int32],
        groups: NDArray[np.int32],
        costs: NDArray[np.int64],
        lost: NDArray[np.int64],
    ) -> None: ...

class Recoder:
    def __init__(
        self,
        ladders: Ladders,
        lasting: Demands,
        others: Demands,
        objective: str,
        spare: int,
        sees_all: bool = True,
    ) -> None: ...
    @property
    def n_tuples(self) -> int: ...
    @property
    def cost_of_all_lost(self) -> int: ...
    def evaluate(self, levels: Sequence[int]) -> tuple[bool, int, int]: ...
    def labels(self, levels: Sequence[int]) -> NDArray[np.int32]: ...
    def evaluate_cuts(
        self, groups: Sequence[NDArray[np.int32]], costs: Sequence[NDArray[np.int64]]
    ) -> tuple[bool, int, int]: ...
    def labels_of_cuts(
        self, groups: Sequence[NDArray[np.int32]], costs: Sequence[NDArray[np.int64]]
    ) -> NDArray[np.int32]: ...
    def sweep(
        self, nodes: NDArray[np.int32], seconds: float, pulse: Pulse | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
    def specialise(
        self, approve: Callable[[list[NDArray[np.int32]]], bool] | None = None, pulse: Pulse | None = None
    ) -> tuple[list[NDArray[np.int32]], int, int]: ...
    def breed(
        self,
        by_levels: bool,
        ranges: Sequence[tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]] | None],
        seeds: Sequence[Sequence[NDArray[np.int32]]],
        population: int,
        generations: int,
        ends_when_idle: bool,
        seconds: float,
        seed: int,
        approve: Callable[[list[NDArray[np.int32]]], bool] | None = None,
        pulse: Pulse | None = None,
        threads: int = 0,
    ) -> tuple[list[NDArray[np.int32]], list[NDArray[np.int64]], int, int, list[float], list[int]]: ...
    def optimum(
        self,
        least: Sequence[int],
        most: Sequence[int],
        seconds: float,
        seed: int,
        confirm: Callable[[list[int]], int] | None,
        pulse: Pulse | None = None,
        threads: int = 0,
    ) -> tuple[list[int], int, int, bool, int]: ...
