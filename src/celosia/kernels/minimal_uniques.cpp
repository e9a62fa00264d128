// Minimal sample uniques, level by level.
//
// A row may have a set as a minimal one only if it is known and not unique in every subset with a column less; all rows
// that are equal to it in the set are such rows too. So for each set only the rows that are in all those subsets'
// lists of non-uniques are grouped: who is alone has found a minimal unique, the others are the list of this set. Lists
// are kept for one level at a time, as bits or, where they are short, as numbers.
#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "distinct_tuples.hpp"
#include "packed_tuples.hpp"
#include "subsets.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

constexpr std::size_t n_most_columns = 64;
using Set = std::uint64_t;

// Some tuples, in ascending order.
class TupleList {
   public:
    TupleList() = default;
    TupleList(const std::vector<std::int32_t>& tuples, std::size_t n_all) : size_(tuples.size()) {
        if (32 * tuples.size() < n_all) {
            numbers_ = tuples;
            return;
        }
        bits_.assign((n_all + 63) / 64, 0);
        for (const std::int32_t tuple : tuples)
            bits_[static_cast<std::size_t>(tuple) / 64] |= std::uint64_t{1} << (tuple % 64);
    }

    std::size_t size() const { return size_; }

    // Keeps what is in both.
    void cut(std::vector<std::int32_t>& tuples) const {
        if (!bits_.empty()) {
            std::erase_if(tuples, [this](std::int32_t tuple) {
                return (bits_[static_cast<std::size_t>(tuple) / 64] >> (tuple % 64) & 1) == 0;
            });
            return;
        }
        auto own = numbers_.begin();
        std::erase_if(tuples, [&](std::int32_t tuple) {
            own = std::lower_bound(own, numbers_.end(), tuple);
            return own == numbers_.end() || *own != tuple;
        });
    }

    // Writes what is in all lists.
    static void intersect(std::vector<const TupleList*>& lists, std::vector<std::int32_t>& tuples) {
        std::sort(lists.begin(), lists.end(), [](auto x, auto y) { return x->size_ < y->size_; });
        tuples.clear();
        if (lists[0]->bits_.empty()) {
            tuples = lists[0]->numbers_;
            for (std::size_t i = 1; i < lists.size(); ++i) lists[i]->cut(tuples);
            return;
        }
        for (std::size_t word = 0; word < lists[0]->bits_.size(); ++word) {
            std::uint64_t bits = ~std::uint64_t{0};
            for (const TupleList* list : lists) bits &= list->bits_[word];
            for (; bits != 0; bits &= bits - 1)
                tuples.push_back(static_cast<std::int32_t>(64 * word) + std::countr_zero(bits));
        }
    }

   private:
    std::size_t size_ = 0;
    std::vector<std::uint64_t> bits_;
    std::vector<std::int32_t> numbers_;
};

// The sets of one size in which somebody is not unique, ascending, and who is not.
struct Level {
    std::vector<Set> sets;
    std::vector<TupleList> lists;

    const TupleList* find(Set set) const {
        const auto at = std::lower_bound(sets.begin(), sets.end(), set);
        return at == sets.end() || *at != set ? nullptr : &lists[static_cast<std::size_t>(at - sets.begin())];
    }
};

struct UniqueTable {
    DistinctTuples tuples;
    PackedTuples packed;
    std::vector<std::int32_t> persons;  // of each tuple
    bool rows_are_people;

    bool is_several_people(std::size_t tuple) const { return rows_are_people && tuples.n_rows[tuple] > 1; }
};

// One thread's grouping.
class UniqueSearch {
   public:
    explicit UniqueSearch(const UniqueTable& table)
        : n_found(table.tuples.size(), 0), in_column(table.tuples.columns.size(), 0), table_(table) {}

    // Of the level: how many minimal uniques each tuple has, and how many rows have one with each column.
    std::vector<std::int32_t> n_found;
    std::vector<std::int64_t> in_column;

