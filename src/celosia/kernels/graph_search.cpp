#include "graph_search.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>

#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

std::size_t place(std::int32_t number) { return static_cast<std::size_t>(number); }

constexpr std::int32_t nothing = -1, not_knowable = -2;
constexpr std::int64_t n_deepest = 2000;

// An item that the attacker may learn next, by its slot, and the weight of the candidates that it drops.
struct Option {
    std::int64_t n_dropped;
    std::int32_t slot;
};

// One thread's search for one row at a time.
class SetSearch {
   public:
    explicit SetSearch(const Holdings& holdings)
        : holdings_(holdings),
          own_(holdings.n_slots(), nothing),
          is_shut_(holdings.n_slots(), 0),
          n_of_slot_(holdings.n_slots(), 0) {}

    // The weight of the candidates that were left by the set found.
    std::int64_t n_left() const { return n_left_; }

    Found search(std::int32_t row, std::int64_t k, std::int64_t size, std::int64_t n_steps, const Pulse& pulse) {
        begin(row, k, n_steps, pulse);
        const Found found = search_all(size);
        end();
        return found;
    }

    std::int32_t greedy(std::int32_t row, std::int64_t k, std::int64_t n_steps, const Pulse& pulse) {
        begin(row, k, n_steps, pulse);
        auto first = everybody();
        std::int64_t weight = holdings_.group_weight(holdings_.group_of_row(place(row_)));
        std::int32_t n_known = 0;
        const std::vector<std::int32_t> items = rarest_first();
        if (!items.empty()) {  // the rarest item drops most of all rows, or nearly: no need to count
            first = holdings_.holders(place(items[0]));
            weight = holdings_.item_weight(place(items[0]));
            shut(holdings_.slot(items[0]));
            n_known = 1;
        }
        std::vector<std::int32_t> candidates;
        const bool is_cheap = static_cast<std::int64_t>(first.size()) <= n_steps_;
        if (is_cheap) candidates.assign(first.begin(), first.end());
        while (is_cheap && weight >= k_) {
            if (!spend(candidates)) break;
            const std::vector<Option> options = drops(candidates, weight, 1).options;
            if (options.empty()) break;
            const Option best = *std::max_element(options.begin(), options.end(), [](const Option& x, const Option& y) {
                return x.n_dropped < y.n_dropped || (x.n_dropped == y.n_dropped && x.slot > y.slot);
            });
            candidates = agreeing(candidates, best.slot);
            weight -= best.n_dropped;
            shut(best.slot);
            ++n_known;
        }
        while (!shut_.empty()) open_last();
        end();
        return weight < k_ ? std::max(n_known, 1) : 0;
    }

   private:
    struct Drops {
        std::vector<Option> options;
        bool is_hopeless;             // at least k candidates hold all that is left to know
    };

    void begin(std::int32_t row, std::int64_t k, std::int64_t n_steps, const Pulse& pulse) {
        row_ = row;
        k_ = k;
        n_steps_ = n_steps;
        pulse_ = &pulse;
        n_open_ = 0;
        for (const std::int32_t item : holdings_.items(place(row))) {
            const bool is_usable = holdings_.is_usable(item);
            own_[place(holdings_.slot(item))] = is_usable ? item : not_knowable;
            n_open_ += is_usable ? 1 : 0;
        }
    }

    void end() {
        for (const std::int32_t item : holdings_.items(place(row_))) own_[place(holdings_.slot(item))] = nothing;
    }

    std::span<const std::int32_t> everybody() const {
        return holdings_.rows_of_group(holdings_.group_of_row(place(row_)));
    }

    std::vector<std::int32_t> rarest_first() const {
        std::vector<std::int32_t> items;
        for (const std::int32_t item : holdings_.items(place(row_))) {
            if (holdings_.is_usable(item)) items.push_back(item);
        }
        std::sort(items.begin(), items.end(), [this](std::int32_t x, std::int32_t y) {
            const auto nx = holdings_.item_weight(place(x)), ny = holdings_.item_weight(place(y));
            return nx < ny || (nx == ny && x < y);
        });
        return items;
    }

    // Sets with an item that is held, by the rarest first; then sets of slots that are empty.
    Found search_all(std::int64_t size) {
        const std::int64_t all = holdings_.group_weight(holdings_.group_of_row(place(row_)));
        n_left_ = all;
        if (all < k_) return Found::yes;
        Found found = Found::no;
        for (const std::int32_t item : rarest_first()) {
            shut(holdings_.slot(item));  // and it stays shut: the sets with it are all seen here
            n_left_ = holdings_.item_weight(place(item));
            found = n_left_ < k_ ? Found::yes
                    : size == 1  ? Found::no
                                 : begin_with(holdings_.holders(place(item)), n_left_, size - 1);
            if (found != Found::no) break;
        }
        if (found == Found::no && holdings_.absence() && can_empty_slots_do(size, all))
            found = begin_with(everybody(), all, size);
        while (!shut_.empty()) open_last();
        return found;
    }

