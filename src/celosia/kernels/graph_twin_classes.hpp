// A partition of the vertices, what it saves against emptying the graph, and what a vertex would add to a class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph_twin_counts.hpp"
#include "graph_twins.hpp"

namespace celosia {

// Slots 0 .. n_pools - 1 are the pools: their vertices keep no links. The others are classes, or free.
template <class Counts>
class TwinClasses {
   public:
    TwinClasses(const TwinTask& task, std::size_t n_slots)
        : task_(task),
          add_cost_(task.add_cost),
          delete_cost_(task.delete_cost),
          counts_(n_slots),
          labels_(task.n_vertices, -1),
          places_(task.n_vertices, 0),
          members_(n_slots),
          sizes_(n_slots, 0),
          kinds_(n_slots, -1),
          inner_(n_slots, 0),
          loops_(n_slots, 0),
          links_(n_slots) {
        for (std::size_t slot = n_slots; slot > task.n_pools; --slot)
            free_.push_back(static_cast<std::int32_t>(slot - 1));
    }

    std::int32_t label(std::size_t v) const { return labels_[v]; }
    const std::vector<std::int32_t>& labels() const { return labels_; }
    std::size_t n_slots() const { return sizes_.size(); }
    std::int64_t size(std::size_t slot) const { return sizes_[slot]; }
    std::int32_t kind(std::size_t slot) const { return kinds_[slot]; }
    const std::vector<std::int32_t>& members(std::size_t slot) const { return members_[slot]; }
    bool is_pool(std::size_t slot) const { return slot < task_.n_pools; }
    bool is_small(std::size_t slot) const { return sizes_[slot] > 0 && sizes_[slot] < task_.k; }
    std::int64_t n_small() const { return n_small_; }
    // A slot where a new class may be opened; -1 if there is none.
    std::int32_t free_slot() const { return free_.empty() ? -1 : free_.back(); }

    void set_costs(std::int64_t add_cost, std::int64_t delete_cost) {
        add_cost_ = add_cost;
        delete_cost_ = delete_cost;
    }

    // Whether a vertex may be in the slot, sizes aside.
    bool is_open_to(std::size_t v, std::size_t slot) const {
        const std::int32_t own = task_.kinds[v];
        if (is_pool(slot)) return task_.pools[own] == static_cast<std::int32_t>(slot);
        return sizes_[slot] == 0 || kinds_[slot] == own;
    }

    // Counts the links of a vertex that is in no class. What is asked about it afterwards refers to these.
    void look_at(std::size_t v) {
        for (const std::int32_t slot : touched_) links_[static_cast<std::size_t>(slot)] = {};
        touched_.clear();
        vertex_ = v;
        for (const std::int32_t u : task_.out.of(v)) touch(labels_[static_cast<std::size_t>(u)]).out += 1;
        if (!task_.directed()) return;
        for (const std::int32_t u : task_.into.of(v)) touch(labels_[static_cast<std::size_t>(u)]).into += 1;
    }

    // Takes a vertex out of its class and looks at it.
    void remove(std::size_t v) {
        const auto slot = static_cast<std::size_t>(labels_[v]);
        drop_member(v, slot);
        look_at(v);
        change(slot, -1);
        --sizes_[slot];
        n_small_ += small(slot) - (sizes_[slot] + 1 < task_.k ? 1 : 0);
        if (sizes_[slot] == 0 && !is_pool(slot)) free_.push_back(static_cast<std::int32_t>(slot));
    }

    // Puts the vertex that is looked at into a class.
    void insert(std::size_t slot) {
        const std::size_t v = vertex_;
        if (sizes_[slot] == 0 && !is_pool(slot)) {
            if (free_.back() != static_cast<std::int32_t>(slot))
                std::iter_swap(std::find(free_.begin(), free_.end(), static_cast<std::int32_t>(slot)), free_.end() - 1);
            free_.pop_back();
            kinds_[slot] = task_.kinds[v];
        }
        change(slot, 1);
        n_small_ -= small(slot);
        ++sizes_[slot];
        n_small_ += small(slot);
        labels_[v] = static_cast<std::int32_t>(slot);
        places_[v] = static_cast<std::int32_t>(members_[slot].size());
        members_[slot].push_back(static_cast<std::int32_t>(v));
    }

