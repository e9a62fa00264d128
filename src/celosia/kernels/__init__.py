"""Compiled searches for classes: integer columns in, a class label per row out. Read ``module.cpp`` first.

Losses are integers, scaled by the caller so that all columns' greatest losses together are at most 2^30. Every sum is
then exact, and the labels are the same on any number of threads and any instruction set.

A class of rows loses, in a column added by

- ``add_line(positions, full)``: the highest minus the lowest position (a missing one is -2^31);
- ``add_bag(codes, n_values, unit, full)``: (distinct codes - 1) * unit (a missing code is -1);
- ``add_tree(codes, nodes, loss, full)``: the loss of the lowest common ancestor, which is ``nodes[level, code]`` at
  the first level where it is the same for the whole class; codes are in leaf order, and no ancestor loses less than
  a node below it (a missing code is -1).

A class with missing and known values loses ``full`` there, one with missing values only loses nothing. Arrays must be
C-contiguous and of the very type: int32, weights float64. Wrong shapes, codes and sums raise ``ValueError``, wrong
types ``TypeError``; no message holds a value.

>>> import numpy as np
>>> from celosia import kernels
>>> columns = kernels.Columns(6)
>>> columns.add_line(np.array([0, 90, 10, 100, 0, 80], dtype=np.int32), 100)
>>> columns.add_bag(np.array([0, 1, 0, 1, 0, 0], dtype=np.int32), 2, 100, 100)
>>> nodes = np.array([[0, 1, 2], [3, 3, 4], [5, 5, 5]], dtype=np.int32)
>>> loss = np.array([0, 0, 0, 50, 0, 100], dtype=np.int32)
>>> columns.add_tree(np.array([0, 2, 1, 2, 0, 2], dtype=np.int32), nodes, loss, 100)

``k_members`` starts each class at the free row furthest from the last one (squared differences over ``full``, 0 or 1
for codes, times the weights), ``l_greedy`` at the first free row of an order. Both then add the row that raises the
loss least until there are k rows (``l_greedy``: until its demands are met), and give each row left over to the class
whose size times loss grows least (``l_greedy`` with other demands than a number of rows: to a class of its own).
``mondrian`` cuts at medians, from the column that loses most, while both sides meet all demands; equal values stay
together unless it is not strict and no other cut is left. Ties go to the lowest row, column or class. With
``subjects``, a code per row, k counts distinct subjects instead of rows.

>>> kernels.k_members(columns, 3, 0, None, np.ones(3))
array([1, 0, 1, 0, 1, 0], dtype=int32)
>>> demands = kernels.Demands(6)
>>> demands.add_rows(3)
>>> kernels.l_greedy(columns, demands, np.arange(6, dtype=np.int32))
array([0, 1, 0, 1, 0, 1], dtype=int32)
>>> kernels.mondrian(columns, demands, True)
array([0, 1, 0, 1, 0, 1], dtype=int32)

``Demands`` are what every class must satisfy: so many rows, so many distinct codes of a column (a secret, or the people
that rows are about; negative codes do not count), or how often codes stand in a class: each so often if at all
(``add_cells``), their shares within bounds (``add_shares``), of some entropy (``add_entropy``), not led by one value
(``add_recursive``), near to a reference by equal distances, along a line or in a tree (``add_equal_distance``,
``add_line_distance``, ``add_tree_distance``). Bounds are lenient by a hair: searches are led by them, models decide. A
class that still needs as many rows as it has places left takes only rows that help.

>>> demands.add_distinct(np.array([0, 0, 0, 0, 1, 1], dtype=np.int32), 2)
>>> labels = kernels.l_greedy(columns, demands, np.arange(6, dtype=np.int32))
>>> labels
array([0, 1, 0, 1, 0, 1], dtype=int32)

``weave`` takes classes and improves them pass by pass: neighbours exchange rows, or are thrown together and grown anew
(with hierarchies also: made anew of the rows below nodes), and what loses more is kept less and less often. It ends
after so many passes or seconds, or when its pulse is stopped, with the best classes seen and the least loss over time
(a fraction of 2^30 per row). Without a limit of time the seed alone decides what it finds.

``mend`` repairs classes that break a demand: rows that help move in, classes are merged, or suppressed (-1) if so many
rows may be. ``merge_nearest`` merges classes that somebody else has found wanting, ``join_neighbours`` those that
follow each other in an order.

>>> demands.broken(np.array([0, 0, 0, 0, 1, 1], dtype=np.int32)), demands.accepts([0, 4, 5])
(array([0, 1], dtype=int32), True)
>>> kernels.mend(columns, demands, np.array([0, 0, 0, 0, 1, 1], dtype=np.int32), 0)
array([0, 0, 0, 0, 0, 0], dtype=int32)
>>> kernels.merge_nearest(columns, np.array([0, 1, 0, 1, 2, 2], dtype=np.int32), [2], 0)
array([0, 1, 0, 1, 0, 0], dtype=int32)

>>> labels, seconds, loss = kernels.weave(columns, demands, labels, 3, float("inf"), 1)
>>> labels
array([0, 1, 0, 1, 0, 1], dtype=int32)

``class_sets`` lists sets of rows that meet the demands by their reduced cost, size times loss minus a price (int64) per
row: all up to a bar, or the best with each first row. Of rows of one kind, which follow each other, it takes the first.
It says what rows the sets have, where each starts, what it loses, whether the list is whole, and how many rows it took
to look at. ``class_losses`` gives the loss of each class.

>>> prices, kinds = np.array([10, 95, 10, 95, 10, 90], dtype=np.int64), np.arange(6, dtype=np.int32)
>>> found = kernels.class_sets(columns, demands, 3, kinds, prices, 500, 0, 99, 999, float("inf"))
>>> rows, starts, losses, is_complete, n_looks = found
>>> rows[starts[0] : starts[1]].tolist(), losses[:1].tolist(), is_complete
([0, 2, 4], [60], True)
>>> kernels.class_losses(columns, np.array([0, 1, 0, 1, 0, -1], dtype=np.int32), 2)
array([60, 10], dtype=int32)

``exact_cover`` chooses sets, given by kinds of rows, so that each kind is taken as often as it has rows, at the least
sum of costs (int64, from 0) below a bar. Of the sets from ``first_spare`` on it takes at most ``n_spare``.

>>> kinds, starts = np.array([0, 1, 0, 0, 1, 1, 0, 1, 1], dtype=np.int32), np.array([0, 2, 4, 6, 9])
>>> costs, n_of_kind = np.array([5, 1, 2, 0]), np.array([3, 3], dtype=np.int32)
>>> kernels.exact_cover(kinds, starts, costs, 4, 0, 0, n_of_kind, 99, 999, float("inf"))[:2]
(array([1, 0, 2], dtype=int32), True)

``hilbert_order`` sorts points, whole coordinates of ``bits`` bits (uint32, at most 128 bits per row in all), by their
cells along a Hilbert curve. ``split_order`` cuts any order of the rows into classes of at least k neighbours with the
least sum of size times loss; of equally good cuts it takes those that make the last class shortest, then the last but
one, and so on. ``hilbert_order`` only asks its pulse whether to stop.

>>> square = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.uint32)
>>> kernels.hilbert_order(square, 1)
array([0, 2, 3, 1], dtype=int32)
>>> kernels.split_order(columns, 2, np.array([0, 4, 2, 5, 1, 3], dtype=np.int32), None)
array([0, 2, 1, 2, 0, 1], dtype=int32)

A ``Pulse`` shows from another thread how far a kernel is, and stops it.

>>> pulse = kernels.Pulse()
>>> labels = kernels.mondrian(columns, demands, True, pulse)
>>> pulse.done, pulse.total
(6, 6)
>>> pulse.stop()
>>> kernels.mondrian(columns, demands, True, pulse)
Traceback (most recent call last):
celosia.kernels._kernels.Interrupted: the kernel was stopped

``mdav`` makes groups of k to 2k - 1 rows at the ends of what is left: around the row furthest from the centre (the mean
of numbers, the most frequent of codes) and around the row furthest from that one. Cells are ``float64``, numbers first,
one weight for each of their columns, then codes; squared distances are weighted squared differences plus 1 for each
code that differs. Rows up to each of ``ends`` are grouped apart. Ties go to the lowest row. The array of cells is left
in disorder: a copy would take as much memory again.

>>> cells = np.array([[1.0, 0], [9, 1], [2, 0], [8, 1], [3, 0], [7, 0]])
>>> kernels.mdav(cells, np.array([0.1]), np.array([6], dtype=np.int32), 3)
array([1, 0, 1, 0, 1, 0], dtype=int32)

``sorted_rows`` sorts rows by their codes, the first column first, equal ones by keys or, without, as they stand.

>>> codes = [np.array([1, 0, 0], dtype=np.int32), np.array([7, 8, 8], dtype=np.int32)]
>>> kernels.sorted_rows(codes, 3, np.array([1, 9, 5], dtype=np.uint64)), kernels.sorted_rows(codes, 3, None)
(array([2, 1, 0], dtype=int32), array([1, 2, 0], dtype=int32))

``minimal_keys`` finds all minimal sets of columns, of one to ``max_size``, by which the rows have at least ``n_needed``
distinct tuples; a missing code (-1) is a code like others. At most 512 columns.

>>> codes = [np.array([0, 0, 1, 1], dtype=np.int32), np.array([0, 1, 0, 1], dtype=np.int32)]
>>> codes.append(np.array([2, 2, 3, -1], dtype=np.int32))
>>> kernels.minimal_keys(codes, 4, 4, 3), kernels.minimal_keys(codes, 4, 3, 1)
([[0, 1], [1, 2]], [[2]])

``match_counts`` counts, for each row, the rows that agree with it in every column where both are known (-1 is not), the
row itself included: the reading by which a missing cell may hold anything. With ``subjects``, a code per row, it counts
the distinct subjects of those rows, which visits every pair that agrees.

>>> kernels.match_counts(codes, 4).tolist()
[1, 1, 1, 1]
>>> kernels.match_counts(codes[::2], 4).tolist(), kernels.match_counts(codes[::2], 4, subjects=codes[0]).tolist()
([2, 2, 2, 2], [1, 1, 1, 1])

``minimal_uniques`` finds the minimal sample uniques of every row: the smallest sets of columns (one and more, up to
``max_size``) in which it has known codes that no other row has; with ``subjects``, no row of another subject. It gives
their number per row and size, and how many of all rows' sets hold each column. At most 64 columns.

>>> counts, in_column = kernels.minimal_uniques(codes, 4, 2)
>>> counts.tolist(), in_column.tolist()
([[0, 2], [0, 2], [1, 1], [0, 1]], [[0, 4], [0, 6], [1, 2]])

A ``Recoder`` judges recodings of whole columns. ``Ladders`` hold the levels of each column: which codes are published
alike on a level, and what that costs a row. Classes that break a demand are suppressed, if no more rows are lost than
may be spared. Demands are parted into those that outlive the uniting of classes and others. ``optimum`` finds the
cheapest levels.

>>> ladders = kernels.Ladders(6)
>>> groups = np.array([[0, 1, 2], [0, 0, 1], [0, 0, 0]], dtype=np.int32)
>>> costs = np.array([[0, 0, 0], [3, 3, 0], [9, 9, 9]], dtype=np.int64)
>>> ladders.add(np.array([0, 1, 1, 2, 2, 2], dtype=np.int32), groups, costs, np.full(3, 9))
>>> two, nothing = kernels.Demands(6), kernels.Demands(6)
>>> two.add_rows(2)
>>> recoder = kernels.Recoder(ladders, two, nothing, "cells", spare=1)
>>> recoder.evaluate([0]), recoder.evaluate([1])
((True, 9, 1), (True, 9, 0))
>>> recoder.optimum([0], [2], 0.0, 1, None)[:4]
([0], 9, 9, True)
>>> recoder.labels([0])
array([-1,  0,  0,  1,  1,  1], dtype=int32)

``specialise`` goes down from the tops, node by node, and gives the level of every code. ``breed`` is a genetic search
among such levels, or among ranges of values that are cut anywhere.

>>> levels, cost, n_judged = recoder.specialise()
>>> levels[0], cost
(array([1, 1, 0], dtype=int32), 9)
>>> tops = [np.full(3, 2, dtype=np.int32)]
>>> recoder.breed(False, [None], [tops], 4, 8, False, 0.0, 1)[2]
9

``cheapest_classes`` finds, for each of some rows, the least of loss minus mean potential over all classes of k up to
2k - 1 rows that hold it: a lower bound whenever it stops, what the cheapest class seen has, and classes seen.
``class_costs`` gives size times loss of classes, ``fit_potentials`` potentials of a high sum under which none of them
costs less than its rows' potentials, nearly, and ``least_partition`` the least cost of a partition of up to 20 rows.

>>> rows, nothing = np.arange(6, dtype=np.int32), np.zeros(6)
>>> bound, cost, members, ends = kernels.cheapest_classes(columns, 2, nothing, rows, 0.0, 1000, 1.0)
>>> bound.tolist()
[0.0, 10.0, 60.0, 10.0, 0.0, 110.0]
>>> kernels.class_costs(columns, members, ends).min(), kernels.least_partition(columns, 2, nothing, 1500.0, False, 1000)
(np.float64(0.0), 360.0)

``class_extents`` gives the lowest and highest known code and the number of missing codes of each class.

>>> kernels.class_extents(labels, np.array([5, 3, -1, 4, 7, 3], dtype=np.int32), 2)
(array([5, 3], dtype=int32), array([7, 4], dtype=int32), array([1, 0], dtype=int32))

``hmac_sha256`` and ``sha256`` hash many short values in one call: row i is ``data[offsets[i]:offsets[i + 1]]``, bytes
(``uint8``) and ascending places in them (``int64``, one more than rows). 32 bytes per row. A key has at least one byte.

>>> data, offsets = np.frombuffer(b"abcabd", dtype=np.uint8), np.array([0, 3, 6])
>>> kernels.sha256(data, offsets)[0].tobytes().hex()[:16], kernels.hmac_sha256(b"key", data, offsets).shape
('ba7816bf8f01cfea', (2, 32))

``md5``, ``sha1`` and ``sha512`` do the same, only to attack columns of unkeyed digests: pseudonyms are never made so.

>>> kernels.md5(data, offsets).shape, kernels.sha1(data, offsets).shape, kernels.sha512(data, offsets).shape
((2, 16), (2, 20), (2, 64))

``graph_classes`` labels the vertices of a graph, numbered in the order of first vertices: equal for those with equal
rows. Rows are ``(starts, neighbours, entries)``, ascending, entries ``None`` where all are equal; a directed graph has
two kinds. With ``colours`` the colours of neighbours are compared as multisets instead. ``before`` tells apart who
differed already. Hashes, drawn by the seed, only bring vertices together; then they are compared.

>>> starts, neighbours = np.array([0, 2, 4, 6, 8]), np.array([1, 3, 0, 2, 1, 3, 0, 2], dtype=np.int32)
>>> kernels.graph_classes([(starts, neighbours, None)], 4, None, None, seed=1)
array([0, 1, 0, 1], dtype=int32)

``Holdings`` are rows that hold items, with weights, for attackers who know some of the items of a row: candidates are
the rows that hold them all. With ``absence`` it is also known where a row holds nothing. ``one_known`` and
``two_known`` say which rows have fewer than k candidates, and the fewest that anybody has; ``search_sets`` searches for
sets of more items, within a number of steps (1: found, 0: there is none, 2: cut off).

>>> holdings = kernels.Holdings(starts, neighbours, 4, absence=False)
>>> holdings.two_known(3, floor=1)
(array([1, 1, 1, 1], dtype=uint8), 2)
>>> holdings.search_sets(np.arange(4, dtype=np.int32), k=2, size=4, n_steps=1000)
array([0, 0, 0, 0], dtype=int8)

``EditSearch`` looks for few edits of a graph that meet demands: ``add_known`` (one or two known places leave k
candidates), ``add_degrees`` and ``add_twins``. ``run`` switches edges at random from the given ones on, within a number
of looks and seconds, and hands back the edges of the best state that meets them. Edits cost 1 and violations a price
that grows, and the heat by which matters may get worse falls. With no looks it only undoes what is not needed.

>>> ends = np.array([0, 1, 2], dtype=np.int32), np.array([1, 2, 3], dtype=np.int32)
>>> search = kernels.EditSearch(4, False, *ends, None, may_add=True, may_delete=True)
>>> search.add_degrees(4, None)
>>> search.violation(*ends) > 0
True
>>> found = search.run(*ends, 10_000, (0.3, 0.05), (0.02, 0.1), False, float("inf"), seed=1)
>>> found[0].tolist(), found[1].tolist()
([0, 2], [1, 3])

``degree_distance`` says how far ascending degrees are from the nearest where each is that of at least k, and
``priced_degree_distance`` what the nearest cost where units of degree have prices up and down;
``distance_to_nearest`` how far all are from the nearest k - 1 by degrees out and in. Nodes and their partners
are rows as above; nodes of a group may hide each other; pairs are only added between ``sides``, where given, and never
with a node's mate: with direction a vertex has two nodes, for its arcs out and in, and both their degrees must be those
of k vertices. ``degree_targets`` finds such degrees that few edits lead to, and edits that both their ends want;
``realise_degrees`` all edits, pairs that are added where there was none and deleted where there was one;
``anneal_degrees`` improves them.

>>> path = np.array([0, 1, 3, 5, 6]), np.array([1, 0, 2, 1, 3, 2], dtype=np.int32)
>>> kernels.degree_distance(np.array([1, 1, 2, 2], dtype=np.int32), 3)
2
>>> groups = np.zeros(4, dtype=np.int32)
>>> rules = None, None, 3, True, True  # sides, mates, k, and that pairs may be added and deleted
>>> degrees, direct, n_edits = kernels.degree_targets(*path, groups, *rules, 10, float("inf"), seed=1)
>>> degrees, n_edits
(array([1, 1, 1, 1], dtype=int32), 1)
>>> first, second, found = kernels.realise_degrees(*path, groups, *rules, degrees, *direct, seed=1)
>>> first.tolist(), second.tolist(), found
([1], [2], True)
"""

