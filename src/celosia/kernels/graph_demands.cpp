#include "graph_demands.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace celosia {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

// Vertices that look alike by some key, an edge changing the keys of its ends only.
class KeyedDemand : public Demand {
   public:
    KeyedDemand(std::size_t n, std::int64_t k, Groups groups) : Demand(n, k), groups_(groups), keys_(n) {}

    void count(const EditedGraph& graph) override {
        numbers_.clear();
        violation_ = 0;
        for (std::size_t v = 0; v < keys_.size(); ++v) {
            keys_[v] = key_of(graph, v);
            ++numbers_[keys_[v]];
        }
        for (const auto& [key, number] : numbers_) violation_ += gap(number);
    }

    std::int64_t growth(const EditedGraph& graph, Edge edge) override {
        const std::int64_t before = violation_;
        const auto after = keys_after(graph, edge);
        move(edge, after);
        const std::int64_t growth = violation_ - before;
        move(edge, {keys_[at(edge.source)], keys_[at(edge.target)]}, &after);
        n_looks_ += 4;
        return growth;
    }

    void note(const EditedGraph& graph, Edge edge) override {
        const auto after = keys_after(graph, edge);
        move(edge, after);
        keys_[at(edge.source)] = after[0];
        keys_[at(edge.target)] = after[1];
    }

    std::optional<Edge> remedy(const EditedGraph& graph, Random& random) override {
        for (int i = 0; i < n_tries; ++i) {
            const std::size_t v = random.below(keys_.size());
            if (gap(numbers_.at(keys_[v])) == 0) continue;
            const auto others = random.below(2) == 0 ? graph.out(v) : graph.into(v);
            if (!others.empty() && random.below(2) == 0) {
                const std::size_t u = at(others[random.below(others.size())]);
                return graph.has(v, u) ? graph.edge_of(v, u) : graph.edge_of(u, v);
            }
            const std::size_t u = random.below(keys_.size());
            return random.below(2) == 0 ? graph.edge_of(v, u) : graph.edge_of(u, v);
        }
        return std::nullopt;
    }

   protected:
    using Key = std::uint64_t;
    virtual Key key_of(const EditedGraph& graph, std::size_t v) const = 0;
    // The keys of source and target once the edge is switched; of a loop twice the same.
    virtual std::array<Key, 2> keys_after(const EditedGraph& graph, Edge edge) const = 0;
    Key key(std::int32_t v) const { return keys_[at(v)]; }

    Groups groups_;

   private:
    static constexpr int n_tries = 16;

    void shift(Key key, std::int32_t amount) {
        std::int32_t& number = numbers_[key];
        violation_ -= gap(number);
        number += amount;
        violation_ += gap(number);
        if (number == 0) numbers_.erase(key);
    }
    void move(Edge edge, const std::array<Key, 2>& to, const std::array<Key, 2>* from = nullptr) {
        shift(from == nullptr ? key(edge.source) : (*from)[0], -1);
        shift(to[0], 1);
        if (edge.source == edge.target) return;
        shift(from == nullptr ? key(edge.target) : (*from)[1], -1);
        shift(to[1], 1);
    }

    std::vector<Key> keys_;
    std::unordered_map<Key, std::int32_t> numbers_;
};

class DegreeDemand final : public KeyedDemand {
   public:
    using KeyedDemand::KeyedDemand;

   protected:
    // Degrees are below 2^31, so a sum of products that differ in every part tells them apart.
    Key key_of(const EditedGraph& graph, std::size_t v) const override {
        Key key = mixed(groups_.of(v)) + out_unit * graph.out(v).size();
        if (graph.directed()) key += in_unit * graph.into(v).size();
        return key;
    }
    std::array<Key, 2> keys_after(const EditedGraph& graph, Edge edge) const override {
        const Key sign = graph.has(at(edge.source), at(edge.target)) ? ~Key{0} : 1;
        if (edge.source == edge.target) {
            const Key after = key(edge.source) + sign * (out_unit + (graph.directed() ? in_unit : 0));
            return {after, after};
        }
        return {key(edge.source) + sign * out_unit, key(edge.target) + sign * (graph.directed() ? in_unit : out_unit)};
    }

   private:
    static constexpr Key out_unit = 0x9e3779b97f4a7c15U, in_unit = 0xc2b2ae3d27d4eb4fU;
};

class TwinDemand final : public KeyedDemand {
   public:
    TwinDemand(std::size_t n, std::int64_t k, bool closed, Groups groups, std::uint64_t seed)
        : KeyedDemand(n, k, groups), closed_(closed) {
        Random random(seed);
        for (auto& salts : salts_) {
            for (std::size_t v = 0; v < n; ++v) salts.push_back(random.next());
        }
    }

   protected:
    Key key_of(const EditedGraph& graph, std::size_t v) const override {
        Key key = mixed(groups_.of(v));
        if (closed_) key += salts_[0][v] + (graph.directed() ? salts_[1][v] : 0);
        const auto add = [&](std::span<const std::int32_t> others, const std::vector<Key>& salts) {
            for (const std::int32_t u : others) key += closed_ && at(u) == v ? 0 : salts[at(u)];
        };
        add(graph.out(v), salts_[0]);
        if (graph.directed()) add(graph.into(v), salts_[1]);
        return key;
    }
    std::array<Key, 2> keys_after(const EditedGraph& graph, Edge edge) const override {
        const auto [a, b] = edge;
        const Key sign = graph.has(at(a), at(b)) ? ~Key{0} : 1;
        if (a == b) {
            const Key loop = closed_ ? 0 : salts_[0][at(a)] + (graph.directed() ? salts_[1][at(a)] : 0);
            return {key(a) + sign * loop, key(a) + sign * loop};
        }
        return {key(a) + sign * salts_[0][at(b)], key(b) + sign * salts_[graph.directed() ? 1 : 0][at(a)]};
    }

   private:
    bool closed_;
    std::array<std::vector<Key>, 2> salts_;
};

}  // namespace

Demand::Demand(std::size_t n, std::int64_t k) : k_(k), gaps_(std::min(static_cast<std::size_t>(k), n + 2)) {
    measure_by(Measure::nearest);
}

void Demand::measure_by(Measure measure) {
    constexpr double unit = 10.0;
    for (std::size_t x = 1; x < gaps_.size(); ++x) {
        const auto number = static_cast<std::int64_t>(x);
        gaps_[x] = measure == Measure::missing
                       ? static_cast<std::int64_t>(unit) * (k_ - number)
                       : std::llround(unit * std::sqrt(static_cast<double>(std::min(number, k_ - number))));
    }
}

std::unique_ptr<Demand> degree_demand(std::size_t n, std::int64_t k, Groups groups) {
    return std::make_unique<DegreeDemand>(n, k, groups);
}

std::unique_ptr<Demand> twin_demand(std::size_t n, std::int64_t k, bool closed, Groups groups, std::uint64_t seed) {
    return std::make_unique<TwinDemand>(n, k, closed, groups, seed);
}

}  // namespace celosia
