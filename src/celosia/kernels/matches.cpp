// Rows that match each other where missing cells may hold anything.
//
// Equal rows are one tuple. The tuples are sorted, and pairs of ranges of that order are cut column by column: tuples
// with a code meet those with the same code and those without, tuples without a code meet everybody. Small pairs are
// compared tuple by tuple. Where cells are missing so often that hardly any pair is cut off, tuples are joined by their
// patterns of missing cells instead.
#include "matches.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <queue>
#include <utility>

#include "dispatch.hpp"
#include "distinct_tuples.hpp"
#include "packed_tuples.hpp"
#include "pattern_join.hpp"
#include "sorting.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

struct Range {
    std::size_t begin, end;

    std::size_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

// Two ranges, equal or apart, that match in the columns before `column`.
struct RangePair {
    Range one, other;
    std::size_t column;

    std::int64_t n_pairs() const {
        return static_cast<std::int64_t>(one.size()) * static_cast<std::int64_t>(other.size());
    }
};

// The tuples as a tree: below a range of tuples that are equal in the first columns stand its children, equal in one
// column more.
class TupleTree {
   public:
    explicit TupleTree(const DistinctTuples& tuples) : columns_(tuples.columns), ends_(columns_.size()) {
        std::vector<std::uint8_t> begins(tuples.size() + 1, 0);  // whether a tuple differs from the one before
        begins.back() = 1;
        for (std::size_t c = 0; c < ends_.size(); ++c) {
            const std::vector<std::int32_t>& codes = columns_[c].codes;
            ends_[c].resize(tuples.size());
            for (std::size_t i = tuples.size(); i-- > 0;) {
                if (i > 0 && codes[i] != codes[i - 1]) begins[i] = 1;
                ends_[c][i] = begins[i + 1] != 0 ? static_cast<std::int32_t>(i + 1) : ends_[c][i + 1];
            }
        }
    }

    std::size_t n_columns() const { return columns_.size(); }
    // The child that begins with a tuple, and its code in that column (0: missing).
    Range child(std::size_t column, std::size_t begin) const {
        return {begin, static_cast<std::size_t>(ends_[column][begin])};
    }
    std::int32_t code(std::size_t column, Range child) const { return columns_[column].codes[child.begin]; }

    // Calls act(pair) for the pairs of children that match.
    template <class Act>
    void split(const RangePair& pair, const Act& act) const {
        const std::size_t c = pair.column;
        const auto meet = [&act, c](Range x, Range y) { act(RangePair{x, y, c + 1}); };
        Range x = child(c, pair.one.begin), y = child(c, pair.other.begin);
        if (pair.one == pair.other) {
            const Range missing = code(c, x) == 0 ? x : Range{0, 0};
            for (;; x = child(c, x.end)) {
                meet(x, x);
                if (missing.size() > 0 && !(x == missing)) meet(missing, x);
                if (x.end == pair.one.end) return;
            }
        }
        const bool x_has_missing = code(c, x) == 0, y_has_missing = code(c, y) == 0;
        if (x_has_missing) {
            for (Range z = y;; z = child(c, z.end)) {
                meet(x, z);
                if (z.end == pair.other.end) break;
            }
        }
        const Range without_code = y;
        if (x_has_missing) {
            if (x.end == pair.one.end) return;
            x = child(c, x.end);
        }
        if (y_has_missing) {
            for (Range z = x;; z = child(c, z.end)) {
                meet(z, without_code);
                if (z.end == pair.one.end) break;
            }
            if (y.end == pair.other.end) return;
            y = child(c, y.end);
        }
        for (;;) {
            const std::int32_t a = code(c, x), b = code(c, y);
            if (a == b) meet(x, y);
            if (a <= b) {
                if (x.end == pair.one.end) return;
                x = child(c, x.end);
            }
            if (b <= a) {
                if (y.end == pair.other.end) return;
                y = child(c, y.end);
            }
        }
    }

