// Minimal sample uniques, found depth-first.
//
// Columns are numbered by their distinct codes, fewest first. A set grows downwards, each column lower than the one
// before, and lower columns are tried first: every subset is then met before the set. Only tuples that are not unique
// yet are carried on, so whoever becomes unique in a set is not unique in what it was cut from, and the set is minimal
// if it holds none of the sets that were found for the tuple before. Classes of the highest column never meet again:
// they are cut apart, in arrays of their own that stay in the cache, and threads share them.
#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "distinct_tuples.hpp"
#include "subsets.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

constexpr std::size_t n_most_columns = 64;
using Set = std::uint64_t;

// A set found for a tuple, and the one found before.
struct FoundSet {
    Set set;
    const FoundSet* before;
};

// What all threads share. A tuple is in one thread's hands at a time.
struct Uniques {
    DistinctTuples tuples;
    std::vector<std::int32_t> persons;  // of each tuple; a tuple of several rows has several if rows are people
    bool rows_are_people = true;
    std::size_t max_size = 0;
    std::vector<const FoundSet*> found;  // the last of each tuple
    std::vector<std::int32_t> counts;    // [tuple * max_size + size - 1]

    std::size_t n_columns() const { return tuples.columns.size(); }
    bool is_several_people(std::size_t tuple) const { return rows_are_people && tuples.n_rows[tuple] > 1; }
};

// One thread's search.
class UniqueSearch {
   public:
    UniqueSearch(Uniques& uniques, const Pulse& pulse)
        : in_column(uniques.n_columns() * uniques.max_size, 0),
          uniques_(uniques),
          pulse_(pulse),
          levels_(uniques.max_size) {
        std::int32_t n_codes = 1;
        for (const DenseColumn& column : uniques.tuples.columns) n_codes = std::max(n_codes, column.n_codes);
        groups_.resize(static_cast<std::size_t>(n_codes));
    }

    std::vector<std::int64_t> in_column;  // [column * max_size + size - 1]: rows times sets

    // Cuts all tuples by one column, notes those that are unique in it, and returns the classes of the others.
    StrippedPartition cut(std::size_t column) {
        const std::size_t n = uniques_.tuples.size();
        load(nullptr, n, column + 1);
        StrippedPartition all, parts;
        all.order.resize(n);
        std::iota(all.order.begin(), all.order.end(), 0);
        all.starts = {0, static_cast<std::int32_t>(n)};
        refine(all, parts, column, Set{1} << column, 1, true);
        return parts;
    }

    // Searches the classes first..last-1 of a column with all sets of lower columns.
    void search(const StrippedPartition& classes, std::size_t first, std::size_t last, std::size_t column) {
        const auto begin = static_cast<std::size_t>(classes.starts[first]);
        const auto end = static_cast<std::size_t>(classes.starts[last]);
        load(classes.order.data() + begin, end - begin, column);
        StrippedPartition& own = levels_[0];
        own.order.resize(end - begin);
        std::iota(own.order.begin(), own.order.end(), 0);
        own.starts.clear();
        for (std::size_t x = first; x <= last; ++x) own.starts.push_back(classes.starts[x] - classes.starts[first]);
        descend(own, column, Set{1} << column, 1);
    }

   private:
    // Of the tuples of a class with one code.
    struct Group {
        std::int32_t n = 0;
        std::int32_t person = 0;
        bool has_several = false;
        std::int32_t place = 0;
    };

    // Copies the lower columns of some tuples (null: of all). From here on they are numbered within these.
    void load(const std::int32_t* members, std::size_t n, std::size_t n_columns) {
        tuples_.resize(n);
        if (members == nullptr) {
            std::iota(tuples_.begin(), tuples_.end(), 0);
        } else {
            std::copy(members, members + n, tuples_.begin());
        }
        codes_.resize(uniques_.n_columns());
        const auto copy = [this](const std::vector<std::int32_t>& from, std::vector<std::int32_t>& to) {
            to.resize(tuples_.size());
            std::transform(tuples_.begin(), tuples_.end(), to.begin(),
                           [&from](std::int32_t tuple) { return from[static_cast<std::size_t>(tuple)]; });
        };
        for (std::size_t c = members == nullptr ? n_columns - 1 : 0; c < n_columns; ++c)
            copy(uniques_.tuples.columns[c].codes, codes_[c]);
        copy(uniques_.persons, persons_);
    }

