#include "point_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace celosia {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Far above what roots and sums can be off by rounding, far below any difference that spares work.
constexpr double slack = 1e-13;

}  // namespace

PointTree::PointTree(const Metric& metric, double* cells, std::vector<std::int32_t> rows, const std::int32_t* stock)
    : metric_(metric), cells_(cells), row_of_slot_(std::move(rows)), stock_(stock), centre_(metric.n_columns) {
    bring_in_order(cut(row_of_slot_.size()));
    for (auto node = static_cast<std::int32_t>(nodes_.size()); node-- > 0;) {
        Node& own = at(node);
        if (own.is_leaf()) {
            finish_leaf(own);
        } else {
            own.lowest_row = std::min(at(own.left).lowest_row, at(own.left + 1).lowest_row);
        }
    }
}

std::vector<std::int32_t> PointTree::cut(std::size_t n_points) {
    std::vector<std::int32_t> points(n_points);
    std::iota(points.begin(), points.end(), 0);
    const std::size_t n_nodes = 2 * ((n_points + leaf_size - 1) / leaf_size) - 1;
    nodes_.reserve(n_nodes);
    boxes_.resize(n_nodes * 2 * metric_.n_columns);
    nodes_.push_back({0, static_cast<std::int32_t>(n_points), -1, -1, 0, 0, infinity});
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(nodes_.size()); ++node) {
        measure_points(node, points);
        if (at(node).end - at(node).begin > leaf_size) split(node, points);
    }
    return points;
}

void PointTree::measure_points(std::int32_t node, const std::vector<std::int32_t>& points) {
    double *low = lowest(node), *high = highest(node);
    std::fill_n(low, metric_.n_columns, infinity);
    std::fill_n(high, metric_.n_columns, -infinity);
    for (std::int32_t slot = at(node).begin; slot < at(node).end; ++slot) {
        const auto point = static_cast<std::size_t>(points[static_cast<std::size_t>(slot)]);
        const double* own = cells_ + point * metric_.n_columns;
        for (std::size_t c = 0; c < metric_.n_columns; ++c) {
            low[c] = std::min(low[c], own[c]);
            high[c] = std::max(high[c], own[c]);
        }
    }
}

std::size_t PointTree::widest_column(std::int32_t node) const {
    std::size_t widest = 0;
    double greatest = -1;
    for (std::size_t c = 0; c < metric_.n_columns; ++c) {
        const double span = highest(node)[c] - lowest(node)[c];
        const double spread = c < metric_.n_numbers ? span * span * metric_.weights[c] : (span > 0 ? 1.0 : 0.0);
        if (spread > greatest) {
            greatest = spread;
            widest = c;
        }
    }
    return widest;
}

void PointTree::split(std::int32_t node, std::vector<std::int32_t>& points) {
    const std::size_t column = widest_column(node);
    const std::int32_t begin = at(node).begin, end = at(node).end;
    // Near the middle, but so that all leaves but the last are full.
    const std::int32_t middle = begin + ((end - begin) / 2 + leaf_size - 1) / leaf_size * leaf_size;
    const auto cell = [&](std::int32_t point) {
        return cells_[static_cast<std::size_t>(point) * metric_.n_columns + column];
    };
    std::nth_element(points.begin() + begin, points.begin() + middle, points.begin() + end,
                     [&](std::int32_t a, std::int32_t b) { return cell(a) < cell(b); });
    at(node).left = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({begin, middle, node, -1, 0, 0, infinity});
    nodes_.push_back({middle, end, node, -1, 0, 0, infinity});
}

// Puts each point into its slot, cycle by cycle: a copy of all cells would double them.
void PointTree::bring_in_order(std::vector<std::int32_t> points) {
    const auto cells_at = [this](std::int32_t slot) {
        return cells_ + static_cast<std::size_t>(slot) * metric_.n_columns;
    };
    std::vector<double> first_cells(metric_.n_columns);
    for (std::int32_t first = 0; first < static_cast<std::int32_t>(points.size()); ++first) {
        std::copy_n(cells_at(first), metric_.n_columns, first_cells.begin());
        const std::int32_t first_row = row_of(first);
        std::int32_t slot = first;
        for (;;) {
            // A slot that is to hold what it holds is done.
            const std::int32_t next = std::exchange(points[static_cast<std::size_t>(slot)], slot);
            if (next == first) break;
            std::copy_n(cells_at(next), metric_.n_columns, cells_at(slot));
            row_of_slot_[static_cast<std::size_t>(slot)] = row_of(next);
            slot = next;
        }
        std::copy_n(first_cells.begin(), metric_.n_columns, cells_at(slot));
        row_of_slot_[static_cast<std::size_t>(slot)] = first_row;
    }
}

