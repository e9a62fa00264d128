#include "graph_classes.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "random.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

using Key = std::pair<std::int32_t, std::int64_t>;  // colour of a neighbour, entry

constexpr std::size_t n_vertices_per_share = 1 << 14;

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

struct Hashed {
    std::uint64_t hash;
    std::int32_t vertex;
};

// One thread's room to sort in.
struct Scratch {
    std::vector<Key> own, leading;
};

class Grouper {
   public:
    Grouper(const GraphLook& look, std::uint64_t seed, int hash_bits, Pulse& pulse, int threads)
        : look_(look),
          mask_(hash_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << hash_bits) - 1),
          pulse_(pulse),
          workers_(count_threads(threads), [] { return std::make_unique<Scratch>(); }),
          hashed_(look.n_vertices),
          leader_(look.n_vertices) {
        Random random(seed);
        for (std::size_t i = 0; i <= look.rows.size(); ++i) salts_.push_back(random.next());
    }

    std::vector<std::int32_t> run() {
        const std::size_t n = look_.n_vertices;
        const std::size_t n_shares = (n + n_vertices_per_share - 1) / n_vertices_per_share;
        pulse_.begin(static_cast<std::int64_t>(2 * n));
        workers_.run(n_shares, [&](Scratch&, std::size_t share) {
            pulse_.check();
            const std::size_t begin = share * n_vertices_per_share, end = std::min(n, begin + n_vertices_per_share);
            for (std::size_t v = begin; v < end; ++v) hashed_[v] = {hash(v) & mask_, static_cast<std::int32_t>(v)};
            pulse_.advance(static_cast<std::int64_t>(end - begin));
        });
        std::sort(hashed_.begin(), hashed_.end(), [](const Hashed& x, const Hashed& y) {
            return x.hash < y.hash || (x.hash == y.hash && x.vertex < y.vertex);
        });
        workers_.run(n_shares, [&](Scratch& scratch, std::size_t share) {
            const std::size_t begin = share * n_vertices_per_share, end = std::min(n, begin + n_vertices_per_share);
            compare(scratch, begin, end);
        });
        return labels();
    }

   private:
    std::uint64_t hash(std::size_t v) const {
        std::uint64_t hash = look_.before == nullptr ? 0 : mixed(salts_[0] + number(look_.before[v]));
        for (std::size_t r = 0; r < look_.rows.size(); ++r) {
            const GraphRows& rows = look_.rows[r];
            for (std::int64_t i = rows.starts[v]; i < rows.starts[v + 1]; ++i) {
                const std::uint64_t key = salts_[r + 1] + number(colour(rows.indices[i]));
                hash += rows.entries == nullptr
                            ? mixed(key)
                            : mixed(mixed(key) + static_cast<std::uint64_t>(rows.entries[i]) * 0x9e3779b97f4a7c15U);
            }
        }
        return hash;
    }

    // Spread out, so that sums with a salt do not run into each other.
    static std::uint64_t number(std::int32_t colour) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(colour)) * 0xd1342543de82ef95U;
    }

    std::int32_t colour(std::int32_t vertex) const {
        return look_.colours == nullptr ? vertex : look_.colours[vertex];
    }

    // Finds the leader, the first vertex of its class, of all whose equal hashes begin in a share.
    void compare(Scratch& scratch, std::size_t begin, std::size_t end) {
        const auto is_first = [this](std::size_t i) { return i == 0 || hashed_[i].hash != hashed_[i - 1].hash; };
        while (begin < end && !is_first(begin)) ++begin;
        std::vector<std::int32_t> leaders;
        while (begin < end) {
            pulse_.check();
            std::size_t stop = begin + 1;
            while (stop < hashed_.size() && !is_first(stop)) ++stop;
            leaders.clear();
            for (std::size_t i = begin; i < stop; ++i) {
                if (i % n_vertices_per_share == 0) pulse_.check();
                join(scratch, hashed_[i].vertex, leaders);
            }
            pulse_.advance(static_cast<std::int64_t>(stop - begin));
            begin = stop;
        }
    }

    void join(Scratch& scratch, std::int32_t vertex, std::vector<std::int32_t>& leaders) {
        for (const std::int32_t leader : leaders) {
            if (!is_equal(scratch, vertex, leader)) continue;
            leader_[static_cast<std::size_t>(vertex)] = leader;
            return;
        }
        leader_[static_cast<std::size_t>(vertex)] = vertex;
        leaders.push_back(vertex);
    }

    bool is_equal(Scratch& scratch, std::int32_t one, std::int32_t other) const {
        const auto x = static_cast<std::size_t>(one), y = static_cast<std::size_t>(other);
        if (look_.before != nullptr && look_.before[x] != look_.before[y]) return false;
        for (const GraphRows& rows : look_.rows) {
            if (rows.starts[x + 1] - rows.starts[x] != rows.starts[y + 1] - rows.starts[y]) return false;
        }
        for (const GraphRows& rows : look_.rows) {
            if (look_.colours == nullptr) {
                if (!is_equal_row(rows, x, y)) return false;
                continue;
            }
            gather(rows, x, scratch.own);
            gather(rows, y, scratch.leading);
            if (scratch.own != scratch.leading) return false;
        }
        return true;
    }

    static bool is_equal_row(const GraphRows& rows, std::size_t x, std::size_t y) {
        const std::int64_t from = rows.starts[x], to = rows.starts[x + 1], other = rows.starts[y];
        return std::equal(rows.indices + from, rows.indices + to, rows.indices + other) &&
               (rows.entries == nullptr ||
                std::equal(rows.entries + from, rows.entries + to, rows.entries + other));
    }

    void gather(const GraphRows& rows, std::size_t v, std::vector<Key>& keys) const {
        keys.clear();
        for (std::int64_t i = rows.starts[v]; i < rows.starts[v + 1]; ++i)
            keys.emplace_back(colour(rows.indices[i]), rows.entries == nullptr ? 1 : rows.entries[i]);
        std::sort(keys.begin(), keys.end());
    }

    // Equal hashes are in the order of vertices, so that a leader is the first of its class.
    std::vector<std::int32_t> labels() const {
        std::vector<std::int32_t> labels(look_.n_vertices);
        std::int32_t n_labels = 0;
        for (std::size_t v = 0; v < labels.size(); ++v) {
            const auto leader = static_cast<std::size_t>(leader_[v]);
            labels[v] = leader == v ? n_labels++ : labels[leader];
        }
        return labels;
    }

    const GraphLook& look_;
    const std::uint64_t mask_;
    Pulse& pulse_;
    Workers<Scratch> workers_;
    std::vector<std::uint64_t> salts_;
    std::vector<Hashed> hashed_;
    std::vector<std::int32_t> leader_;
};

}  // namespace

std::vector<std::int32_t> graph_classes(const GraphLook& look, std::uint64_t seed, int hash_bits, Pulse& pulse,
                                        int threads) {
    return Grouper(look, seed, hash_bits, pulse, threads).run();
}

}  // namespace celosia