    void descend(const StrippedPartition& partition, std::size_t n_lower, Set set, std::size_t size) {
        if (size == uniques_.max_size) return;
        const bool goes_on = size + 1 < uniques_.max_size;
        StrippedPartition& own = levels_[size];
        for (std::size_t column = 0; column < n_lower && !partition.order.empty(); ++column) {
            pulse_.check();
            const Set larger = set | Set{1} << column;
            refine(partition, own, column, larger, size + 1, goes_on && column > 0);
            if (goes_on && column > 0) descend(own, column, larger, size + 1);
        }
    }

    // Cuts every class by a column. Groups of one person are noted, those of several kept if somebody needs them;
    // tuples without a code are neither.
    void refine(const StrippedPartition& from, StrippedPartition& to, std::size_t column, Set set, std::size_t size,
                bool is_kept) {
        const std::vector<std::int32_t>& codes = codes_[column];
        to.order.resize(from.order.size());
        to.starts.clear();
        std::int32_t end = 0;
        for (std::size_t x = 0; x < from.n_classes(); ++x) {
            const auto first = static_cast<std::size_t>(from.starts[x]);
            const auto last = static_cast<std::size_t>(from.starts[x + 1]);
            touched_.clear();
            for (std::size_t i = first; i < last; ++i) {
                const auto member = static_cast<std::size_t>(from.order[i]);
                Group& group = groups_[static_cast<std::size_t>(codes[member])];
                if (group.n++ == 0) {
                    touched_.push_back(codes[member]);
                    group.person = persons_[member];
                    group.has_several = false;
                } else if (persons_[member] != group.person) {
                    group.has_several = true;
                }
            }
            bool has_uniques = false;
            for (const std::int32_t code : touched_) {
                Group& group = groups_[static_cast<std::size_t>(code)];
                has_uniques |= code != 0 && !group.has_several;
                if (code == 0 || !group.has_several || !is_kept) continue;
                to.starts.push_back(end);
                group.place = end;
                end += group.n;
            }
            if (is_kept || has_uniques) {
                for (std::size_t i = first; i < last; ++i) {
                    const auto member = static_cast<std::size_t>(from.order[i]);
                    if (codes[member] == 0) continue;
                    Group& group = groups_[static_cast<std::size_t>(codes[member])];
                    if (!group.has_several) {
                        note(static_cast<std::size_t>(tuples_[member]), set, size);
                    } else if (is_kept) {
                        to.order[static_cast<std::size_t>(group.place++)] = from.order[i];
                    }
                }
            }
            for (const std::int32_t code : touched_) groups_[static_cast<std::size_t>(code)].n = 0;
        }
        to.starts.push_back(end);
        to.order.resize(static_cast<std::size_t>(end));
    }

    // A tuple is unique in a set: counts it if no set found before lies within.
    void note(std::size_t tuple, Set set, std::size_t size) {
        if (uniques_.is_several_people(tuple)) return;
        for (const FoundSet* one = uniques_.found[tuple]; one != nullptr; one = one->before) {
            if ((one->set & ~set) == 0) return;
        }
        if (size < uniques_.max_size) uniques_.found[tuple] = &sets_.emplace_back(FoundSet{set, uniques_.found[tuple]});
        ++uniques_.counts[tuple * uniques_.max_size + size - 1];
        for (std::size_t c = 0; c < uniques_.n_columns(); ++c) {
            if ((set >> c & 1) != 0)
                in_column[c * uniques_.max_size + size - 1] += uniques_.tuples.n_rows[tuple];
        }
    }

    Uniques& uniques_;
    const Pulse& pulse_;
    std::deque<FoundSet> sets_;  // never moved: other threads' sets point to them
    std::vector<StrippedPartition> levels_;
    std::vector<std::int32_t> tuples_, persons_, touched_;
    std::vector<std::vector<std::int32_t>> codes_;
    std::vector<Group> groups_;
};

// How many sets of at most `max_size` columns have this one as their highest, up to a limit.
std::int64_t n_sets_below(std::size_t column, std::size_t max_size) {
    constexpr std::int64_t limit = 1 << 20;
    std::int64_t sum = 0, n_of_size = 1;
    for (std::size_t size = 0; size < max_size && size <= column && sum < limit; ++size) {
        sum += n_of_size;
        n_of_size = n_of_size * static_cast<std::int64_t>(column - size) / static_cast<std::int64_t>(size + 1);
    }
    return std::min(sum, limit);
}

