// Two classes at once. In a sparse graph a class alone saves nothing: it takes another that it is linked with. k and k
// vertices with more than half of the links between them do, such as a path of 4 (k = 2) or a tree of 6 (k = 3).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph_twin_state.hpp"

namespace celosia {

template <class Counts>
class TwinPairs : public TwinState<Counts> {
   public:
    using Base = TwinState<Counts>;

    TwinPairs(const TwinSearch& search, std::size_t n_slots, std::uint64_t seed)
        : Base(search, n_slots, seed), other_links_(search.task.n_vertices, 0) {}

   protected:
    using typename Base::Vertices;
    using Base::n_most_by_hub, Base::place, Base::random_, Base::shared_, Base::task_;

    // Gathers k vertices around v and k that they are linked with, of those that may be taken, the most linked one after
    // the other. Empty unless filling the pairs between them is cheaper than emptying them.
    template <class MayTake>
    std::array<Vertices, 2> gather_two(std::size_t v, const MayTake& may_take) {
        const bool is_out = !task_.directed() || random_.below(2) == 0;
        const std::array<const TwinRows*, 2> rows{is_out ? &task_.out : &task_.into,
                                                  task_.directed() && is_out ? &task_.into : &task_.out};
        std::array<Vertices, 2> sides, seen;
        std::int64_t n_links = 0;
        take(static_cast<std::int32_t>(v), 0, *rows[0], sides, seen);
        for (std::int64_t i = 1; i < 2 * task_.k; ++i) {
            const std::size_t own = i % 2 == 1 ? 1 : 0;
            const std::int32_t u = most_linked(own, sides, seen[own], may_take);
            if (u < 0) break;
            n_links += links(own)[place(u)];
            take(u, own, *rows[own], sides, seen);
        }
        for (std::size_t own = 0; own < 2; ++own) {
            for (const std::int32_t u : seen[own]) links(own)[place(u)] = 0;
        }
        const auto k = static_cast<std::size_t>(task_.k);
        const std::int64_t n_pairs = task_.k * task_.k;
        const bool is_worth = sides[0].size() == k && sides[1].size() == k &&
                              task_.add_cost * (n_pairs - n_links) < task_.delete_cost * n_links;
        if (!is_worth) sides = {};
        return sides;
    }

   private:
    // How many links a vertex has with the side across from the one that it would be on.
    Vertices& links(std::size_t own) { return own == 0 ? shared_ : other_links_; }

    void take(std::int32_t v, std::size_t own, const TwinRows& rows, std::array<Vertices, 2>& sides,
              std::array<Vertices, 2>& seen) {
        sides[own].push_back(v);
        auto across = rows.of(place(v));
        if (across.size() > n_most_by_hub)
            across = across.subspan(random_.below(across.size() - n_most_by_hub + 1), n_most_by_hub);
        for (const std::int32_t u : across) {
            if (links(1 - own)[place(u)]++ == 0) seen[1 - own].push_back(u);
        }
    }

    // Of equals the first from a random place on: lists begin with the same vertices everywhere.
    template <class MayTake>
    std::int32_t most_linked(std::size_t own, const std::array<Vertices, 2>& sides, const Vertices& seen,
                             const MayTake& may_take) {
        std::int32_t best = -1, most = 0;
        const std::size_t first = seen.empty() ? 0 : random_.below(seen.size());
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const std::int32_t u = seen[(first + i) % seen.size()];
            const std::int32_t n = links(own)[place(u)];
            if (n <= most || contains(sides[0], u) || contains(sides[1], u) || !may_take(place(u))) continue;
            if (!sides[own].empty() && task_.kinds[place(u)] != task_.kinds[place(sides[own][0])]) continue;
            most = n;
            best = u;
        }
        return best;
    }

    static bool contains(const Vertices& side, std::int32_t u) {
        return std::find(side.begin(), side.end(), u) != side.end();
    }

    Vertices other_links_;
};

}  // namespace celosia