    // Whether the fullest slots that the row leaves empty could drop enough.
    bool can_empty_slots_do(std::int64_t size, std::int64_t all) {
        const std::size_t group = holdings_.group_of_row(place(row_));
        std::int64_t sum = 0, n = 0;
        for (const std::int32_t slot : holdings_.slots_of_group(group)) {
            if (own_[place(slot)] != nothing) continue;
            sum += holdings_.slot_weight(place(slot));
            if (++n == size) break;
        }
        return all - sum < k_;
    }

    // Without a look at more candidates than there are steps, and no deeper than the stack bears.
    Found begin_with(std::span<const std::int32_t> candidates, std::int64_t weight, std::int64_t n_more) {
        if (static_cast<std::int64_t>(candidates.size()) > n_steps_ || n_more > n_deepest) return Found::cut;
        return descend({candidates.begin(), candidates.end()}, weight, n_more);
    }

    // Whether at most n_more further items leave fewer than k of the candidates.
    Found descend(const std::vector<std::int32_t>& candidates, std::int64_t weight, std::int64_t n_more) {
        pulse_->check();
        if (n_more == 1) return last(candidates, weight);
        if (!spend(candidates)) return Found::cut;
        // Of items that drop enough together, one drops its share of it at least: branches begin with such items.
        const std::int64_t n_needed = weight - k_ + 1, n_least = (n_needed + n_more - 1) / n_more;
        Drops found = drops(candidates, weight, n_least);
        if (found.is_hopeless) return Found::no;
        std::vector<Option>& options = found.options;
        std::sort(options.begin(), options.end(), [](const Option& x, const Option& y) {
            return x.n_dropped > y.n_dropped || (x.n_dropped == y.n_dropped && x.slot < y.slot);
        });
        if (!options.empty() && options[0].n_dropped >= n_needed) {
            n_left_ = weight - options[0].n_dropped;
            return Found::yes;
        }
        Found result = Found::no;
        std::size_t n_shut = 0;
        for (std::size_t i = 0; i < options.size() && result == Found::no; ++i) {
            const std::size_t end = std::min(options.size(), i + static_cast<std::size_t>(n_more));
            std::int64_t sum = (n_more - static_cast<std::int64_t>(end - i)) * (n_least - 1);
            for (std::size_t j = i; j < end; ++j) sum += options[j].n_dropped;
            if (sum < n_needed) break;
            shut(options[i].slot);
            ++n_shut;
            result = descend(agreeing(candidates, options[i].slot), weight - options[i].n_dropped, n_more - 1);
        }
        for (; n_shut > 0; --n_shut) open_last();
        return result;
    }

    // The same for one more item. A slot that all but k - 1 of the candidates fill is filled by one of any k of them:
    // only what the shortest k hold need be looked at, and not for long.
    Found last(const std::vector<std::int32_t>& candidates, std::int64_t weight) {
        std::int64_t n_steps = 0;
        for (const std::int32_t u : candidates) n_steps += n_own_steps(u);
        if (n_steps > n_steps_) return Found::cut;
        n_steps_ -= n_steps;
        for (const std::int32_t u : candidates) count_own(u);
        bool is_found = false;
        for (const std::int32_t item : holdings_.items(place(row_))) {
            const std::size_t slot = place(holdings_.slot(item));
            if (own_[slot] == not_knowable || is_shut_[slot] != 0) continue;
            if (n_of_slot_[slot] < k_ && !is_found) {
                n_left_ = n_of_slot_[slot];
                is_found = true;
            }
            n_of_slot_[slot] = 0;
        }
        if (is_found) return Found::yes;
        return holdings_.absence() ? last_empty(candidates, weight) : Found::no;
    }

    Found last_empty(const std::vector<std::int32_t>& candidates, std::int64_t weight) {
        std::vector<std::int32_t> shortest = candidates;
        if (static_cast<std::int64_t>(shortest.size()) > k_) {
            const auto end = shortest.begin() + static_cast<std::ptrdiff_t>(k_);
            std::nth_element(shortest.begin(), end, shortest.end(), [this](std::int32_t x, std::int32_t y) {
                return holdings_.items(place(x)).size() < holdings_.items(place(y)).size();
            });
            shortest.erase(end, shortest.end());
        }
        std::vector<std::int32_t> slots;
        for (const std::int32_t u : shortest) {
            for (const std::int32_t item : holdings_.items(place(u))) {
                const std::int32_t slot = holdings_.slot(item);
                if (own_[place(slot)] == nothing && is_shut_[place(slot)] == 0) slots.push_back(slot);
            }
        }
        std::sort(slots.begin(), slots.end());
        slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
        for (const std::int32_t slot : slots) {
            std::int64_t n_left = 0;
            for (const std::int32_t u : candidates) {
                if (n_left >= k_) break;
                --n_steps_;
                if (holdings_.held(place(u), place(slot)) == nothing) n_left += holdings_.weight(place(u));
            }
            if (n_steps_ < 0) return Found::cut;
            if (n_left >= k_ || n_left == weight) continue;
            n_left_ = n_left;
            return Found::yes;
        }
        return Found::no;
    }

