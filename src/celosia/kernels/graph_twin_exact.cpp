#include "graph_twin_exact.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace celosia {

namespace {

// Vertices are placed one after the other, those with most links first. What the placed ones cost among themselves is
// never more than what the whole costs: the nearest graph of the whole, cut down to them, is one of theirs.
class Branching {
   public:
    Branching(const TwinTask& task, std::int64_t bound, std::int64_t n_nodes, double seconds, Pulse& pulse)
        : task_(task),
          n_(task.n_vertices),
          bound_(bound),
          n_nodes_(n_nodes),
          seconds_(seconds),
          pulse_(pulse),
          order_(n_),
          out_(n_, 0),
          into_(n_, 0),
          members_(task.n_pools, 0),
          kinds_(task.n_pools, -1),
          n_waiting_(task.n_kinds, 0) {
        std::iota(order_.begin(), order_.end(), 0);
        for (std::size_t v = 0; v < n_; ++v) {
            for (const std::int32_t u : task.out.of(v)) out_[v] |= bit(u);
            for (const std::int32_t u : (task.directed() ? task.into : task.out).of(v)) into_[v] |= bit(u);
            ++n_waiting_[static_cast<std::size_t>(task.kinds[v])];
        }
        std::stable_sort(order_.begin(), order_.end(), [this](std::int32_t x, std::int32_t y) {
            return n_links(static_cast<std::size_t>(x)) > n_links(static_cast<std::size_t>(y));
        });
    }

    TwinOptimum run() {
        TwinOptimum result;
        is_cut_ = false;
        place_next(0, 0);
        result.labels = best_;
        result.is_proved = !is_cut_;
        return result;
    }

   private:
    using Mask = std::uint64_t;

    static Mask bit(std::int32_t v) { return Mask{1} << v; }
    static std::int64_t count(Mask mask) { return std::popcount(mask); }
    int n_links(std::size_t v) const { return std::popcount(out_[v]) + std::popcount(into_[v]); }

    void place_next(std::size_t depth, std::int64_t cost) {
        if (cost >= bound_ || is_cut_) return;
        if (depth == n_) {
            bound_ = cost;
            keep();
            return;
        }
        if (--n_nodes_ < 0 || (n_nodes_ % 4096 == 0 && is_late())) {
            is_cut_ = true;
            return;
        }
        const auto v = static_cast<std::size_t>(order_[depth]);
        const std::int32_t kind = task_.kinds[v];
        --n_waiting_[static_cast<std::size_t>(kind)];
        for (std::size_t slot = 0; slot < members_.size(); ++slot) {
            const bool is_pool = slot < task_.n_pools;
            if (is_pool ? task_.pools[kind] == static_cast<std::int32_t>(slot) : kinds_[slot] == kind)
                try_slot(v, slot, depth, cost);
        }
        members_.push_back(0);
        kinds_.push_back(kind);
        try_slot(v, members_.size() - 1, depth, cost);
        members_.pop_back();
        kinds_.pop_back();
        ++n_waiting_[static_cast<std::size_t>(kind)];
    }

    void try_slot(std::size_t v, std::size_t slot, std::size_t depth, std::int64_t cost) {
        const std::int64_t before = cost_of(slot);
        members_[slot] |= bit(static_cast<std::int32_t>(v));
        placed_ |= bit(static_cast<std::int32_t>(v));
        if (can_be_filled()) {
            // Blocks with other classes change with both; links of pools are counted once, from the vertex placed.
            place_next(depth + 1, cost + cost_of(slot) - before + links_to_pools(v, slot));
        }
        members_[slot] &= ~bit(static_cast<std::int32_t>(v));
        placed_ &= ~bit(static_cast<std::int32_t>(v));
    }

    // Whether the vertices not yet placed suffice for the classes that are too small.
    bool can_be_filled() const {
        std::int64_t n_waiting = std::accumulate(n_waiting_.begin(), n_waiting_.end(), std::int64_t{0});
        std::array<std::int64_t, 64> missing{};
        for (std::size_t slot = 0; slot < members_.size(); ++slot) {
            const std::int64_t n = count(members_[slot]);
            if (n == 0 || n >= task_.k) continue;
            n_waiting -= task_.k - n;
            if (slot >= task_.n_pools) missing[static_cast<std::size_t>(kinds_[slot])] += task_.k - n;
        }
        for (std::size_t kind = 0; kind < task_.n_kinds; ++kind) {
            if (missing[kind] > n_waiting_[kind]) return false;
        }
        return n_waiting >= 0;
    }