    // Notes who is unique in the set, and returns who is not. Subsets are the lists of all sets with a column less.
    TupleList search(Set set, std::vector<const TupleList*>& subsets) {
        if (subsets.empty()) {
            members_.clear();
            const std::vector<std::int32_t>& codes = codes_of(std::countr_zero(set));
            for (std::size_t i = 0; i < codes.size(); ++i) {
                if (codes[i] != 0) members_.push_back(static_cast<std::int32_t>(i));
            }
        } else {
            TupleList::intersect(subsets, members_);
        }
        group(set);
        std::int64_t n_rows = 0;
        std::size_t n_kept = 0;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            if ((slots_[place_of_[i]] & several) != 0) {
                members_[n_kept++] = members_[i];
                continue;
            }
            const auto tuple = static_cast<std::size_t>(members_[i]);
            ++n_found[tuple];
            n_rows += table_.tuples.n_rows[tuple];
        }
        for (Set rest = set; rest != 0; rest &= rest - 1)
            in_column[static_cast<std::size_t>(std::countr_zero(rest))] += n_rows;
        members_.resize(n_kept);
        return {members_, table_.tuples.size()};
    }

   private:
    // A slot holds the number of its first member, from 1, a bit that says whether several people are in it, and above
    // them a part of the hash, which settles nearly all comparisons without a look at the member.
    static constexpr std::uint64_t nothing = 0, member_bits = 0xFFFFFFFFu, several = std::uint64_t{1} << 32;
    static constexpr std::uint64_t hash_bits = ~(member_bits | several);
    static constexpr std::size_t n_ahead = 16;  // slots are all over the memory: they are asked for in time

    static void prefetch([[maybe_unused]] const std::uint64_t* slot) {
#if defined(__GNUC__)
        __builtin_prefetch(slot, 1);
#endif
    }

    const std::vector<std::int32_t>& codes_of(int column) const {
        return table_.tuples.columns[static_cast<std::size_t>(column)].codes;
    }

    // Puts members that are equal in the set into one slot.
    void group(Set set) {
        const PackedTuples& packed = table_.packed;
        masks_ = packed.masks(set);
        slots_.assign(std::bit_ceil(2 * members_.size() + 2), nothing);
        place_of_.resize(members_.size());
        hashes_.resize(members_.size());
        for (std::size_t i = 0; i < members_.size(); ++i) hashes_[i] = hash(static_cast<std::size_t>(members_[i]));
        const std::size_t last_slot = slots_.size() - 1;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            if (i + n_ahead < members_.size()) prefetch(&slots_[hashes_[i + n_ahead] & last_slot]);
            const auto tuple = static_cast<std::size_t>(members_[i]);
            std::size_t at = hashes_[i] & last_slot;
            while (slots_[at] != nothing && !is_equal(slots_[at], hashes_[i], tuple)) at = (at + 1) & last_slot;
            std::uint64_t& slot = slots_[at];
            if (slot == nothing) {
                slot = (hashes_[i] & hash_bits) | static_cast<std::uint64_t>(i + 1);
                if (table_.is_several_people(tuple)) slot |= several;
            } else if (table_.rows_are_people || table_.persons[tuple] != table_.persons[first_in(slot)]) {
                slot |= several;
            }
            place_of_[i] = static_cast<std::uint32_t>(at);
        }
    }

    std::uint64_t hash(std::size_t tuple) const {
        std::uint64_t hash = 0;
        for (std::size_t w = 0; w < masks_.size(); ++w) {
            hash = (hash ^ (table_.packed.codes(w)[tuple] & masks_[w])) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        hash *= 0xBF58476D1CE4E5B9u;
        return hash ^ hash >> 32;
    }

    std::size_t first_in(std::uint64_t slot) const {
        return static_cast<std::size_t>(members_[(slot & member_bits) - 1]);
    }

    bool is_equal(std::uint64_t slot, std::uint64_t hash, std::size_t tuple) const {
        if (((slot ^ hash) & hash_bits) != 0) return false;
        const std::size_t other = first_in(slot);
        for (std::size_t w = 0; w < masks_.size(); ++w) {
            const std::uint64_t* codes = table_.packed.codes(w);
            if (((codes[tuple] ^ codes[other]) & masks_[w]) != 0) return false;
        }
        return true;
    }

    const UniqueTable& table_;
    std::vector<std::uint64_t> masks_, slots_, hashes_;
    std::vector<std::int32_t> members_;
    std::vector<std::uint32_t> place_of_;
};

// The sets with one column more all of whose subsets are in the level, ascending.
std::vector<Set> larger_sets(const Level& level, std::size_t n_columns, const Pulse& pulse) {
    std::vector<Set> sets;
    for (const Set set : level.sets) {
        pulse.check();
        for (auto column = static_cast<std::size_t>(std::bit_width(set)); column < n_columns; ++column) {
            const Set larger = set | Set{1} << column;
            bool is_possible = true;
            for (Set rest = set; rest != 0 && is_possible; rest &= rest - 1)
                is_possible = level.find(larger & ~(rest & -rest)) != nullptr;
            if (is_possible) sets.push_back(larger);
        }
    }
    std::sort(sets.begin(), sets.end());
    return sets;
}

// How many sets of so many columns there are, up to a limit that keeps sums of them small.
std::int64_t n_sets(std::size_t n_columns, std::size_t size) {
    constexpr double limit = 1e15;
    double n = 1.0;
    for (std::size_t i = 0; i < size; ++i) n = n * static_cast<double>(n_columns - i) / static_cast<double>(i + 1);
    return static_cast<std::int64_t>(std::min(n, limit) + 0.5);
}