    // Takes the steps of counting all drops, if they are left.
    bool spend(const std::vector<std::int32_t>& candidates) {
        std::int64_t n_steps = 0;
        for (const std::int32_t u : candidates)
            n_steps += holdings_.absence() ? static_cast<std::int64_t>(holdings_.items(place(u)).size()) + 1
                                           : n_own_steps(u);
        n_steps_ -= n_steps;
        return n_steps_ >= 0;
    }

    // Which of the items not shut drop at least so many of the candidates.
    Drops drops(const std::vector<std::int32_t>& candidates, std::int64_t weight, std::int64_t n_least) {
        std::int64_t n_holding_all = 0;
        for (const std::int32_t u : candidates) {
            if (count_own(u) == n_open_) n_holding_all += holdings_.weight(place(u));
        }
        Drops found{{}, !holdings_.absence() && n_holding_all >= k_};
        for (const std::int32_t item : holdings_.items(place(row_))) {
            const std::int32_t slot = holdings_.slot(item);
            if (own_[place(slot)] == not_knowable || is_shut_[place(slot)] != 0) continue;
            const std::int64_t n_dropped = weight - n_of_slot_[place(slot)];
            if (n_dropped >= n_least) found.options.push_back({n_dropped, slot});
            n_of_slot_[place(slot)] = 0;
        }
        if (holdings_.absence()) add_empty(candidates, n_least, found.options);
        return found;
    }

    // Slots that the row leaves empty, and some candidates do not.
    void add_empty(const std::vector<std::int32_t>& candidates, std::int64_t n_least, std::vector<Option>& options) {
        std::vector<std::int32_t> touched;
        for (const std::int32_t u : candidates) {
            for (const std::int32_t item : holdings_.items(place(u))) {
                const std::int32_t slot = holdings_.slot(item);
                if (own_[place(slot)] != nothing || is_shut_[place(slot)] != 0) continue;
                if (n_of_slot_[place(slot)] == 0) touched.push_back(slot);
                n_of_slot_[place(slot)] += holdings_.weight(place(u));
            }
        }
        for (const std::int32_t slot : touched) {
            if (n_of_slot_[place(slot)] >= n_least) options.push_back({n_of_slot_[place(slot)], slot});
            n_of_slot_[place(slot)] = 0;
        }
    }

    bool is_long(std::int32_t u) const {
        const std::size_t n = holdings_.items(place(u)).size();
        return n > holdings_.items(place(row_)).size() * (2 + static_cast<std::size_t>(std::bit_width(n)));
    }

    std::int64_t n_own_steps(std::int32_t u) const {
        return 1 + static_cast<std::int64_t>(holdings_.items(place(is_long(u) ? row_ : u)).size());
    }

    // Adds a candidate to the counts of the row's open items that it holds too; returns how many these are.
    std::int64_t count_own(std::int32_t u) {
        const auto items = holdings_.items(place(u));
        const std::int32_t weight = holdings_.weight(place(u));
        std::int64_t n_agreeing = 0;
        const auto add = [&](std::int32_t item) {
            const std::size_t slot = place(holdings_.slot(item));
            if (own_[slot] != item || is_shut_[slot] != 0) return;
            n_of_slot_[slot] += weight;
            ++n_agreeing;
        };
        if (!is_long(u)) {
            for (const std::int32_t item : items) add(item);
            return n_agreeing;
        }
        for (const std::int32_t item : holdings_.items(place(row_))) {
            if (std::binary_search(items.begin(), items.end(), item)) add(item);
        }
        return n_agreeing;
    }

    // The candidates that hold in the slot what the row holds.
    std::vector<std::int32_t> agreeing(const std::vector<std::int32_t>& candidates, std::int32_t slot) const {
        std::vector<std::int32_t> left;
        for (const std::int32_t u : candidates) {
            if (holdings_.held(place(u), place(slot)) == own_[place(slot)]) left.push_back(u);
        }
        return left;
    }

    void shut(std::int32_t slot) {
        is_shut_[place(slot)] = 1;
        n_open_ -= own_[place(slot)] >= 0 ? 1 : 0;
        shut_.push_back(slot);
    }

