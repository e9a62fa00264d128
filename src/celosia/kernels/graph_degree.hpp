// Degree anonymity: every degree that occurs in a group of nodes is that of at least k of them.
//
// Nodes are linked in pairs. Without direction they are the vertices. With direction each vertex has two, one for its
// arcs out and one for its arcs in, and an arc links a node of the one kind to a node of the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace celosia {

// Which edits are allowed, and what they may link.
struct DegreeRules {
    std::int64_t k;
    bool may_add, may_delete;
    const std::int8_t* sides;   // where given, pairs are only added between 0 and 1, and between 2 and 3
    const std::int32_t* mates;  // where given, the other node of the same vertex, with which no pair is added

    bool may_link(std::int32_t v, std::int32_t u) const {
        const auto own = static_cast<std::size_t>(v), other = static_cast<std::size_t>(u);
        return may_add && v != u && (sides == nullptr || (sides[own] ^ sides[other]) == 1) &&
               (mates == nullptr || mates[own] != u);
    }
};

// Pairs of nodes, each node's partners ascending; a node may be its own.
struct NodePairs {
    const std::int64_t* starts;
    const std::int32_t* partners;
    std::size_t n_nodes;

    std::span<const std::int32_t> of(std::int32_t v) const {
        const auto place = static_cast<std::size_t>(v);
        return {partners + starts[place], partners + starts[place + 1]};
    }
    std::int32_t degree(std::int32_t v) const { return static_cast<std::int32_t>(of(v).size()); }
    bool has(std::int32_t v, std::int32_t u) const {
        const auto own = of(v), other = of(u);
        return own.size() < other.size() ? std::binary_search(own.begin(), own.end(), u)
                                         : std::binary_search(other.begin(), other.end(), v);
    }
};

using PairList = std::vector<std::pair<std::int32_t, std::int32_t>>;

// What it costs to move a degree by one, up or down. `forbidden` is beyond all sums of others.
struct DegreePrices {
    std::int64_t up, down;
};
constexpr std::int64_t forbidden_price = std::int64_t{1} << 30;

inline DegreePrices degree_prices(bool may_add, bool may_delete) {
    return {may_add ? 1 : forbidden_price, may_delete ? 1 : forbidden_price};
}

// The cheapest way to make a sequence of ascending degrees k-anonymous, by dynamic programming over its cuts into
// stretches of k..2k-1 degrees, all of which move to one of them: longer ones could be cut in two that cost no more.
class DegreeCuts {
   public:
    DegreeCuts(std::int64_t k, DegreePrices prices);

    // Takes the degrees anew from a place on; those before are the same as at the last call.
    std::int64_t update(std::span<const std::int32_t> degrees, std::size_t from);
    std::int64_t cost() const { return best_.back(); }
    // Takes over what another one found from a place on.
    void copy_from(const DegreeCuts& other, std::size_t from);
    // The stretches, first ones first, as the places where they end; and where in a stretch stands the degree of all.
    std::vector<std::size_t> ends() const;
    std::size_t place_of_target(std::size_t start, std::size_t end) const { return start + offset_[end - start]; }

   private:
    std::size_t k_;
    DegreePrices prices_;
    std::vector<std::size_t> offset_;
    std::vector<std::int64_t> best_, sums_;
    std::vector<std::size_t> start_of_;
};

// The least sum, over the ways to make ascending degrees k-anonymous, of what each degree costs that moves: its own price
// for every unit up and down. Prices up must not rise, prices down not fall: then it is best not to overtake.
std::int64_t priced_degree_distance(std::span<const std::int32_t> degrees, std::span<const std::int32_t> up,
                                    std::span<const std::int32_t> down, std::int64_t k);

// A point in the plane of degrees out and in, and how many vertices of a group have these.
struct DegreePoint {
    std::int32_t group, out, in;
    std::int64_t size;
};

// The distances of every vertex to the k - 1 nearest others of its group, summed up.
std::int64_t distance_to_nearest(std::vector<DegreePoint> points, std::int64_t k);

}  // namespace celosia
