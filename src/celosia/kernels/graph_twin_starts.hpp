// Where a search for classes of twins starts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph_twin_pairs.hpp"

namespace celosia {

template <class Counts>
class TwinStarts : public TwinPairs<Counts> {
   public:
    using Base = TwinPairs<Counts>;
    using Base::Base;

   protected:
    using typename Base::Vertices;
    using Base::best_class, Base::classes_, Base::degree, Base::gather_two, Base::is_large_, Base::is_spare, Base::look_around, Base::move,
        Base::place, Base::put, Base::search_, Base::shared_, Base::shuffled, Base::task_;

    // The classes given, or classes of vertices that are alike; natural: those that are most so first, in any number.
    void begin(const std::int32_t* start, bool natural) {
        if (start != nullptr) {
            load(start);
        } else {
            if (natural || is_large_) group_twins();
            if (is_large_ && !task_.closed) group_two();
            group_alike();
        }
        fill_pools();
    }

   private:
    void load(const std::int32_t* start) {
        Vertices slot_of(task_.n_vertices, -1);
        for (std::size_t v = 0; v < task_.n_vertices; ++v) {
            std::int32_t slot = start[v];
            if (!classes_.is_pool(place(slot))) {
                std::int32_t& own = slot_of[place(slot)];
                if (own < 0) own = classes_.free_slot();
                slot = own;
            }
            put(v, place(slot));
        }
    }

    // Classes of k vertices and more that have most of their neighbours in common.
    void group_twins() {
        for (const auto& vertices : search_.of_kind) {
            for (const std::int32_t v : shuffled(vertices)) {
                if (classes_.label(place(v)) >= 0) continue;
                if (search_.is_over()) return;
                const Vertices twins = most_alike(place(v), task_.n_vertices, true);
                if (static_cast<std::int64_t>(twins.size()) + 1 >= task_.k) open(v, twins);
            }
        }
    }

    // Classes of k vertices, two by two.
    void group_two() {
        for (const auto& vertices : search_.of_kind) {
            for (const std::int32_t v : shuffled(vertices)) {
                if (classes_.label(place(v)) >= 0) continue;
                if (search_.is_over()) return;
                const auto sides = gather_two(place(v), [this](std::size_t u) { return classes_.label(u) < 0; });
                for (const Vertices& side : sides) {
                    const auto slot = classes_.free_slot();
                    for (const std::int32_t u : side) put(place(u), place(slot));
                }
            }
        }
    }

    // Classes of k vertices, each with those that share most with it; what is left over goes to the pool.
    void group_alike() {
        const auto k = static_cast<std::size_t>(task_.k);
        for (const auto& vertices : search_.of_kind) {
            if (vertices.empty()) continue;
            Vertices left;
            std::size_t n_left = 0;
            for (const std::int32_t v : vertices) n_left += classes_.label(place(v)) < 0 ? 1 : 0;
            for (const std::int32_t v : shuffled(vertices)) {
                if (classes_.label(place(v)) >= 0) continue;
                Vertices twins;
                if (n_left >= 2 * k && !search_.is_over()) twins = most_alike(place(v), k - 1, false);
                if (twins.size() + 1 == k) {
                    open(v, twins);
                    n_left -= k;
                } else {
                    left.push_back(v);
                }
            }
            leave(left, task_.pools[task_.kinds[place(vertices[0])]]);
        }
    }

    void open(std::int32_t v, const Vertices& others) {
        const auto slot = place(classes_.free_slot());
        put(place(v), slot);
        for (const std::int32_t u : others) put(place(u), slot);
    }

    // Without a pool, vertices that are left over make classes of k as they come.
    void leave(const Vertices& left, std::int32_t pool) {
        std::size_t n_free = 0;
        for (const std::int32_t v : left) n_free += classes_.label(place(v)) < 0 ? 1 : 0;
        std::int32_t slot = pool;
        for (const std::int32_t v : left) {
            if (classes_.label(place(v)) >= 0) continue;
            const bool is_full = slot < 0 || classes_.size(place(slot)) >= task_.k;
            if (pool < 0 && is_full) slot = n_free >= place(static_cast<std::int32_t>(task_.k)) ? classes_.free_slot() : -1;
            put(place(v), slot >= 0 ? place(slot) : best_class(place(v)));
            --n_free;
        }
    }

    // The free vertices of the kind that differ least in their neighbours; those that share none are not seen.
    Vertices most_alike(std::size_t v, std::size_t n, bool mostly) {
        const Vertices found = look_around(v, true);
        std::vector<std::pair<std::int64_t, std::int32_t>> ranked;
        for (const std::int32_t u : found) {
            const std::int64_t n_shared = shared_[place(u)], n_own = degree(v), n_other = degree(place(u));
            shared_[place(u)] = 0;
            if (!mostly || 2 * n_shared > std::max(n_own, n_other)) ranked.emplace_back(n_other - 2 * n_shared, u);
        }
        n = std::min(n, ranked.size());
        std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(n), ranked.end());
        Vertices nearest;
        for (std::size_t i = 0; i < n; ++i) nearest.push_back(ranked[i].second);
        return nearest;
    }

    // Gives pools that have too few vertices those that can be spared, or else whole classes.
    void fill_pools() {
        for (std::size_t pool = 0; pool < task_.n_pools; ++pool) {
            Vertices others;
            for (std::size_t kind = 0; kind < task_.n_kinds && classes_.is_small(pool); ++kind) {
                if (task_.pools[kind] != static_cast<std::int32_t>(pool)) continue;
                for (const std::int32_t v : search_.of_kind[kind]) {
                    if (classes_.label(place(v)) != static_cast<std::int32_t>(pool)) others.push_back(v);
                }
            }
            others = shuffled(std::move(others));
            for (const std::int32_t v : others) {
                if (classes_.is_small(pool) && is_spare(place(v))) move(place(v), pool);
            }
            for (const std::int32_t v : others) {
                const auto own = place(classes_.label(place(v)));
                if (!classes_.is_small(pool) || own == pool) continue;
                const Vertices members = classes_.members(own);
                for (const std::int32_t u : members) move(place(u), pool);
            }
        }
    }
};

}  // namespace celosia