    // Calls act(range) for short ranges that hold all tuples that match one.
    template <class Act>
    void search(std::size_t tuple, Range range, std::size_t column, const Act& act) const {
        if (range.size() <= n_short || column == n_columns()) {
            act(range);
            return;
        }
        const std::vector<std::int32_t>& codes = columns_[column].codes;
        const std::int32_t own = codes[tuple];
        Range x = child(column, range.begin);
        if (own == 0) {
            for (;; x = child(column, x.end)) {
                search(tuple, x, column + 1, act);
                if (x.end == range.end) return;
            }
        }
        if (code(column, x) == 0) search(tuple, x, column + 1, act);
        // A child per code stands in the range, ascending: to walk there would be slow where codes are many.
        const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(range.begin);
        const auto end = codes.begin() + static_cast<std::ptrdiff_t>(range.end);
        const auto equal = std::lower_bound(begin, end, own);
        if (equal != end && *equal == own)
            search(tuple, child(column, static_cast<std::size_t>(equal - codes.begin())), column + 1, act);
    }

   private:
    static constexpr std::size_t n_short = 32;

    const std::vector<DenseColumn>& columns_;
    std::vector<std::vector<std::int32_t>> ends_;  // [column][tuple]: where its equals in columns 0..column end
};

// One tuple against a range, in one word. Returns the rows of the range that match; adds those of the tuple to each.
CELOSIA_INLINE std::int64_t match_range(const std::uint64_t* codes, const std::uint64_t* known,
                                        const std::int64_t* n_rows, std::int64_t* found, std::size_t tuple,
                                        std::size_t begin, std::size_t end) {
    const std::uint64_t own = codes[tuple], own_known = known[tuple];
    const std::int64_t own_rows = n_rows[tuple];
    std::int64_t sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const std::int64_t matches = ((codes[i] ^ own) & known[i] & own_known) == 0 ? -1 : 0;
        sum += matches & n_rows[i];
        found[i] += matches & own_rows;
    }
    return sum;
}

// One thread's counts.
class Matcher {
   public:
    Matcher(const TupleTree& tree, const PackedTuples& tuples, const Pulse& pulse)
        : found(tuples.size(), 0), tree_(tree), tuples_(tuples), pulse_(pulse) {}

    std::vector<std::int64_t> found;

    void match(const RangePair& pair) {
        if (pair.n_pairs() <= n_most_pairs || pair.column == tree_.n_columns()) {
            compare(pair);
            return;
        }
        pulse_.check();
        tree_.split(pair, [this](const RangePair& part) { match(part); });
    }

   private:
    static constexpr std::int64_t n_most_pairs = 1024;

    void compare(const RangePair& pair) {
        const bool are_same = pair.one == pair.other;
        const Range longer = pair.one.size() > pair.other.size() ? pair.one : pair.other;
        const Range shorter = pair.one.size() > pair.other.size() ? pair.other : pair.one;
        for (std::size_t i = shorter.begin; i < shorter.end; ++i) {
            const std::size_t begin = are_same ? i + 1 : longer.begin;
            if (tuples_.n_words() == 1) {
                found[i] += dispatch<match_range>(tuples_.codes(0), tuples_.known(0), tuples_.n_rows(), found.data(), i,
                                                  begin, longer.end);
                continue;
            }
            for (std::size_t j = begin; j < longer.end; ++j) {
                if (!tuples_.match(i, j)) continue;
                found[i] += tuples_.n_rows()[j];
                found[j] += tuples_.n_rows()[i];
            }
        }
    }

    const TupleTree& tree_;
    const PackedTuples& tuples_;
    const Pulse& pulse_;
};

