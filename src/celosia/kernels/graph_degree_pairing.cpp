#include "graph_degree_pairing.hpp"

namespace celosia {

namespace {

constexpr std::int32_t none = -1;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
constexpr std::size_t n_looks = 48;  // at most so many are asked before a node stays without a partner
constexpr int n_ways = 3;            // tried by giving up another pair

void put_in(std::vector<std::int32_t>& bag, std::vector<std::size_t>& place_in, std::int32_t v) {
    place_in[static_cast<std::size_t>(v)] = bag.size();
    bag.push_back(v);
}

void take_out(std::vector<std::int32_t>& bag, std::vector<std::size_t>& place_in, std::int32_t v) {
    std::size_t& own = place_in[static_cast<std::size_t>(v)];
    const std::int32_t last = bag.back();
    bag[own] = last;
    place_in[static_cast<std::size_t>(last)] = own;
    bag.pop_back();
    own = nowhere;
}

void erase_one(std::vector<std::int32_t>& partners, std::int32_t u) {
    *std::find(partners.begin(), partners.end(), u) = partners.back();
    partners.pop_back();
}

}  // namespace

WantPairing::WantPairing(const NodePairs& pairs, const DegreeRules& rules, std::uint64_t seed)
    : pairs_(pairs),
      rules_(rules),
      random_(seed),
      want_(pairs.n_nodes, 0),
      partners_(pairs.n_nodes),
      place_in_wanting_(pairs.n_nodes, nowhere),
      place_in_open_(pairs.n_nodes, nowhere),
      is_touched_(pairs.n_nodes, 0) {}

void WantPairing::start(const Wants& wants) {
    for (const std::size_t sign : {0U, 1U}) {
        const std::vector<std::int32_t> old = wanting_[sign];
        for (const std::int32_t v : old) want(v, 0);
    }
    for (const auto& [v, by] : wants) want(v, by);
    PairList direct;
    DegreeMatching(pairs_, rules_).match(wants, &direct);
    for (const auto& [v, u] : direct) join(v, u);
    keep();
}

void WantPairing::want(std::int32_t v, std::int32_t by) {
    const std::int32_t old = want_[place(v)];
    if (old == by) return;
    const auto n_most = (old > 0) == (by > 0) ? static_cast<std::size_t>(by < 0 ? -by : by) : 0;
    auto& own = partners_[place(v)];
    while (own.size() > n_most) {
        const std::int32_t u = own[random_.below(own.size())];
        part(v, u);
        touch(u);
    }
    changes_.push_back({v, none, old});
    set_want(v, by);
    touch(v);
}

void WantPairing::set_want(std::int32_t v, std::int32_t by) {
    const std::int32_t old = want_[place(v)];
    if (old != 0) {
        const std::size_t sign = old > 0 ? 1 : 0;
        units_[sign][side(v)] -= old > 0 ? old : -old;
        take_out(wanting_[sign], place_in_wanting_, v);
        if (place_in_open_[place(v)] != nowhere) take_out(open_[sign], place_in_open_, v);
    }
    want_[place(v)] = by;
    if (by != 0) {
        const std::size_t sign = by > 0 ? 1 : 0;
        units_[sign][side(v)] += by > 0 ? by : -by;
        put_in(wanting_[sign], place_in_wanting_, v);
    }
    sort_in(v);
}

// Keeps the list of those with free units.
void WantPairing::sort_in(std::int32_t v) {
    const bool is_open = n_free(v) > 0, was_open = place_in_open_[place(v)] != nowhere;
    if (is_open == was_open) return;
    auto& bag = open_[want_[place(v)] > 0 ? 1 : 0];
    if (is_open)
        put_in(bag, place_in_open_, v);
    else
        take_out(bag, place_in_open_, v);
}

void WantPairing::join(std::int32_t v, std::int32_t u) {
    write_join(v, u);
    changes_.push_back({v, u, 1});
}

void WantPairing::part(std::int32_t v, std::int32_t u) {
    write_part(v, u);
    changes_.push_back({v, u, -1});
}

void WantPairing::write_join(std::int32_t v, std::int32_t u) {
    partners_[place(v)].push_back(u);
    partners_[place(u)].push_back(v);
    ++n_pairs_[want_[place(v)] > 0 ? 1 : 0];
    sort_in(v);
    sort_in(u);
}

void WantPairing::write_part(std::int32_t v, std::int32_t u) {
    erase_one(partners_[place(v)], u);
    erase_one(partners_[place(u)], v);
    --n_pairs_[want_[place(v)] > 0 ? 1 : 0];
    sort_in(v);
    sort_in(u);
}

void WantPairing::touch(std::int32_t v) {
    if (is_touched_[place(v)] != 0) return;
    is_touched_[place(v)] = 1;
    touched_.push_back(v);
}

void WantPairing::settle() {
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const std::int32_t v = touched_[i];
        while (n_free(v) > 0) {
            const std::int32_t u = free_partner(v);
            if (u != none)
                join(v, u);
            else if (!find_way(v))
                break;
        }
    }
    for (const std::int32_t v : touched_) is_touched_[place(v)] = 0;
    touched_.clear();
}

