#include "node_sets.hpp"

#include <algorithm>
#include <numeric>

namespace celosia {

namespace {

// Beyond that, counting the values takes longer than comparing them.
constexpr std::size_t most_values_per_row = 4;

}  // namespace

void NodeSets::build(const std::vector<std::vector<std::int32_t>>& lanes, std::size_t n_least_rows, Random& random) {
    n_least_rows_ = n_least_rows;
    bits_.clear();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        n_words_ = (lanes[c].size() + 63) / 64;
        build_column(c, lanes[c], random);
    }
}

void NodeSets::build_column(std::size_t c, const std::vector<std::int32_t>& lane, Random& random) {
    nodes_[c].clear();
    if (columns_[c].kind == Kind::bag) {
        shuffle_codes(lane, random);
        sort_rows(keys_);
    } else {
        sort_rows(lane);
    }
    const std::size_t n = order_.size();
    std::size_t n_missing = 0;
    while (n_missing < n && keys_[n_missing] == missing) ++n_missing;
    const bool is_mixed = n_missing > 0 && n_missing < n;
    std::int32_t of_missing = -1, of_known = -1;
    if (n_missing >= n_least_rows_) of_missing = add(c, 0, n_missing, 0);
    if (n_missing < n)
        of_known = columns_[c].kind == Kind::tree ? climb(c, n_missing, n) : halve(c, n_missing, n, random);
    if (!is_mixed) return;
    const std::int32_t all = add(c, 0, n, columns_[c].full);
    adopt(c, of_missing, all);
    adopt(c, of_known, all);
}

// order_: the rows by value, equal ones as they came; keys_: their values.
void NodeSets::sort_rows(const std::vector<std::int32_t>& lane) {
    const std::size_t n = lane.size();
    const auto [lowest, highest] = std::minmax_element(lane.begin(), lane.end());
    const std::int32_t first = *lowest;
    const auto n_values = static_cast<std::size_t>(*highest - first) + 1;
    order_.resize(n);
    if (n_values <= most_values_per_row * n) {
        starts_.assign(n_values + 1, 0);
        for (const std::int32_t value : lane) ++starts_[static_cast<std::size_t>(value - first) + 1];
        for (std::size_t i = 0; i < n_values; ++i) starts_[i + 1] += starts_[i];
        for (std::size_t i = 0; i < n; ++i)
            order_[starts_[static_cast<std::size_t>(lane[i] - first)]++] = static_cast<std::int32_t>(i);
    } else {
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(), [&lane](auto i, auto j) {
            const std::int32_t a = lane[static_cast<std::size_t>(i)], b = lane[static_cast<std::size_t>(j)];
            return a < b || (a == b && i < j);
        });
    }
    sorted_.resize(n);
    for (std::size_t i = 0; i < n; ++i) sorted_[i] = lane[static_cast<std::size_t>(order_[i])];
    keys_.swap(sorted_);
}

// keys_: the codes of all rows, numbered at random.
void NodeSets::shuffle_codes(const std::vector<std::int32_t>& lane, Random& random) {
    codes_ = lane;
    std::sort(codes_.begin(), codes_.end());
    codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
    if (!codes_.empty() && codes_.front() == missing) codes_.erase(codes_.begin());
    rank_.resize(codes_.size());
    for (std::size_t i = 0; i < rank_.size(); ++i) {
        const std::size_t j = random.below(i + 1);
        rank_[i] = rank_[j];
        rank_[j] = static_cast<std::int32_t>(i);
    }
    keys_.resize(lane.size());
    for (std::size_t i = 0; i < lane.size(); ++i) {
        const auto at = std::lower_bound(codes_.begin(), codes_.end(), lane[i]) - codes_.begin();
        keys_[i] = lane[i] == missing ? missing : rank_[static_cast<std::size_t>(at)];
    }
}

// The nodes of a hierarchy, level by level. Returns the one over all of these rows.
std::int32_t NodeSets::climb(std::size_t c, std::size_t begin, std::size_t end) {
    const Tree& tree = columns_[c].tree;
    runs_.clear();
    for (std::size_t first = begin, last = begin; first < end; first = last) {
        while (last < end && keys_[last] <= tree.last[tree.at(0, keys_[first])]) ++last;
        const bool is_enough = last - first >= n_least_rows_;
        runs_.push_back({first, last, is_enough ? add(c, first, last, tree.loss[tree.at(0, keys_[first])]) : -1});
    }
    for (std::size_t level = 1; level < tree.n_levels && runs_.size() > 1; ++level) {
        std::size_t n_kept = 0;
        for (std::size_t i = 0, j = 0; i < runs_.size(); i = j) {
            const std::int32_t last = tree.last[tree.at(level, keys_[runs_[i].begin])];
            while (j < runs_.size() && keys_[runs_[j].begin] <= last) ++j;
            Run own{runs_[i].begin, runs_[j - 1].end, runs_[i].node};
            if (j - i > 1) {
                const bool is_enough = own.end - own.begin >= n_least_rows_;
                own.node = is_enough ? add(c, own.begin, own.end, tree.loss[tree.at(level, keys_[own.begin])]) : -1;
                for (std::size_t k = i; k < j; ++k) adopt(c, runs_[k].node, own.node);
            }
            runs_[n_kept++] = own;
        }
        runs_.resize(n_kept);
    }
    return runs_[0].node;
}

// A random binary tree of these rows, cut between values. Returns the node over all of them.
std::int32_t NodeSets::halve(std::size_t c, std::size_t begin, std::size_t end, Random& random) {
    if (end - begin < n_least_rows_) return -1;
    const std::int32_t loss = loss_between(c, begin, end);
    if (keys_[begin] == keys_[end - 1]) return add(c, begin, end, loss);
    const float share = 0.2F + 0.6F * random.real();
    std::size_t middle = begin + static_cast<std::size_t>(share * static_cast<float>(end - begin));
    if (keys_[middle] == keys_[begin]) {
        while (keys_[middle] == keys_[begin]) ++middle;
    } else {
        while (keys_[middle - 1] == keys_[middle]) --middle;
    }
    const std::int32_t left = halve(c, begin, middle, random), right = halve(c, middle, end, random);
    const std::int32_t both = add(c, begin, end, loss);
    adopt(c, left, both);
    adopt(c, right, both);
    return both;
}

std::int32_t NodeSets::loss_between(std::size_t c, std::size_t begin, std::size_t end) const {
    if (columns_[c].kind == Kind::line) return keys_[end - 1] - keys_[begin];
    return (keys_[end - 1] - keys_[begin]) * columns_[c].unit;  // ranks have no gaps
}

std::int32_t NodeSets::add(std::size_t c, std::size_t begin, std::size_t end, std::int32_t loss) {
    const std::size_t first = bits_.size();
    bits_.resize(first + n_words_, 0);
    for (std::size_t i = begin; i < end; ++i) {
        const auto row = static_cast<std::size_t>(order_[i]);
        bits_[first + row / 64] |= Bits{1} << (row % 64);
    }
    nodes_[c].push_back({loss, -1, first});
    return static_cast<std::int32_t>(nodes_[c].size()) - 1;
}

void NodeSets::adopt(std::size_t c, std::int32_t child, std::int32_t parent) {
    if (child >= 0) nodes_[c][static_cast<std::size_t>(child)].parent = parent;
}

}  // namespace celosia