from __future__ import annotations

from celosia.kernels._kernels import (
    Columns,
    Demands,
    EditSearch,
    Holdings,
    Interrupted,
    Ladders,
    Pulse,
    Recoder,
    Twins,
    anneal_degrees,
    cheapest_classes,
    class_costs,
    class_extents,
    class_losses,
    class_sets,
    degree_distance,
    degree_targets,
    distance_to_nearest,
    exact_cover,
    fit_potentials,
    graph_classes,
    hilbert_order,
    hmac_sha256,
    join_neighbours,
    k_members,
    l_greedy,
    least_partition,
    match_counts,
    md5,
    mdav,
    mend,
    merge_nearest,
    minimal_keys,
    minimal_uniques,
    mondrian,
    priced_degree_distance,
    realise_degrees,
    sha1,
    sha256,
    sha512,
    sorted_rows,
    split_order,
    weave,
)

__all__ = [
    "Columns",
    "Demands",
    "EditSearch",
    "Holdings",
    "Interrupted",
    "Ladders",
    "Pulse",
    "Recoder",
    "Twins",
    "anneal_degrees",
    "cheapest_classes",
    "class_costs",
    "class_extents",
    "class_losses",
    "class_sets",
    "degree_distance",
    "degree_targets",
    "distance_to_nearest",
    "exact_cover",
    "fit_potentials",
    "graph_classes",
    "hilbert_order",
    "hmac_sha256",
    "join_neighbours",
    "k_members",
    "l_greedy",
    "least_partition",
    "match_counts",
    "md5",
    "mdav",
    "mend",
    "merge_nearest",
    "minimal_keys",
    "minimal_uniques",
    "mondrian",
    "priced_degree_distance",
    "realise_degrees",
    "sha1",
    "sha256",
    "sha512",
    "sorted_rows",
    "split_order",
    "weave",
]