bool WantPairing::are_joined(std::int32_t v, std::int32_t u) const {
    const auto &own = partners_[place(v)], &other = partners_[place(u)];
    return own.size() < other.size() ? std::find(own.begin(), own.end(), u) != own.end()
                                     : std::find(other.begin(), other.end(), v) != other.end();
}

// Whether an edit of the two is of use to both, units apart.
bool WantPairing::may_join(std::int32_t v, std::int32_t u) const {
    if (v == u) return false;
    const std::int32_t by = want_[place(v)], other = want_[place(u)];
    if (by > 0) return other > 0 && rules_.may_link(v, u) && !pairs_.has(v, u) && !are_joined(v, u);
    return other < 0 && pairs_.has(v, u) && !are_joined(v, u);
}

std::int32_t WantPairing::free_partner(std::int32_t v) {
    const bool wants_more = want_[place(v)] > 0;
    const auto& open = open_[wants_more ? 1 : 0];
    const auto links = pairs_.of(v);
    const bool asks_links = !wants_more && links.size() < open.size();
    const std::size_t n = asks_links ? links.size() : open.size();
    if (n == 0) return none;
    std::size_t i = random_.below(n);
    for (std::size_t look = std::min(n, n_looks); look > 0; --look) {
        const std::int32_t u = asks_links ? links[i] : open[i];
        if (place_in_open_[place(u)] != nowhere && may_join(v, u)) return u;
        i = i + 1 == n ? 0 : i + 1;
    }
    return none;
}

// Two others a and b part, v takes a, and b finds another: one pair more.
bool WantPairing::find_way(std::int32_t v) {
    const bool wants_more = want_[place(v)] > 0;
    const auto& wanting = wanting_[wants_more ? 1 : 0];
    const auto links = pairs_.of(v);
    const bool asks_links = !wants_more && links.size() < wanting.size();
    const std::size_t n = asks_links ? links.size() : wanting.size();
    if (n < 3) return false;
    for (int way = 0; way < n_ways; ++way) {
        const std::int32_t a = asks_links ? links[random_.below(n)] : wanting[random_.below(n)];
        const auto& others = partners_[place(a)];
        if (others.empty() || !may_join(v, a)) continue;
        const std::int32_t b = others[random_.below(others.size())];
        if (b == v) continue;
        part(a, b);
        join(v, a);
        const std::int32_t c = free_partner(b);
        if (c != none) {
            join(b, c);
            return true;
        }
        part(v, a);
        join(a, b);
    }
    return false;
}

void WantPairing::drop() {
    while (!changes_.empty()) {
        const auto [v, u, by] = changes_.back();
        changes_.pop_back();
        if (u == none)
            set_want(v, by);
        else if (by > 0)
            write_part(v, u);
        else
            write_join(v, u);
    }
    for (const std::int32_t v : touched_) is_touched_[place(v)] = 0;
    touched_.clear();
}

void WantPairing::keep() {
    changes_.clear();
    for (const std::int32_t v : touched_) is_touched_[place(v)] = 0;
    touched_.clear();
}

std::int32_t WantPairing::anybody_wanting(Random& random) const {
    const std::size_t i = random.below(wanting_[0].size() + wanting_[1].size());
    return i < wanting_[0].size() ? wanting_[0][i] : wanting_[1][i - wanting_[0].size()];
}

PairList WantPairing::pairs() const {
    PairList found;
    for (const auto& wanting : wanting_) {
        for (const std::int32_t v : wanting) {
            for (const std::int32_t u : partners_[place(v)]) {
                if (v < u) found.emplace_back(v, u);
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace celosia
