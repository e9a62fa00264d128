// Edits that serve two wants at once, kept up while the wants change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph_degree.hpp"
#include "graph_degree_matching.hpp"
#include "random.hpp"

namespace celosia {

// Every node may want its degree to change. A pair is an edit that both its ends want: it is added between two that want
// more, or deleted between two that want less. A node has at most as many pairs as it wants units.
class WantPairing {
   public:
    WantPairing(const NodePairs& pairs, const DegreeRules& rules, std::uint64_t seed);

    // Forgets all and takes these wants, paired by a greedy choice.
    void start(const Wants& wants);
    // What a node wants from now on; pairs beyond that are given up.
    void want(std::int32_t v, std::int32_t by);
    // Looks for partners for those whose wants or pairs changed.
    void settle();
    // Undoes everything since the last `keep`, or makes it last.
    void drop();
    void keep();

    std::int32_t wanted(std::int32_t v) const { return want_[place(v)]; }
    bool is_anything_wanted() const { return !wanting_[0].empty() || !wanting_[1].empty(); }
    std::int32_t anybody_wanting(Random& random) const;
    std::int64_t n_added() const { return n_pairs_[1]; }
    std::int64_t n_deleted() const { return n_pairs_[0]; }
    // Units that are wanted, by the parity of the side.
    std::int64_t more(std::size_t side) const { return units_[1][side]; }
    std::int64_t less(std::size_t side) const { return units_[0][side]; }
    std::size_t side(std::int32_t v) const {
        return rules_.sides == nullptr ? 0 : static_cast<std::size_t>(rules_.sides[place(v)] & 1);
    }
    PairList pairs() const;

   private:
    struct Change {
        std::int32_t v, u;  // u is none where the want of v was changed, from `by`
        std::int32_t by;    // else 1 where the pair was made, -1 where it was given up
    };
    static std::size_t place(std::int32_t v) { return static_cast<std::size_t>(v); }

    void set_want(std::int32_t v, std::int32_t by);
    void join(std::int32_t v, std::int32_t u);
    void part(std::int32_t v, std::int32_t u);
    void write_join(std::int32_t v, std::int32_t u);
    void write_part(std::int32_t v, std::int32_t u);
    void sort_in(std::int32_t v);
    std::int32_t n_free(std::int32_t v) const {
        const std::int32_t by = want_[place(v)];
        return (by < 0 ? -by : by) - static_cast<std::int32_t>(partners_[place(v)].size());
    }
    bool are_joined(std::int32_t v, std::int32_t u) const;
    bool may_join(std::int32_t v, std::int32_t u) const;
    std::int32_t free_partner(std::int32_t v);
    bool find_way(std::int32_t v);
    void touch(std::int32_t v);

    const NodePairs& pairs_;
    const DegreeRules& rules_;
    Random random_;
    std::vector<std::int32_t> want_;
    std::vector<std::vector<std::int32_t>> partners_;
    std::array<std::vector<std::int32_t>, 2> wanting_, open_;  // those who want less, more; those with free units
    std::vector<std::size_t> place_in_wanting_, place_in_open_;
    std::array<std::array<std::int64_t, 2>, 2> units_{};
    std::array<std::int64_t, 2> n_pairs_{};
    std::vector<Change> changes_;
    std::vector<std::int32_t> touched_;
    std::vector<std::uint8_t> is_touched_;
};

}  // namespace celosia
