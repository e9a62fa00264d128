#include "graph_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

std::size_t place(std::int32_t number) { return static_cast<std::size_t>(number); }

// What all threads know of all rows. Relaxed order suffices: who sees a change late does some work in vain.
class Verdicts {
   public:
    Verdicts(const Holdings& holdings, std::int64_t k, const Known& known)
        : verdicts_(known.broken.size()), fewest_(known.fewest) {
        for (std::size_t row = 0; row < known.broken.size(); ++row)
            verdicts_[row] = known.broken[row] != 0 ? broken : holdings.weight(row) >= k ? safe : open;
    }

    // Broken, or k equal vertices, which nothing tells apart.
    bool is_settled(std::int32_t row) const { return verdicts_[place(row)].load(std::memory_order_relaxed) != open; }
    void breaks(std::int32_t row) { verdicts_[place(row)].store(broken, std::memory_order_relaxed); }
    std::int64_t fewest() const { return fewest_.load(std::memory_order_relaxed); }
    void found(std::int64_t n) {
        std::int64_t fewest = fewest_.load(std::memory_order_relaxed);
        while (n < fewest && !fewest_.compare_exchange_weak(fewest, n, std::memory_order_relaxed)) {
        }
    }
    Known result() const {
        Known known{std::vector<std::uint8_t>(verdicts_.size()), fewest()};
        for (std::size_t row = 0; row < verdicts_.size(); ++row) known.broken[row] = verdicts_[row] == broken ? 1 : 0;
        return known;
    }

   private:
    static constexpr std::uint8_t open = 0, broken = 1, safe = 2;

    std::vector<std::atomic<std::uint8_t>> verdicts_;
    std::atomic<std::int64_t> fewest_;
};

// One thread's counts: how many of the holders of one item hold each other item.
class PairCounter {
   public:
    PairCounter(const Holdings& holdings, Verdicts& verdicts, std::int64_t k, std::int64_t floor)
        : holdings_(holdings),
          verdicts_(verdicts),
          k_(k),
          floor_(floor),
          of_item_(holdings.n_items(), 0),
          of_slot_(holdings.is_plain() ? 0 : holdings.n_slots(), 0) {}

    // Judges all pairs of one item, "nothing" included, with others; the item is given by its slot and its holders.
    void judge(std::int32_t slot, std::span<const std::int32_t> holders, std::int64_t weight) {
        const bool needs_all = verdicts_.fewest() > floor_;
        if (!needs_all && std::all_of(holders.begin(), holders.end(), [this](auto u) { return verdicts_.is_settled(u); }))
            return;
        const bool are_all_bad = count(slot, holders, needs_all);
        const std::size_t n_bad_slots = are_all_bad ? 0 : look(slot, weight, needs_all);
        for (const std::int32_t u : holders) {
            if (!verdicts_.is_settled(u) && (are_all_bad || is_bad(u, slot, n_bad_slots))) verdicts_.breaks(u);
        }
        clear();
    }

    // A quick look at the two rarest items of a row, which settles most rows of most graphs.
    void probe(std::int32_t row) {
        if (verdicts_.is_settled(row)) return;
        std::int32_t rarest = -1, second = -1;
        const auto is_rarer = [this](std::int32_t x, std::int32_t y) {
            return y < 0 || holdings_.item_weight(place(x)) < holdings_.item_weight(place(y));
        };
        for (const std::int32_t item : holdings_.items(place(row))) {
            if (!holdings_.is_usable(item)) continue;
            if (is_rarer(item, rarest)) {
                second = std::exchange(rarest, item);
            } else if (is_rarer(item, second)) {
                second = item;
            }
        }
        if (second < 0 || holdings_.holders(place(rarest)).size() > n_most_probed) return;
        std::int64_t n = 0;
        const auto others = holdings_.holders(place(second));
        auto at = others.begin();
        for (const std::int32_t u : holdings_.holders(place(rarest))) {
            at = std::lower_bound(at, others.end(), u);
            if (at == others.end()) break;
            if (*at == u) n += holdings_.weight(place(u));
        }
        verdicts_.found(n);
        if (n < k_) verdicts_.breaks(row);
    }