    void open_last() {
        const std::int32_t slot = shut_.back();
        shut_.pop_back();
        is_shut_[place(slot)] = 0;
        n_open_ += own_[place(slot)] >= 0 ? 1 : 0;
    }

    const Holdings& holdings_;
    std::vector<std::int32_t> own_;      // of each slot: the row's item, nothing, or not to be known
    std::vector<std::uint8_t> is_shut_;  // slots that are known already, or whose sets are all seen
    std::vector<std::int64_t> n_of_slot_;
    std::vector<std::int32_t> shut_;
    std::int32_t row_ = 0;
    std::int64_t k_ = 0, n_steps_ = 0, n_open_ = 0, n_left_ = 0;
    const Pulse* pulse_ = nullptr;
};

// Runs body(search, i) for all rows.
template <class Body>
void for_rows(const Holdings& holdings, std::size_t n_rows, Pulse& pulse, int threads, const Body& body) {
    constexpr std::size_t n_per_share = 64;
    pulse.begin(static_cast<std::int64_t>(n_rows));
    Workers<SetSearch> workers(count_threads(threads), [&] { return std::make_unique<SetSearch>(holdings); });
    workers.run((n_rows + n_per_share - 1) / n_per_share, [&](SetSearch& search, std::size_t share) {
        for (std::size_t i = share * n_per_share; i < std::min(n_rows, (share + 1) * n_per_share); ++i) {
            pulse.check();
            body(search, i);
            pulse.advance(1);
        }
    });
}

}  // namespace

std::vector<std::int8_t> search_sets(const Holdings& holdings, std::span<const std::int32_t> rows, std::int64_t k,
                                     std::int64_t size, std::int64_t n_steps, Pulse& pulse, int threads) {
    std::vector<std::int8_t> found(rows.size());
    for_rows(holdings, rows.size(), pulse, threads, [&](SetSearch& search, std::size_t i) {
        found[i] = static_cast<std::int8_t>(search.search(rows[i], k, size, n_steps, pulse));
    });
    return found;
}

std::vector<std::int32_t> greedy_sets(const Holdings& holdings, std::span<const std::int32_t> rows, std::int64_t k,
                                      std::int64_t n_steps, Pulse& pulse, int threads) {
    std::vector<std::int32_t> sizes(rows.size());
    for_rows(holdings, rows.size(), pulse, threads,
             [&](SetSearch& search, std::size_t i) { sizes[i] = search.greedy(rows[i], k, n_steps, pulse); });
    return sizes;
}

Fewest fewest_candidates(const Holdings& holdings, std::int64_t size, std::int64_t known, std::int64_t floor,
                         std::int64_t n_steps, Pulse& pulse, int threads) {
    std::atomic<std::int64_t> fewest{known};
    std::atomic<bool> is_exact{true};
    for_rows(holdings, holdings.n_rows(), pulse, threads, [&](SetSearch& search, std::size_t row) {
        std::int64_t limit = fewest;
        while (limit > floor) {
            const Found found = search.search(static_cast<std::int32_t>(row), limit, size, n_steps, pulse);
            if (found == Found::cut) is_exact = false;
            if (found != Found::yes) return;
            const std::int64_t n_left = search.n_left();
            while (n_left < limit && !fewest.compare_exchange_weak(limit, n_left)) {
            }
            limit = fewest;
        }
    });
    return {fewest, is_exact || fewest <= floor};
}

std::vector<std::int64_t> cover_counts(const Holdings& holdings, std::span<const std::int32_t> rows, Pulse& pulse,
                                       int threads) {
    std::vector<std::int64_t> counts(rows.size());
    for_rows(holdings, rows.size(), pulse, threads, [&](SetSearch&, std::size_t i) {
        const std::size_t row = place(rows[i]);
        std::vector<std::int32_t> items;
        for (const std::int32_t item : holdings.items(row)) {
            if (holdings.is_usable(item)) items.push_back(item);
        }
        counts[i] = holdings.group_weight(holdings.group_of_row(row));
        if (items.empty()) return;
        const std::int32_t rarest = *std::min_element(items.begin(), items.end(), [&](std::int32_t x, std::int32_t y) {
            return holdings.item_weight(place(x)) < holdings.item_weight(place(y));
        });
        counts[i] = 0;
        for (const std::int32_t u : holdings.holders(place(rarest))) {
            const auto other = holdings.items(place(u));
            if (std::all_of(items.begin(), items.end(), [&](std::int32_t item) {
                    return std::binary_search(other.begin(), other.end(), item);
                }))
                counts[i] += holdings.weight(place(u));
        }
    });
    return counts;
}

}  // namespace celosia