void PointTree::finish_leaf(Node& leaf) {
    leaf.stride = leaf.end - leaf.begin;
    leaf.lowest_row = *std::min_element(row_of_slot_.begin() + leaf.begin, row_of_slot_.begin() + leaf.end);
    const auto n = static_cast<std::size_t>(leaf.stride);
    double* own = cells_of(leaf);
    const std::vector<double> by_point(own, own + n * metric_.n_columns);
    for (std::size_t c = 0; c < metric_.n_columns; ++c) {
        for (std::size_t i = 0; i < n; ++i) *own++ = by_point[i * metric_.n_columns + c];
    }
}

void PointTree::measure_leaf(std::int32_t node) {
    const Node& own = at(node);
    const double* values = cells_of(own);
    for (std::size_t c = 0; c < metric_.n_columns; ++c, values += own.stride) {
        double low = infinity, high = -infinity;
        for (std::int32_t i = 0; i < own.end - own.begin; ++i) {
            low = std::min(low, values[i]);
            high = std::max(high, values[i]);
        }
        lowest(node)[c] = low;
        highest(node)[c] = high;
    }
}

bool PointTree::unite_children(std::int32_t node) {
    const std::int32_t left = at(node).left;
    double* own = lowest(node);
    const double *one = lowest(left), *other = lowest(left + 1);
    bool has_changed = false;
    for (std::size_t j = 0; j < 2 * metric_.n_columns; ++j) {
        const double side = j < metric_.n_columns ? std::min(one[j], other[j]) : std::max(one[j], other[j]);
        has_changed |= side != own[j];
        own[j] = side;
    }
    return has_changed;
}

std::ptrdiff_t PointTree::place_of(const Found& found) const {
    const Node& leaf = at(found.leaf);
    const auto first = row_of_slot_.begin() + leaf.begin;
    return std::find(first, row_of_slot_.begin() + leaf.end, found.point) - first;
}

void PointTree::copy_cells(const Found& found, double* to) const {
    const Node& leaf = at(found.leaf);
    const double* values = cells_of(leaf) + place_of(found);
    for (std::size_t c = 0; c < metric_.n_columns; ++c, values += leaf.stride) to[c] = *values;
}

void PointTree::move_up(const Found& found, std::int32_t lowest_row) {
    row_of_slot_[static_cast<std::size_t>(at(found.leaf).begin + place_of(found))] = lowest_row;
}

void PointTree::remove(const Found& found) {
    const std::ptrdiff_t place = place_of(found);
    Node& leaf = at(found.leaf);
    std::int32_t* rows = row_of_slot_.data() + leaf.begin;
    const std::int32_t last = --leaf.end - leaf.begin;
    rows[place] = rows[last];
    double* values = cells_of(leaf);
    for (std::size_t c = 0; c < metric_.n_columns; ++c, values += leaf.stride) values[place] = values[last];
    measure_leaf(found.leaf);
    for (std::int32_t above = leaf.parent; above >= 0 && unite_children(above);) above = at(above).parent;
}

double PointTree::least_distance(std::int32_t node, const double* from) const {
    const double *low = lowest(node), *high = highest(node);
    double sum = 0;
    for (std::size_t c = 0; c < metric_.n_numbers; ++c) {
        const double difference = std::max(std::max(low[c] - from[c], from[c] - high[c]), 0.0);
        sum += difference * difference * metric_.weights[c];
    }
    for (std::size_t c = metric_.n_numbers; c < metric_.n_columns; ++c)
        sum += from[c] < low[c] || from[c] > high[c] ? 1.0 : 0.0;
    return sum;
}

double PointTree::greatest_distance(std::int32_t node, const double* from) const {
    const double *low = lowest(node), *high = highest(node);
    double sum = 0;
    for (std::size_t c = 0; c < metric_.n_numbers; ++c) {
        const double difference = std::max(from[c] - low[c], high[c] - from[c]);
        sum += difference * difference * metric_.weights[c];
    }
    for (std::size_t c = metric_.n_numbers; c < metric_.n_columns; ++c)
        sum += low[c] == from[c] && high[c] == from[c] ? 0.0 : 1.0;
    return sum;
}

double PointTree::greatest_distance_from_centre(std::int32_t node) const {
    const double reach = at(node).reach;
    const double most = std::max(reach + way_ + slack * (std::abs(reach) + way_), 0.0);
    const double *low = lowest(node), *high = highest(node);
    double sum = most * most;
    for (std::size_t c = metric_.n_numbers; c < metric_.n_columns; ++c)
        sum += low[c] == centre_[c] && high[c] == centre_[c] ? 0.0 : 1.0;
    return sum;
}

double PointTree::measure_distances(const Node& leaf) {
    const std::int32_t n = leaf.end - leaf.begin;
    const double* values = cells_of(leaf);
    std::fill_n(distances_, n, 0.0);
    for (std::size_t c = 0; c < metric_.n_numbers; ++c, values += leaf.stride) {
        const double from = from_[c], weight = metric_.weights[c];
        for (std::int32_t i = 0; i < n; ++i) {
            const double difference = values[i] - from;
            distances_[i] += difference * difference * weight;
        }
    }
    double greatest = 0;
    for (std::int32_t i = 0; i < n; ++i) greatest = std::max(greatest, distances_[i]);
    for (std::size_t c = metric_.n_numbers; c < metric_.n_columns; ++c, values += leaf.stride) {
        for (std::int32_t i = 0; i < n; ++i) distances_[i] += values[i] == from_[c] ? 0.0 : 1.0;
    }
    return greatest;
}