   private:
    static constexpr std::size_t n_most_probed = 1000, n_tried_slots = 64;

    std::int32_t& of_slot(std::int32_t slot) {
        return holdings_.is_plain() ? of_item_[place(slot)] : of_slot_[place(slot)];
    }

    // Counts are exact for the items of all holders or, if not all are needed, for the items of holders that are not
    // settled and for slots that fewer than k of the holders leave empty.
    // Returns whether all holders that are not settled break, which may show before all is counted.
    bool count(std::int32_t slot, std::span<const std::int32_t> holders, bool needs_all) {
        later_.clear();
        std::int64_t weight = 0;
        for (const std::int32_t u : holders) {
            if (needs_all || !verdicts_.is_settled(u)) {
                add_all(u);
                weight += holdings_.weight(place(u));
            } else {
                later_.push_back(u);
            }
        }
        if (holdings_.absence() && add_shortest(slot, holders, weight)) return true;
        const std::size_t n_slots = touched_slots_.size();
        for (const std::int32_t u : later_) {
            const std::size_t n_items = holdings_.items(place(u)).size();
            if (n_items > n_slots * (2 + static_cast<std::size_t>(std::bit_width(n_items)))) {
                add_held(u, n_slots);
            } else {
                add_all(u);
            }
        }
        return false;
    }

    // A slot that fewer than k of the holders leave empty is filled by one of any of them with a weight of k: take the
    // shortest, where those counted already do not weigh as much.
    bool add_shortest(std::int32_t slot, std::span<const std::int32_t> holders, std::int64_t weight) {
        if (weight >= k_ || later_.empty()) return false;
        const auto n = std::min(later_.size(), static_cast<std::size_t>(k_ - weight));
        const auto middle = later_.begin() + static_cast<std::ptrdiff_t>(n);
        std::partial_sort(later_.begin(), middle, later_.end(), [this](std::int32_t x, std::int32_t y) {
            return holdings_.items(place(x)).size() < holdings_.items(place(y)).size();
        });
        auto taken = later_.begin();
        for (; taken != middle && weight < k_; ++taken) {
            if (is_long(*taken) && has_bad_slot(*taken, slot, holders)) return true;
            add_all(*taken);
            weight += holdings_.weight(place(*taken));
        }
        later_.erase(later_.begin(), taken);
        return false;
    }

    bool is_long(std::int32_t u) const {
        return holdings_.items(place(u)).size() > n_tried_slots + 8 * touched_slots_.size();
    }

    // Whether, among the first slots of a long row that no holder counted so far fills, there is one that too few of the
    // holders leave empty: all who are not settled do.
    bool has_bad_slot(std::int32_t row, std::int32_t slot, std::span<const std::int32_t> holders) {
        std::size_t n_tried = 0;
        for (const std::int32_t item : holdings_.items(place(row))) {
            const std::int32_t other = holdings_.slot(item);
            if (other == slot || of_slot(other) > 0) continue;
            if (++n_tried > n_tried_slots) return false;
            std::int64_t n_without = 0;
            for (const std::int32_t u : holders) {
                if (n_without >= k_) break;
                if (holdings_.held(place(u), place(other)) < 0) n_without += holdings_.weight(place(u));
            }
            if (n_without > 0 && n_without < k_) return true;
        }
        return false;
    }

    void add_all(std::int32_t u) {
        const std::int32_t weight = holdings_.weight(place(u));
        for (const std::int32_t item : holdings_.items(place(u))) add(item, weight);
    }

    // What a row with many items holds in the first of the touched slots.
    void add_held(std::int32_t u, std::size_t n_slots) {
        const std::int32_t weight = holdings_.weight(place(u));
        for (std::size_t i = 0; i < n_slots; ++i) {
            const std::int32_t item = holdings_.held(place(u), place(touched_slots_[i]));
            if (item >= 0) add(item, weight);
        }
    }

