#include "free_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "distances.hpp"
#include "growing_class.hpp"

namespace celosia {

namespace {

// Below this a loop is over before a second thread has noticed it.
constexpr std::size_t n_blocks_worth_sharing = 6;

template <class Cell>
void store(std::byte* cells, std::size_t i, std::int32_t value) {
    reinterpret_cast<Cell*>(cells)[i] = static_cast<Cell>(value);
}

void store(Width width, std::byte* cells, std::size_t i, std::int32_t value) {
    switch (width) {
        case Width::one: return store<std::uint8_t>(cells, i, value);
        case Width::two: return store<std::uint16_t>(cells, i, value);
        case Width::four: return store<std::int32_t>(cells, i, value);
    }
}

// Moves the cells after i one place down.
void close_up(std::byte* cells, std::size_t width, std::size_t i, std::size_t n) {
    std::memmove(cells + i * width, cells + (i + 1) * width, (n - i - 1) * width);
}

}  // namespace

Weights::Weights(const double* weights, std::size_t n) : exact(weights, weights + n) {
    const double highest = n == 0 ? 0.0 : *std::max_element(exact.begin(), exact.end());
    for (const double weight : exact) estimates.push_back(highest > 0.0 ? static_cast<float>(weight / highest) : 0.0F);
    tolerance = 2.0 * (16.0 + static_cast<double>(n)) / (1 << 24);
}

FreeRows::FreeRows(const Columns& columns, const Subjects& subjects, Team& team)
    : columns_(columns), subjects_(subjects), team_(team), n_free_(columns.n_rows()) {
    const auto n = static_cast<std::size_t>(n_free_);
    const std::size_t n_blocks = (n + block_size - 1) / block_size;
    ids_ = Buffer<std::int32_t>(n_blocks * block_size);
    cost_ = Buffer<std::int32_t>(n_blocks * block_size);
    block_of_row_.assign(n, -1);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        // One code more than there are values, for missing ones.
        add_lane(columns[c].kind == Kind::line ? std::numeric_limits<std::int32_t>::max() : columns[c].n_values + 1);
    }
    if (subjects.given()) add_lane(std::numeric_limits<std::int32_t>::max());
    for (auto& lane : lanes_)
        lane.cells = Buffer<std::byte>(n_blocks * block_size * static_cast<std::size_t>(lane.width));
    std::vector<std::int32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    fill(all);
}

void FreeRows::add_lane(std::int32_t n_codes) {
    Lane lane;
    lane.width = n_codes <= 1 << 8 ? Width::one : n_codes <= 1 << 16 ? Width::two : Width::four;
    lanes_.push_back(std::move(lane));
}

void FreeRows::fill(const std::vector<std::int32_t>& rows) {
    const std::size_t n_blocks = (rows.size() + block_size - 1) / block_size;
    n_in_block_.assign(n_blocks, block_size);
    if (n_blocks > 0) n_in_block_.back() = rows.size() - (n_blocks - 1) * block_size;
    least_in_block_.assign(n_blocks, barred_cost);
    estimate_in_block_.assign(n_blocks, -1.0F);
    distance_in_block_.assign(n_blocks, -1.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ids_[i] = rows[i];
        block_of_row_[static_cast<std::size_t>(rows[i])] = static_cast<std::int32_t>(i / block_size);
    }
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) fill_lane(lane, rows);
}

void FreeRows::fill_lane(std::size_t lane, const std::vector<std::int32_t>& rows) {
    Lane& target = lanes_[lane];
    target.lowest.assign(n_blocks(), std::numeric_limits<std::int32_t>::max());
    target.highest.assign(n_blocks(), std::numeric_limits<std::int32_t>::min());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int32_t value = cell(lane, rows[i]);
        store(target.width, target.cells.data(), i, value);
        auto& lowest = target.lowest[i / block_size];
        auto& highest = target.highest[i / block_size];
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    }
}

std::int32_t FreeRows::cell(std::size_t lane, std::int32_t row) const {
    if (lane == columns_.size()) return subjects_.codes()[static_cast<std::size_t>(row)];
    return lane_value(columns_[lane], columns_[lane].values[static_cast<std::size_t>(row)]);
}

void FreeRows::remove(std::int32_t row) {
    const auto b = static_cast<std::size_t>(block_of_row_[static_cast<std::size_t>(row)]);
    const std::size_t begin = b * block_size, n = n_in_block_[b];
    std::int32_t* ids = ids_.data() + begin;
    const auto i = static_cast<std::size_t>(std::lower_bound(ids, ids + n, row) - ids);
    for (auto& lane : lanes_) close_up(lane.block(b), static_cast<std::size_t>(lane.width), i, n);
    close_up(reinterpret_cast<std::byte*>(ids), sizeof(std::int32_t), i, n);
    close_up(reinterpret_cast<std::byte*>(cost_.data() + begin), sizeof(std::int32_t), i, n);
    block_of_row_[static_cast<std::size_t>(row)] = -1;
    --n_in_block_[b];
    --n_free_;
    touched_block_ = b;
}