// Where each thread's share of the classes ends: a few thousand tuples, or one class.
std::vector<std::size_t> share_ends(const StrippedPartition& classes) {
    constexpr std::int32_t n_wanted = 4096;
    std::vector<std::size_t> ends;
    std::int32_t begin = 0;
    for (std::size_t x = 1; x <= classes.n_classes(); ++x) {
        if (classes.starts[x] - begin < n_wanted && x < classes.n_classes()) continue;
        ends.push_back(x);
        begin = classes.starts[x];
    }
    return ends;
}

// Returns the number of rows times sets that hold each column, by size.
std::vector<std::int64_t> search_all(Uniques& uniques, Pulse& pulse, int threads) {
    std::vector<const UniqueSearch*> all;
    Workers<UniqueSearch> workers(count_threads(threads), [&] {
        auto search = std::make_unique<UniqueSearch>(uniques, pulse);
        all.push_back(search.get());
        return search;
    });
    std::int64_t total = 0;
    for (std::size_t column = 0; column < uniques.n_columns(); ++column)
        total += n_sets_below(column, uniques.max_size);
    pulse.begin(total * static_cast<std::int64_t>(uniques.tuples.size()));
    for (std::size_t column = 0; column < uniques.n_columns(); ++column) {
        const StrippedPartition classes = workers.first().cut(column);
        const std::vector<std::size_t> ends = share_ends(classes);
        const std::int64_t n_sets = n_sets_below(column, uniques.max_size);
        workers.run(ends.size(), [&](UniqueSearch& search, std::size_t item) {
            const std::size_t first = item == 0 ? 0 : ends[item - 1];
            search.search(classes, first, ends[item], column);
            pulse.advance(n_sets * (classes.starts[ends[item]] - classes.starts[first]));
        });
        pulse.advance(n_sets * (static_cast<std::int64_t>(uniques.tuples.size()) - classes.starts.back()));
    }
    std::vector<std::int64_t> in_column(uniques.n_columns() * uniques.max_size, 0);
    for (const UniqueSearch* search : all) {
        for (std::size_t i = 0; i < in_column.size(); ++i) in_column[i] += search->in_column[i];
    }
    return in_column;
}

}  // namespace

MinimalUniques minimal_uniques(const CodeTable& table, std::int64_t max_size, const std::int32_t* subjects,
                               Pulse& pulse, int threads) {
    const std::size_t n_columns = table.columns.size();
    if (n_columns > n_most_columns) throw std::invalid_argument("there are more than 64 columns");
    if (max_size < 1 || max_size > static_cast<std::int64_t>(n_columns))
        throw std::invalid_argument("max_size must lie in 1..number of columns");
    pulse.begin(0);
    OrderedColumns ordered = by_distinct_codes(table, pulse);
    Uniques uniques;
    uniques.max_size = static_cast<std::size_t>(max_size);
    uniques.rows_are_people = subjects == nullptr;
    uniques.tuples = distinct_tuples(std::move(ordered.columns), table.n_rows, subjects);
    uniques.persons.resize(uniques.tuples.size());
    std::iota(uniques.persons.begin(), uniques.persons.end(), 0);
    for (std::size_t row = 0; subjects != nullptr && row < table.n_rows; ++row)
        uniques.persons[static_cast<std::size_t>(uniques.tuples.of_row[row])] = subjects[row];
    uniques.found.assign(uniques.tuples.size(), nullptr);
    uniques.counts.assign(uniques.tuples.size() * uniques.max_size, 0);
    const std::vector<std::int64_t> in_column = search_all(uniques, pulse, threads);
    MinimalUniques result;
    result.counts.resize(table.n_rows * uniques.max_size);
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        const auto from = static_cast<std::size_t>(uniques.tuples.of_row[row]) * uniques.max_size;
        std::copy_n(uniques.counts.data() + from, uniques.max_size, result.counts.data() + row * uniques.max_size);
    }
    result.in_column.resize(in_column.size());
    for (std::size_t c = 0; c < n_columns; ++c)
        std::copy_n(in_column.data() + c * uniques.max_size, uniques.max_size,
                    result.in_column.data() + static_cast<std::size_t>(ordered.names[c]) * uniques.max_size);
    return result;
}

}  // namespace celosia