    void add(std::int32_t item, std::int32_t weight) {
        std::int32_t& n = of_item_[place(item)];
        if (holdings_.is_plain()) {
            if (n == 0) touched_slots_.push_back(item);
        } else {
            if (n == 0) touched_items_.push_back(item);
            std::int32_t& n_of_slot = of_slot_[place(holdings_.slot(item))];
            if (n_of_slot == 0) touched_slots_.push_back(holdings_.slot(item));
            n_of_slot += weight;
        }
        n += weight;
    }

    const std::vector<std::int32_t>& touched_items() const {
        return holdings_.is_plain() ? touched_slots_ : touched_items_;
    }

    // Notes the fewest candidates, if all counts are exact; returns how many slots too few of the holders leave empty.
    // A count that is not exact is too low: it makes a slot seem emptier, never one of those.
    std::size_t look(std::int32_t slot, std::int64_t weight, bool is_exact) {
        std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
        is_pair_bad_ = false;
        for (const std::int32_t item : touched_items()) {
            if (!holdings_.is_usable(item) || holdings_.slot(item) == slot) continue;
            const std::int64_t n = of_item_[place(item)];
            fewest = std::min(fewest, n);
            is_pair_bad_ |= n < k_;
        }
        std::size_t n_bad_slots = 0;
        if (holdings_.absence()) {
            for (const std::int32_t other : touched_slots_) {
                if (other == slot) continue;
                const std::int64_t n = weight - of_slot(other);
                if (n == 0) continue;
                fewest = std::min(fewest, n);
                n_bad_slots += n < k_ ? 1 : 0;
            }
        }
        if (is_exact) verdicts_.found(fewest);
        weight_ = weight;
        return n_bad_slots;
    }

    bool is_bad(std::int32_t u, std::int32_t slot, std::size_t n_bad_slots) {
        if (!is_pair_bad_ && n_bad_slots == 0) return false;
        std::size_t n_filled = 0;
        for (const std::int32_t item : holdings_.items(place(u))) {
            const std::int32_t own = holdings_.slot(item);
            if (own == slot) continue;
            if (of_item_[place(item)] < k_ && holdings_.is_usable(item)) return true;
            const std::int64_t n_without = weight_ - of_slot(own);
            n_filled += n_without > 0 && n_without < k_ ? 1 : 0;
        }
        return holdings_.absence() && n_filled < n_bad_slots;
    }

    void clear() {
        for (const std::int32_t item : touched_items()) of_item_[place(item)] = 0;
        if (!holdings_.is_plain()) {
            for (const std::int32_t slot : touched_slots_) of_slot_[place(slot)] = 0;
        }
        touched_items_.clear();
        touched_slots_.clear();
    }

    const Holdings& holdings_;
    Verdicts& verdicts_;
    const std::int64_t k_, floor_;
    std::vector<std::int32_t> of_item_, of_slot_, touched_items_, touched_slots_, later_;
    bool is_pair_bad_ = false;
    std::int64_t weight_ = 0;
};

// Two slots are both empty in g - x - y + c rows of a group of g, x and y of which fill one and c both. Fewer than t
// means x + y > g - t, and one of the two is filled by more than half of that.
std::vector<std::int32_t> slots_worth_a_look(const Holdings& holdings, std::int64_t k, const Known& one) {
    std::vector<std::uint8_t> has_whole(holdings.n_groups(), 0);
    for (std::size_t row = 0; row < holdings.n_rows(); ++row) {
        if (one.broken[row] == 0) has_whole[holdings.group_of_row(row)] = 1;
    }
    std::vector<std::int32_t> slots;
    for (std::size_t slot = 0; holdings.absence() && slot < holdings.n_slots(); ++slot) {
        const std::size_t group = holdings.group_of_slot(slot);
        const std::int64_t all = holdings.group_weight(group), filled = holdings.slot_weight(slot);
        const std::int64_t limit = has_whole[group] != 0 ? std::max(k, one.fewest) : one.fewest;
        if (filled > 0 && filled < all && 2 * filled > all - limit) slots.push_back(static_cast<std::int32_t>(slot));
    }
    return slots;
}

}  // namespace