void PointTree::offer_far_points(std::int32_t node) {
    const Node& leaf = at(node);
    for (std::int32_t i = 0; i < leaf.end - leaf.begin; ++i) {
        if (distances_[i] < best_.distance) continue;
        const std::int32_t point = row_of(leaf.begin + i);
        if (distances_[i] > best_.distance || point < best_.point) best_ = {distances_[i], point, node};
    }
}

void PointTree::look_for_furthest(std::int32_t node) {
    const Node& own = at(node);
    if (own.is_leaf()) {
        measure_distances(own);
        offer_far_points(node);
        return;
    }
    std::int32_t first = own.left, second = own.left + 1;
    double of_first = is_empty(first) ? -1 : greatest_distance(first, from_);
    double of_second = is_empty(second) ? -1 : greatest_distance(second, from_);
    if (of_second > of_first) {
        std::swap(first, second);
        std::swap(of_first, of_second);
    }
    if (!cannot_hold_further(at(first), of_first)) look_for_furthest(first);
    if (!cannot_hold_further(at(second), of_second)) look_for_furthest(second);
}

Found PointTree::furthest(const double* from) {
    from_ = from;
    best_ = {-1, -1, -1};
    look_for_furthest(0);
    return best_;
}

void PointTree::look_around_centre(std::int32_t node) {
    Node& own = at(node);
    if (own.is_leaf()) {
        own.reach = std::sqrt(measure_distances(own)) - way_;
        offer_far_points(node);
        return;
    }
    std::int32_t first = own.left, second = own.left + 1;
    double of_first = is_empty(first) ? -1 : greatest_distance_from_centre(first);
    double of_second = is_empty(second) ? -1 : greatest_distance_from_centre(second);
    if (of_second > of_first) {
        std::swap(first, second);
        std::swap(of_first, of_second);
    }
    if (!cannot_hold_further(at(first), of_first)) look_around_centre(first);
    if (!cannot_hold_further(at(second), of_second)) look_around_centre(second);
    own.reach = std::max(is_empty(first) ? -infinity : at(first).reach, is_empty(second) ? -infinity : at(second).reach);
}

// By the triangle inequality nothing has come nearer to the centre, or gone further from it, than its own way.
void PointTree::move_centre(const double* centre) {
    double sum = 0;
    for (std::size_t c = 0; c < metric_.n_numbers; ++c) {
        const double difference = centre[c] - centre_[c];
        sum += difference * difference * metric_.weights[c];
    }
    way_ = std::nextafter(way_ + std::sqrt(sum) * (1 + slack), infinity);
    std::copy_n(centre, metric_.n_columns, centre_.begin());
}

Found PointTree::furthest_from_centre(const double* centre) {
    move_centre(centre);
    from_ = centre;
    best_ = {-1, -1, -1};
    look_around_centre(0);
    return best_;
}

void PointTree::offer_near_points(std::int32_t node) {
    const Node& leaf = at(node);
    for (std::int32_t i = 0; i < leaf.end - leaf.begin; ++i) {
        const Found found{distances_[i], row_of(leaf.begin + i), node};
        const auto is_before = [](const Found& a, const Found& b) {
            return a.distance < b.distance || (a.distance == b.distance && a.point < b.point);
        };
        if (n_near_ >= wanted_ && !is_before(found, near_.back())) continue;
        near_.insert(std::upper_bound(near_.begin(), near_.end(), found, is_before), found);
        n_near_ += n_rows_of(found.point);
        while (n_near_ - n_rows_of(near_.back().point) >= wanted_) {
            n_near_ -= n_rows_of(near_.back().point);
            near_.pop_back();
        }
    }
}

void PointTree::look_for_nearest(std::int32_t node) {
    const Node& own = at(node);
    if (own.is_leaf()) {
        measure_distances(own);
        offer_near_points(node);
        return;
    }
    std::int32_t first = own.left, second = own.left + 1;
    double of_first = is_empty(first) ? infinity : least_distance(first, from_);
    double of_second = is_empty(second) ? infinity : least_distance(second, from_);
    if (of_second < of_first) {
        std::swap(first, second);
        std::swap(of_first, of_second);
    }
    if (!cannot_hold_nearer(at(first), of_first)) look_for_nearest(first);
    if (!cannot_hold_nearer(at(second), of_second)) look_for_nearest(second);
}

const std::vector<Found>& PointTree::nearest(const double* from, std::int32_t wanted) {
    from_ = from;
    near_.clear();
    n_near_ = 0;
    wanted_ = wanted;
    look_for_nearest(0);
    return near_;
}

}  // namespace celosia
