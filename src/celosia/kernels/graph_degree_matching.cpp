#include "graph_degree_matching.hpp"

namespace celosia {

namespace {

std::size_t place(std::int32_t v) { return static_cast<std::size_t>(v); }

}  // namespace

DegreeMatching::DegreeMatching(const NodePairs& pairs, const DegreeRules& rules)
    : pairs_(pairs), rules_(rules), need_(pairs.n_nodes, 0), place_of_(pairs.n_nodes, 0) {}

std::pair<std::int64_t, std::int64_t> DegreeMatching::match(const Wants& wants, PairList* edits) {
    const std::int64_t n_added = match_sign(wants, 1, edits);
    return {n_added, match_sign(wants, -1, edits)};
}

std::int64_t DegreeMatching::match_sign(const Wants& wants, int sign, PairList* edits) {
    std::int32_t most = 0;
    for (const auto& [v, by] : wants) {
        if (by * sign <= 0) continue;
        put(v, by * sign);
        most = std::max(most, by * sign);
    }
    std::int64_t n_found = 0;
    while (most > 0) {
        if (buckets_[place(most)].empty()) {
            --most;
            continue;
        }
        const std::int32_t v = buckets_[place(most)].back();
        take(v);
        found_.clear();
        if (sign > 0)
            find_more(v, place(most));
        else
            find_less(v, place(most), wants);
        for (const std::int32_t u : found_) {
            const std::int32_t left = need_[place(u)] - 1;
            take(u);
            if (left > 0) put(u, left);
            if (edits != nullptr) edits->emplace_back(v, u);
        }
        n_found += static_cast<std::int64_t>(found_.size());
    }
    return n_found;
}

void DegreeMatching::find_more(std::int32_t v, std::size_t n_wanted) {
    for (std::size_t need = std::min(n_wanted, buckets_.size() - 1); need > 0 && found_.size() < n_wanted; --need) {
        for (const std::int32_t u : buckets_[need]) {
            if (found_.size() == n_wanted) break;
            if (rules_.may_link(v, u) && !pairs_.has(v, u)) found_.push_back(u);
        }
    }
}

void DegreeMatching::find_less(std::int32_t v, std::size_t n_wanted, const Wants& wants) {
    const auto own = pairs_.of(v);
    if (own.size() <= wants.size() * 4) {
        for (const std::int32_t u : own) {
            if (need_[place(u)] > 0 && u != v) found_.push_back(u);
        }
    } else {
        for (const auto& [u, by] : wants) {
            if (need_[place(u)] > 0 && u != v && pairs_.has(v, u)) found_.push_back(u);
        }
    }
    if (found_.size() <= n_wanted) return;
    std::sort(found_.begin(), found_.end(), [this](std::int32_t x, std::int32_t y) {
        return need_[place(x)] > need_[place(y)] || (need_[place(x)] == need_[place(y)] && x < y);
    });
    found_.resize(n_wanted);
}

void DegreeMatching::put(std::int32_t v, std::int32_t need) {
    if (buckets_.size() <= place(need)) buckets_.resize(place(need) + 1);
    need_[place(v)] = need;
    place_of_[place(v)] = buckets_[place(need)].size();
    buckets_[place(need)].push_back(v);
}

void DegreeMatching::take(std::int32_t v) {
    auto& bucket = buckets_[place(need_[place(v)])];
    const std::int32_t last = bucket.back();
    bucket[place_of_[place(v)]] = last;
    place_of_[place(last)] = place_of_[place(v)];
    bucket.pop_back();
    need_[place(v)] = 0;
}

}  // namespace celosia