Known one_known(const Holdings& holdings, std::int64_t k) {
    Known known{std::vector<std::uint8_t>(holdings.n_rows(), 0), std::numeric_limits<std::int64_t>::max()};
    std::vector<std::int64_t> n_bad_slots(holdings.n_groups(), 0);  // slots that fewer than k rows leave empty
    const auto n_without = [&](std::size_t slot) {
        return holdings.group_weight(holdings.group_of_slot(slot)) - holdings.slot_weight(slot);
    };
    const auto is_bad_slot = [&](std::size_t slot) { return n_without(slot) > 0 && n_without(slot) < k; };
    for (std::size_t group = 0; group < holdings.n_groups(); ++group) {
        if (holdings.group_weight(group) > 0) known.fewest = std::min(known.fewest, holdings.group_weight(group));
    }
    for (std::size_t item = 0; item < holdings.n_items(); ++item) {
        if (holdings.item_weight(item) > 0 && holdings.is_usable(static_cast<std::int32_t>(item)))
            known.fewest = std::min(known.fewest, holdings.item_weight(item));
    }
    for (std::size_t slot = 0; holdings.absence() && slot < holdings.n_slots(); ++slot) {
        if (n_without(slot) > 0) known.fewest = std::min(known.fewest, n_without(slot));
        if (is_bad_slot(slot)) ++n_bad_slots[holdings.group_of_slot(slot)];
    }
    for (std::size_t row = 0; row < holdings.n_rows(); ++row) {
        const std::size_t group = holdings.group_of_row(row);
        bool is_broken = holdings.group_weight(group) < k;
        std::int64_t n_filled = 0;
        for (const std::int32_t item : holdings.items(row)) {
            is_broken |= holdings.item_weight(place(item)) < k && holdings.is_usable(item);
            n_filled += is_bad_slot(place(holdings.slot(item))) ? 1 : 0;
        }
        known.broken[row] = is_broken || (holdings.absence() && n_filled < n_bad_slots[group]) ? 1 : 0;
    }
    return known;
}

Known two_known(const Holdings& holdings, std::int64_t k, Known one, std::int64_t floor, Pulse& pulse, int threads) {
    constexpr std::size_t n_per_share = 256;
    const std::vector<std::int32_t> empty_slots = slots_worth_a_look(holdings, k, one);
    Verdicts verdicts(holdings, k, one);
    Workers<PairCounter> workers(count_threads(threads),
                                 [&] { return std::make_unique<PairCounter>(holdings, verdicts, k, floor); });
    const auto run = [&](std::size_t n, std::size_t n_share, const auto& body) {
        workers.run((n + n_share - 1) / n_share, [&](PairCounter& counter, std::size_t share) {
            pulse.check();
            for (std::size_t i = share * n_share; i < std::min(n, (share + 1) * n_share); ++i) body(counter, i);
            pulse.advance(static_cast<std::int64_t>(std::min(n, (share + 1) * n_share) - share * n_share));
        });
    };
    pulse.begin(static_cast<std::int64_t>(holdings.n_rows() + holdings.n_items() + empty_slots.size()));
    run(holdings.n_rows(), n_per_share,
        [](PairCounter& counter, std::size_t row) { counter.probe(static_cast<std::int32_t>(row)); });
    run(holdings.n_items(), 16, [&](PairCounter& counter, std::size_t item) {
        if (holdings.is_usable(static_cast<std::int32_t>(item)))
            counter.judge(holdings.slot(static_cast<std::int32_t>(item)), holdings.holders(item),
                          holdings.item_weight(item));
    });
    run(empty_slots.size(), 1, [&](PairCounter& counter, std::size_t i) {
        const std::size_t slot = place(empty_slots[i]);
        const std::vector<std::int32_t> rows = holdings.rows_without(slot);
        counter.judge(empty_slots[i], rows,
                      holdings.group_weight(holdings.group_of_slot(slot)) - holdings.slot_weight(slot));
    });
    return verdicts.result();
}

}  // namespace celosia