void FreeRows::forget_costs() {
    // Half-empty blocks waste the loops' start-up time. Between two classes no cost has to move along.
    if (static_cast<std::size_t>(n_free_) * 4 < n_blocks() * block_size * 3) fill(rows());
    std::fill_n(cost_.data(), n_blocks() * block_size, lowest_cost);
    for (std::size_t b = 0; b < n_blocks(); ++b) least_in_block_[b] = n_in_block_[b] > 0 ? lowest_cost : barred_cost;
}

template <class Body>
void FreeRows::for_each_block(Body&& body) {
    auto part = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b) body(static_cast<std::size_t>(b));
    };
    const auto n = static_cast<std::int64_t>(n_blocks());
    if (n_blocks() < n_blocks_worth_sharing) {
        part(0, n);
    } else {
        team_.run(n, part);
    }
}

void FreeRows::apply(const std::vector<Step>& steps) {
    const std::size_t b = touched_block_;
    least_in_block_[b] = n_in_block_[b] > 0 ? least(cost_.data() + b * block_size, n_in_block_[b]) : barred_cost;
    if (!steps.empty()) for_each_block([&](std::size_t block) { apply_to_block(steps, block); });
}

void FreeRows::apply_to_block(const std::vector<Step>& steps, std::size_t b) {
    const std::size_t n = n_in_block_[b];
    if (n == 0) return;
    for (const Step& step : steps) {
        const Lane& lane = lanes_[step.lane];
        if (step.spares(lane.lowest[b], lane.highest[b])) continue;
        least_in_block_[b] = apply_step(step, lane.width, lane.block(b), cost_.data() + b * block_size, n);
    }
}

std::int32_t FreeRows::cheapest() const {
    const auto best = std::min_element(least_in_block_.begin(), least_in_block_.end());
    const auto b = static_cast<std::size_t>(best - least_in_block_.begin());
    return ids_[b * block_size + find(cost_.data() + b * block_size, n_in_block_[b], *best)];
}

// The distances of a block's rows from `from`, columns added in order. Returns the greatest, or -1 in an empty block.
template <class Real>
Real FreeRows::measure_block(std::size_t b, std::int32_t from, const std::vector<Real>& weights, Real* total) const {
    const std::size_t n = n_in_block_[b];
    if (n == 0) return Real{-1};
    std::fill_n(total, n, Real{0});
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const Lane& lane = lanes_[c];
        const std::int32_t value = cell(c, from);
        // Where all positions are equal, or nothing is known of `from`, rows differ only by being known or not.
        if (columns_[c].kind != Kind::line || columns_[c].full == 0 || value == unknown_position) {
            add_mismatch(lane.width, lane.block(b), value, weights[c], total, n);
        } else {
            add_square(lane.block(b), value, unknown_position, columns_[c].full, weights[c], total, n);
        }
    }
    return greatest(total, n);
}

std::int32_t FreeRows::furthest(std::int32_t from, const Weights& weights) {
    for_each_block([&](std::size_t b) {
        alignas(64) float total[block_size];
        estimate_in_block_[b] = measure_block(b, from, weights.estimates, total);
    });
    // Whatever the estimates' errors, the furthest row is in a block whose estimate reaches the bound.
    const float highest = *std::max_element(estimate_in_block_.begin(), estimate_in_block_.end());
    const double bound = highest * (1.0 - weights.tolerance) - Weights::underflow;
    for_each_block([&](std::size_t b) {
        alignas(64) double total[block_size];
        distance_in_block_[b] = estimate_in_block_[b] < bound ? -1.0 : measure_block(b, from, weights.exact, total);
    });
    const auto best = std::max_element(distance_in_block_.begin(), distance_in_block_.end());
    const auto b = static_cast<std::size_t>(best - distance_in_block_.begin());
    alignas(64) double total[block_size];
    measure_block(b, from, weights.exact, total);
    return ids_[b * block_size + static_cast<std::size_t>(std::find(total, total + n_in_block_[b], *best) - total)];
}

std::vector<std::int32_t> FreeRows::rows() const {
    std::vector<std::int32_t> result;
    result.reserve(static_cast<std::size_t>(n_free_));
    for (std::size_t b = 0; b < n_blocks(); ++b) {
        const auto* begin = ids_.data() + b * block_size;
        result.insert(result.end(), begin, begin + n_in_block_[b]);
    }
    return result;
}

}  // namespace celosia