    // What a class costs within and with all other classes but pools.
    std::int64_t cost_of(std::size_t slot) const {
        if (slot < task_.n_pools) return 0;
        std::int64_t sum = inner_cost(members_[slot]);
        for (std::size_t other = task_.n_pools; other < members_.size(); ++other) {
            if (other != slot) sum += block_cost(members_[slot], members_[other]);
        }
        return sum;
    }

    std::int64_t block_cost(Mask first, Mask second) const {
        std::int64_t n_out = 0, n_into = 0;
        for (Mask left = first; left != 0; left &= left - 1) {
            const auto v = static_cast<std::size_t>(std::countr_zero(left));
            n_out += count(out_[v] & second);
            n_into += count(into_[v] & second);
        }
        const std::int64_t n_pairs = count(first) * count(second);
        return dearest_left(n_out, n_pairs) + (task_.directed() ? dearest_left(n_into, n_pairs) : 0);
    }

    std::int64_t dearest_left(std::int64_t n_edges, std::int64_t n_pairs) const {
        return std::min(task_.delete_cost * n_edges, task_.add_cost * (n_pairs - n_edges));
    }

    std::int64_t inner_cost(Mask own) const {
        std::int64_t n_edges = 0, n_loops = 0;
        for (Mask left = own; left != 0; left &= left - 1) {
            const auto v = static_cast<std::size_t>(std::countr_zero(left));
            n_edges += count(out_[v] & own);
            n_loops += task_.loops != nullptr && task_.loops[v] != 0 ? 1 : 0;
        }
        const std::int64_t n = count(own);
        std::int64_t n_pairs = n * (n - 1);
        if (!task_.directed()) {
            n_edges /= 2;
            n_pairs /= 2;
        }
        if (task_.closed) return task_.add_cost * (n_pairs - n_edges);
        const std::int64_t emptied = task_.delete_cost * (n_edges + n_loops);
        return n_loops == n ? std::min(emptied, task_.add_cost * (n_pairs - n_edges)) : emptied;
    }

    // Deleted links between the vertex and those placed, if either is in a pool.
    std::int64_t links_to_pools(std::size_t v, std::size_t slot) const {
        Mask pools = 0;
        for (std::size_t pool = 0; pool < task_.n_pools; ++pool) pools |= members_[pool];
        const Mask lost = slot < task_.n_pools ? placed_ : pools;
        std::int64_t n = count(out_[v] & lost) + (task_.directed() ? count(into_[v] & lost) : 0);
        if (slot < task_.n_pools && task_.loops != nullptr && task_.loops[v] != 0) ++n;
        return task_.delete_cost * n;
    }

    bool is_late() const {
        if (pulse_.stopped()) return true;
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() >= seconds_;
    }

    void keep() {
        best_.assign(n_, 0);
        for (std::size_t slot = 0; slot < members_.size(); ++slot) {
            for (Mask left = members_[slot]; left != 0; left &= left - 1)
                best_[static_cast<std::size_t>(std::countr_zero(left))] = static_cast<std::int32_t>(slot);
        }
    }

    const TwinTask& task_;
    const std::size_t n_;
    std::int64_t bound_, n_nodes_;
    const double seconds_;
    Pulse& pulse_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::vector<std::int32_t> order_;
    std::vector<Mask> out_, into_, members_;
    std::vector<std::int32_t> kinds_;
    std::vector<std::int64_t> n_waiting_;  // of each kind: not yet placed
    Mask placed_ = 0;
    bool is_cut_ = false;
    std::vector<std::int32_t> best_;
};

}  // namespace

TwinOptimum cheapest_twins(const TwinTask& task, std::int64_t bound, std::int64_t n_nodes, double seconds,
                           Pulse& pulse) {
    if (task.n_vertices > 64 || task.n_kinds > 64)
        throw std::invalid_argument("an exact search takes at most 64 vertices and kinds");
    return Branching(task, bound, n_nodes, seconds, pulse).run();
}

}  // namespace celosia