// Fills both tables of counts.
class LevelSearch {
   public:
    LevelSearch(const UniqueTable& table, std::size_t max_size, Pulse& pulse, int threads)
        : counts(table.tuples.size() * max_size, 0),
          in_column(table.tuples.columns.size() * max_size, 0),
          table_(table),
          max_size_(max_size),
          pulse_(pulse),
          workers_(count_threads(threads), [this] {
              auto search = std::make_unique<UniqueSearch>(table_);
              all_.push_back(search.get());
              return search;
          }) {}

    std::vector<std::int32_t> counts;     // [tuple * max_size + size - 1]
    std::vector<std::int64_t> in_column;  // [column * max_size + size - 1]

    void run() {
        const std::size_t n_columns = table_.tuples.columns.size();
        std::int64_t total = 0, done = 0;
        for (std::size_t size = 1; size <= max_size_; ++size) total += n_sets(n_columns, size);
        pulse_.begin(total);
        std::vector<Set> sets;
        for (std::size_t c = 0; c < n_columns; ++c) sets.push_back(Set{1} << c);
        Level level;
        for (std::size_t size = 1; size <= max_size_ && !sets.empty(); ++size) {
            search(level, sets, size);
            done += n_sets(n_columns, size);
            pulse_.reach(done);
            if (size < max_size_) sets = larger_sets(level, n_columns, pulse_);
        }
        pulse_.reach(total);
    }

   private:
    // Searches all sets of one size and puts the next level in the place of the one before.
    void search(Level& level, const std::vector<Set>& sets, std::size_t size) {
        std::vector<TupleList> lists(sets.size());
        workers_.run(sets.size(), [&](UniqueSearch& search, std::size_t item) {
            pulse_.check();
            std::vector<const TupleList*> subsets;
            for (Set rest = sets[item]; size > 1 && rest != 0; rest &= rest - 1)
                subsets.push_back(level.find(sets[item] & ~(rest & -rest)));
            TupleList list = search.search(sets[item], subsets);
            if (size < max_size_) lists[item] = std::move(list);
            pulse_.advance(1);
        });
        level = {};
        for (std::size_t i = 0; i < sets.size(); ++i) {
            if (lists[i].size() == 0) continue;
            level.sets.push_back(sets[i]);
            level.lists.push_back(std::move(lists[i]));
        }
        for (UniqueSearch* search : all_) gather(*search, size);
    }

    void gather(UniqueSearch& search, std::size_t size) {
        const auto add = [this, size](auto& from, auto& to) {
            for (std::size_t i = 0; i < from.size(); ++i) to[i * max_size_ + size - 1] += std::exchange(from[i], 0);
        };
        add(search.n_found, counts);
        add(search.in_column, in_column);
    }

    const UniqueTable& table_;
    const std::size_t max_size_;
    Pulse& pulse_;
    std::vector<UniqueSearch*> all_;
    Workers<UniqueSearch> workers_;
};

}  // namespace

MinimalUniques minimal_uniques(const CodeTable& table, std::int64_t max_size, const std::int32_t* subjects,
                               Pulse& pulse, int threads) {
    if (table.columns.size() > n_most_columns) throw std::invalid_argument("there are more than 64 columns");
    if (max_size < 1 || max_size > static_cast<std::int64_t>(table.columns.size()))
        throw std::invalid_argument("max_size must lie in 1..number of columns");
    pulse.begin(0);
    DistinctTuples tuples = distinct_tuples(dense_columns(table, pulse), table.n_rows, subjects);
    std::vector<std::int32_t> persons(tuples.size());
    std::iota(persons.begin(), persons.end(), 0);
    for (std::size_t row = 0; subjects != nullptr && row < table.n_rows; ++row)
        persons[static_cast<std::size_t>(tuples.of_row[row])] = subjects[row];
    const PackedTuples packed(tuples);
    const UniqueTable uniques{std::move(tuples), packed, std::move(persons), subjects == nullptr};
    const auto n_sizes = static_cast<std::size_t>(max_size);
    LevelSearch search(uniques, n_sizes, pulse, threads);
    search.run();
    MinimalUniques result{std::vector<std::int32_t>(table.n_rows * n_sizes), std::move(search.in_column)};
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        const auto from = static_cast<std::size_t>(uniques.tuples.of_row[row]) * n_sizes;
        std::copy_n(search.counts.data() + from, n_sizes, result.counts.data() + row * n_sizes);
    }
    return result;
}

}  // namespace celosia
