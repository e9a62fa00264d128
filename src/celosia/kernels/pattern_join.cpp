#include "pattern_join.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>

#include "team.hpp"
#include "workers.hpp"

namespace celosia {

PatternJoin::PatternJoin(const PackedTuples& tuples) : tuples_(tuples), order_(tuples.size()) {
    const auto compare = [&tuples](std::size_t x, std::size_t y) {
        for (std::size_t w = 0; w < tuples.n_words(); ++w) {
            if (tuples.known(w)[x] != tuples.known(w)[y]) return tuples.known(w)[x] < tuples.known(w)[y] ? -1 : 1;
        }
        return 0;
    };
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&compare](std::int32_t x, std::int32_t y) {
        return compare(static_cast<std::size_t>(x), static_cast<std::size_t>(y)) < 0;
    });
    std::vector<std::pair<std::size_t, std::size_t>> patterns;  // first place, tuples
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const auto at = [this](std::size_t place) { return static_cast<std::size_t>(order_[place]); };
        if (i == 0 || compare(at(i - 1), at(i)) != 0) patterns.emplace_back(i, 0);
        ++patterns.back().second;
    }
    std::stable_sort(patterns.begin(), patterns.end(),
                     [](const auto& x, const auto& y) { return x.second > y.second; });
    std::vector<std::int32_t> sorted;
    sorted.reserve(order_.size());
    for (const auto& [first, n] : patterns) {
        begins_.push_back(sorted.size());
        const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
        sorted.insert(sorted.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
    }
    begins_.push_back(sorted.size());
    order_ = std::move(sorted);
    tuples_.reorder(order_);
}

class PatternJoin::Worker {
   public:
    explicit Worker(const PatternJoin& join) : found(join.tuples_.size(), 0), join_(join), tuples_(join.tuples_) {}

    std::vector<std::int64_t> found;  // by place

    // Joins a pattern with each that has more tuples.
    void join_with_larger(std::size_t pattern, Pulse& pulse) {
        const std::size_t first = join_.begins_[pattern], last = join_.begins_[pattern + 1];
        slots_.resize(std::bit_ceil(2 * (last - first)));
        shared_.resize(tuples_.n_words());
        entry_of_.resize(last - first);
        for (std::size_t larger = 0; larger < pattern; ++larger) {
            pulse.check();
            for (std::size_t w = 0; w < shared_.size(); ++w)
                shared_[w] = tuples_.known(w)[first] & tuples_.known(w)[join_.begins_[larger]];
            tuples_.n_words() == 1 ? join<true>(first, last, larger) : join<false>(first, last, larger);
        }
    }

   private:
    struct Entry {
        std::size_t place;
        std::int64_t n_rows = 0, n_met = 0;
    };

    template <bool is_one_word>
    bool are_equal(std::size_t x, std::size_t y) const {
        if (is_one_word) return ((tuples_.codes(0)[x] ^ tuples_.codes(0)[y]) & shared_[0]) == 0;
        for (std::size_t w = 0; w < shared_.size(); ++w) {
            if (((tuples_.codes(w)[x] ^ tuples_.codes(w)[y]) & shared_[w]) != 0) return false;
        }
        return true;
    }

    static constexpr std::uint64_t nothing = 0;

    // The slot that holds the entry of an equal tuple, or where it would stand. A slot is the upper half of a hash,
    // which settles nearly all comparisons without a look at the entry, above the number of the entry, from 1.
    template <bool is_one_word>
    std::uint64_t& slot(std::size_t place, std::uint64_t& upper_half) {
        std::uint64_t hash = 0;
        for (std::size_t w = 0; w < (is_one_word ? 1 : shared_.size()); ++w) {
            hash = (hash ^ (tuples_.codes(w)[place] & shared_[w])) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        hash *= 0xBF58476D1CE4E5B9u;
        upper_half = hash & 0xFFFFFFFF00000000u;
        std::size_t at = (hash >> 8) & (slots_.size() - 1);
        while (slots_[at] != nothing &&
               ((slots_[at] ^ hash) >> 32 != 0 || !are_equal<is_one_word>(entry_in(slots_[at]).place, place)))
            at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

    Entry& entry_in(std::uint64_t slot) { return entries_[(slot & 0xFFFFFFFFu) - 1]; }

    template <bool is_one_word>
    void join(std::size_t first, std::size_t last, std::size_t larger) {
        std::fill(slots_.begin(), slots_.end(), nothing);
        entries_.clear();
        std::uint64_t upper_half = 0;
        for (std::size_t i = first; i < last; ++i) {
            std::uint64_t& own = slot<is_one_word>(i, upper_half);
            if (own == nothing) {
                entries_.push_back({i});
                own = upper_half | entries_.size();
            }
            Entry& entry = entry_in(own);
            entry.n_rows += tuples_.n_rows()[i];
            entry_of_[i - first] = static_cast<std::int32_t>(&entry - entries_.data());
        }
        for (std::size_t i = join_.begins_[larger]; i < join_.begins_[larger + 1]; ++i) {
            const std::uint64_t own = slot<is_one_word>(i, upper_half);
            if (own == nothing) continue;
            Entry& entry = entry_in(own);
            found[i] += entry.n_rows;
            entry.n_met += tuples_.n_rows()[i];
        }
        for (std::size_t i = first; i < last; ++i)
            found[i] += entries_[static_cast<std::size_t>(entry_of_[i - first])].n_met;
    }

    const PatternJoin& join_;
    const PackedTuples& tuples_;
    std::vector<std::uint64_t> shared_;  // the bits of columns that both patterns know
    std::vector<std::uint64_t> slots_;
    std::vector<std::int32_t> entry_of_;
    std::vector<Entry> entries_;
};

std::vector<std::int64_t> PatternJoin::counts(Pulse& pulse, int threads) {
    pulse.begin(static_cast<std::int64_t>(n_patterns()));
    std::vector<std::int64_t> by_place(tuples_.n_rows(), tuples_.n_rows() + tuples_.size());
    std::vector<Worker*> all;
    Workers<Worker> workers(count_threads(threads), [&] {
        auto worker = std::make_unique<Worker>(*this);
        all.push_back(worker.get());
        return worker;
    });
    workers.run(n_patterns(), [&](Worker& worker, std::size_t item) {
        worker.join_with_larger(n_patterns() - 1 - item, pulse);  // the longest work first
        pulse.advance(1);
    });
    std::vector<std::int64_t> result(tuples_.size());
    for (const Worker* worker : all) {
        for (std::size_t i = 0; i < by_place.size(); ++i) by_place[i] += worker->found[i];
    }
    for (std::size_t i = 0; i < by_place.size(); ++i) result[static_cast<std::size_t>(order_[i])] = by_place[i];
    return result;
}

}  // namespace celosia