// The whole table with itself, cut into so many pairs that threads can share them; the largest are cut first.
std::vector<RangePair> shares(const TupleTree& tree, std::size_t n_tuples) {
    constexpr std::size_t n_wanted = 4096;
    constexpr std::int64_t n_small = 1 << 16;
    const auto is_smaller = [](const RangePair& x, const RangePair& y) { return x.n_pairs() < y.n_pairs(); };
    std::priority_queue<RangePair, std::vector<RangePair>, decltype(is_smaller)> queue(is_smaller);
    std::vector<RangePair> result;
    queue.push({{0, n_tuples}, {0, n_tuples}, 0});
    while (!queue.empty()) {
        const RangePair largest = queue.top();
        queue.pop();
        if (largest.n_pairs() <= n_small || largest.column == tree.n_columns() ||
            result.size() + queue.size() >= n_wanted) {
            result.push_back(largest);
        } else {
            tree.split(largest, [&queue](const RangePair& part) { queue.push(part); });
        }
    }
    return result;
}

std::vector<std::int64_t> counts_by_ranges(const TupleTree& tree, const PackedTuples& tuples, Pulse& pulse,
                                           int threads) {
    const std::vector<RangePair> pairs = shares(tree, tuples.size());
    pulse.begin(std::accumulate(pairs.begin(), pairs.end(), std::int64_t{0},
                                [](std::int64_t sum, const RangePair& pair) { return sum + pair.n_pairs(); }));
    std::vector<Matcher*> all;
    Workers<Matcher> workers(count_threads(threads), [&] {
        auto matcher = std::make_unique<Matcher>(tree, tuples, pulse);
        all.push_back(matcher.get());
        return matcher;
    });
    workers.run(pairs.size(), [&](Matcher& matcher, std::size_t item) {
        matcher.match(pairs[item]);
        pulse.advance(pairs[item].n_pairs());
    });
    std::vector<std::int64_t> counts(tuples.n_rows(), tuples.n_rows() + tuples.size());
    for (const Matcher* matcher : all) {
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += matcher->found[i];
    }
    return counts;
}

// How many tuples a tuple is compared with, on average, from a sample.
double n_compared(const TupleTree& tree, std::size_t n_tuples) {
    constexpr std::size_t n_sampled = 200;
    const std::size_t step = n_tuples / n_sampled + 1;
    double sum = 0.0, n = 0.0;
    for (std::size_t i = step / 2; i < n_tuples; i += step, n += 1.0) {
        tree.search(i, {0, n_tuples}, 0, [&sum](Range range) { sum += static_cast<double>(range.size()); });
    }
    return sum / std::max(n, 1.0);
}

// Columns that nobody lacks first, then those that cut off most pairs.
std::vector<DenseColumn> in_order_of_cutting(std::vector<DenseColumn> columns, std::size_t n) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        std::vector<double> n_of(static_cast<std::size_t>(columns[c].n_codes), 0.0);
        for (const std::int32_t code : columns[c].codes) n_of[static_cast<std::size_t>(code)] += 1.0;
        const double n_all = static_cast<double>(n), n_known = n_all - n_of[0];
        double share = n_all * n_all - n_known * n_known;
        for (std::size_t code = 1; code < n_of.size(); ++code) share += n_of[code] * n_of[code];
        order.emplace_back((columns[c].n_missing == 0 ? 0.0 : 1.0) + share / (n_all * n_all), c);
    }
    std::sort(order.begin(), order.end());
    std::vector<DenseColumn> ordered;
    for (const auto& [share, c] : order) ordered.push_back(std::move(columns[c]));
    return ordered;
}

// The distinct subjects of each tuple.
struct SubjectLists {
    std::vector<std::int32_t> subjects;
    std::vector<std::size_t> begins;  // of each tuple, and the end
    std::size_t n_subjects;