    // What is saved if the vertex that is looked at joins the class, sizes aside; negative where it costs.
    std::int64_t gain(std::size_t slot) {
        if (is_pool(slot)) return 0;
        const std::int64_t n = sizes_[slot], worth = add_cost_ + delete_cost_;
        const BlockCount own = links_[slot];
        links_[slot] = {};
        std::int64_t sum = inner_gain(slot, n + 1, inner_[slot] + own.out + own.into, loops_[slot] + loop(vertex_)) -
                           inner_gain(slot, n, inner_[slot], loops_[slot]);
        const auto block = [&](BlockCount cell, BlockCount more, std::int64_t n_other) {
            const std::int64_t before = add_cost_ * n * n_other, after = before + add_cost_ * n_other;
            sum += std::max<std::int64_t>(0, worth * (cell.out + more.out) - after) -
                   std::max<std::int64_t>(0, worth * cell.out - before);
            if (task_.directed())
                sum += std::max<std::int64_t>(0, worth * (cell.into + more.into) - after) -
                       std::max<std::int64_t>(0, worth * cell.into - before);
        };
        if constexpr (Counts::is_dense) {
            const BlockCount* row = counts_.row(slot);
            for (std::size_t other = task_.n_pools; other < n_slots(); ++other)
                block(row[other], links_[other], sizes_[other]);
        } else {
            counts_.each(slot, [&](std::size_t other, BlockCount cell) { block(cell, links_[other], sizes_[other]); });
            for (const std::int32_t touched : touched_) {
                const auto other = static_cast<std::size_t>(touched);
                const BlockCount cell = counts_.at(slot, other);
                if (cell.out == 0 && cell.into == 0) block({}, links_[other], sizes_[other]);
            }
        }
        links_[slot] = own;
        return sum;
    }

    // What the links of a class save, those within and those with others.
    std::int64_t worth(std::size_t slot) const { return inner(slot) + outer(slot); }

    // What the whole partition saves, counted anew.
    std::int64_t total() const {
        std::int64_t sum = 0, twice = 0;
        for (std::size_t slot = task_.n_pools; slot < n_slots(); ++slot) {
            sum += inner(slot);
            twice += outer(slot);
        }
        return sum + twice / 2;
    }

   private:
    std::int64_t small(std::size_t slot) const { return is_small(slot) ? 1 : 0; }
    std::int64_t loop(std::size_t v) const { return task_.loops != nullptr && task_.loops[v] != 0 ? 1 : 0; }

    std::int64_t inner(std::size_t slot) const {
        return inner_gain(slot, sizes_[slot], inner_[slot], loops_[slot]);
    }

    std::int64_t outer(std::size_t slot) const {
        std::int64_t sum = 0;
        counts_.each(slot, [&](std::size_t other, BlockCount cell) {
            const std::int64_t full = add_cost_ * sizes_[slot] * sizes_[other], worth = add_cost_ + delete_cost_;
            sum += std::max<std::int64_t>(0, worth * cell.out - full);
            if (task_.directed()) sum += std::max<std::int64_t>(0, worth * cell.into - full);
        });
        return sum;
    }

    BlockCount& touch(std::int32_t slot) {
        static thread_local BlockCount nowhere;
        if (slot < static_cast<std::int32_t>(task_.n_pools)) return nowhere = {};
        BlockCount& count = links_[static_cast<std::size_t>(slot)];
        if (count.out == 0 && count.into == 0) touched_.push_back(slot);
        return count;
    }

    void drop_member(std::size_t v, std::size_t slot) {
        auto& members = members_[slot];
        const std::int32_t last = members.back();
        members[static_cast<std::size_t>(places_[v])] = last;
        places_[static_cast<std::size_t>(last)] = places_[v];
        members.pop_back();
        labels_[v] = -1;
    }

    void change(std::size_t slot, std::int32_t sign) {
        loops_[slot] += sign * loop(vertex_);
        if (is_pool(slot)) return;
        for (const std::int32_t touched : touched_) {
            const auto other = static_cast<std::size_t>(touched);
            const BlockCount count = links_[other];
            if (other == slot) {
                inner_[slot] += sign * (count.out + count.into);
                continue;
            }
            const std::int32_t out = sign * count.out, into = sign * count.into;
            counts_.add(slot, other, out, into);
            counts_.add(other, slot, task_.directed() ? into : out, task_.directed() ? out : into);
        }
    }

    std::int64_t inner_gain(std::size_t slot, std::int64_t n, std::int64_t n_inner, std::int64_t n_loops) const {
        if (is_pool(slot) || n == 0) return 0;
        const std::int64_t n_pairs = task_.directed() ? n * (n - 1) : n * (n - 1) / 2;
        if (task_.closed) return delete_cost_ * n_inner - add_cost_ * (n_pairs - n_inner);
        if (n_loops < n) return 0;  // linked open twins would need loops, and none is added
        return std::max<std::int64_t>(0, delete_cost_ * (n_inner + n_loops) - add_cost_ * (n_pairs - n_inner));
    }

    const TwinTask& task_;
    std::int64_t add_cost_, delete_cost_;
    Counts counts_;
    std::vector<std::int32_t> labels_, places_;
    std::vector<std::vector<std::int32_t>> members_;
    std::vector<std::int64_t> sizes_;
    std::vector<std::int32_t> kinds_;
    std::vector<std::int64_t> inner_, loops_;
    std::vector<BlockCount> links_;  // of the vertex that is looked at, per class
    std::vector<std::int32_t> touched_, free_;
    std::size_t vertex_ = 0;
    std::int64_t n_small_ = 0;
};

}  // namespace celosia