    SubjectLists(const DistinctTuples& tuples, const std::int32_t* given) {
        const DenseColumn all = dense_column(given, tuples.of_row.size());
        const std::vector<std::int32_t> order =
            sorted_rows({tuples.of_row.data(), all.codes.data()}, tuples.of_row.size(), nullptr);
        begins.assign(tuples.size() + 1, 0);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto row = static_cast<std::size_t>(order[i]), tuple = static_cast<std::size_t>(tuples.of_row[row]);
            if (begins[tuple + 1] > 0 && subjects.back() == all.codes[row]) continue;
            subjects.push_back(all.codes[row]);
            begins[tuple + 1] = subjects.size();
        }
        n_subjects = static_cast<std::size_t>(all.n_codes);
    }
};

// Every tuple looks for those that match it and counts their subjects: each pair that matches is visited.
std::vector<std::int64_t> counts_of_subjects(const TupleTree& tree, const PackedTuples& tuples,
                                             const SubjectLists& lists, Pulse& pulse, int threads) {
    constexpr std::size_t n_at_once = 64;
    pulse.begin(static_cast<std::int64_t>(tuples.size()));
    std::vector<std::int64_t> counts(tuples.size(), 0);
    using Stamps = std::vector<std::int32_t>;  // the tuple that counted a subject last
    Workers<Stamps> workers(count_threads(threads), [&] { return std::make_unique<Stamps>(lists.n_subjects, -1); });
    workers.run((tuples.size() + n_at_once - 1) / n_at_once, [&](Stamps& counted_by, std::size_t item) {
        const std::size_t end = std::min(tuples.size(), (item + 1) * n_at_once);
        for (std::size_t tuple = item * n_at_once; tuple < end; ++tuple) {
            const auto count = [&](std::size_t other) {
                for (std::size_t i = lists.begins[other]; i < lists.begins[other + 1]; ++i) {
                    std::int32_t& last = counted_by[static_cast<std::size_t>(lists.subjects[i])];
                    counts[tuple] += last != static_cast<std::int32_t>(tuple) ? 1 : 0;
                    last = static_cast<std::int32_t>(tuple);
                }
            };
            tree.search(tuple, {0, tuples.size()}, 0, [&](Range range) {
                for (std::size_t other = range.begin; other < range.end; ++other) {
                    if (tuples.match(tuple, other)) count(other);
                }
            });
            pulse.check();
        }
        pulse.advance(static_cast<std::int64_t>(end - item * n_at_once));
    });
    return counts;
}

std::vector<std::int64_t> counts_of_rows(const TupleTree& tree, const PackedTuples& tuples, Pulse& pulse, int threads) {
    // To join patterns costs about as much per tuple and pattern as ten comparisons; where there are few of these, they
    // are not worth a look at the patterns.
    constexpr double n_per_pattern = 10.0, n_few = 2000.0;
    const double n = n_compared(tree, tuples.size());
    if (n > n_few) {
        PatternJoin join(tuples);
        if (n > n_per_pattern * static_cast<double>(join.n_patterns())) return join.counts(pulse, threads);
    }
    return counts_by_ranges(tree, tuples, pulse, threads);
}

}  // namespace

std::vector<std::int64_t> match_counts(const CodeTable& table, const std::int32_t* subjects, Pulse& pulse,
                                       int threads) {
    pulse.begin(0);
    const std::size_t n = table.n_rows;
    std::vector<DenseColumn> columns = dense_columns(table, pulse);
    if (n == 0) return {};
    const DistinctTuples tuples = distinct_tuples(in_order_of_cutting(std::move(columns), n), n);
    pulse.check();
    const TupleTree tree(tuples);
    const PackedTuples packed(tuples);
    const std::vector<std::int64_t> counts =
        subjects == nullptr
            ? counts_of_rows(tree, packed, pulse, threads)
            : counts_of_subjects(tree, packed, SubjectLists(tuples, subjects), pulse, threads);
    std::vector<std::int64_t> result(n);
    std::transform(tuples.of_row.begin(), tuples.of_row.end(), result.begin(),
                   [&counts](std::int32_t tuple) { return counts[static_cast<std::size_t>(tuple)]; });
    return result;
}

}  // namespace celosia
