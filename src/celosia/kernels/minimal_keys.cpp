// Minimal keys, found depth-first.
//
// Columns are numbered by their distinct codes, fewest first. A set grows downwards, each column lower than the one
// before, and lower columns are tried first: every subset is then met before the set (threads may break that order, so
// what turns out not to be minimal is dropped at the end). Below a set stand only sets of it and lower columns. Where
// all lower columns together would not be enough, there is nothing below: this is what makes the search short.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "distinct_tuples.hpp"
#include "subsets.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

constexpr std::size_t n_most_columns = 512;
using Set = std::vector<std::size_t>;  // of columns, the highest first

// Of what the search stands on; columns in the order of the search.
struct KeyTable {
    DistinctTuples tuples;
    std::vector<std::vector<std::int32_t>> labels;  // [m]: of each tuple by the columns 0..m
    std::size_t max_size = 0;
    std::int64_t n_spare = 0;  // so many fewer tuples than there are would still be enough

    std::size_t n_columns() const { return tuples.columns.size(); }
};

std::vector<std::vector<std::int32_t>> labels_by_first_columns(const DistinctTuples& tuples) {
    std::vector<std::vector<std::int32_t>> labels(tuples.columns.size());
    std::vector<std::uint8_t> differs(tuples.size(), 0);  // from the tuple before, in the columns so far
    for (std::size_t m = 0; m < labels.size(); ++m) {
        const std::vector<std::int32_t>& codes = tuples.columns[m].codes;
        labels[m].resize(tuples.size());
        std::int32_t label = 0;
        for (std::size_t i = 1; i < tuples.size(); ++i) {
            if (codes[i] != codes[i - 1]) differs[i] = 1;
            label += differs[i];
            labels[m][i] = label;
        }
    }
    return labels;
}

// Sets as paths from their highest column down, so that a question for subsets meets few of them.
class SetTree {
   public:
    void add(const Set& set) {
        std::size_t node = 0;
        for (const std::size_t column : set) {
            const auto [next, is_new] = nodes_[node].try_emplace(column, nodes_.size());
            node = next->second;
            if (is_new) nodes_.emplace_back();
        }
        nodes_[node].try_emplace(end_of_set, 0);
    }

    // Whether a set that goes on from the node lies within the columns from the place `next` on.
    bool has_subset(const Set& set, std::size_t node = 0, std::size_t next = 0) const {
        const auto& children = nodes_[node];
        if (children.contains(end_of_set)) return true;
        for (; next < set.size(); ++next) {
            const auto child = children.find(set[next]);
            if (child != children.end() && has_subset(set, child->second, next + 1)) return true;
        }
        return false;
    }

   private:
    static constexpr std::size_t end_of_set = n_most_columns;

    std::deque<std::map<std::size_t, std::size_t>> nodes_{1};  // [node]: column -> node; a deque moves none of them
};

// The keys found so far.
class FoundKeys {
   public:
    void add(const Set& set) {
        const std::lock_guard lock(mutex_);
        tree_.add(set);
        keys_.push_back(set);
    }

    bool lies_within(const Set& set) const {
        const std::lock_guard lock(mutex_);
        return tree_.has_subset(set);
    }

    std::vector<Set> minimal(const Pulse& pulse) {
        std::stable_sort(keys_.begin(), keys_.end(), [](const Set& x, const Set& y) { return x.size() < y.size(); });
        std::vector<Set> kept;
        SetTree tree;
        for (const Set& key : keys_) {
            pulse.check();
            if (tree.has_subset(key)) continue;
            tree.add(key);
            kept.push_back(key);
        }
        return kept;
    }

   private:
    mutable std::mutex mutex_;
    SetTree tree_;
    std::vector<Set> keys_;
};

// Tuples in classes of two and more, class after class: whoever is alone in a class needs no further cutting.
struct StrippedPartition {
    std::vector<std::int32_t> order;
    std::vector<std::int32_t> starts;  // of each class, and the end

    std::size_t n_classes() const { return starts.size() - 1; }
};

// One thread's search.
class KeySearch {
   public:
    KeySearch(const KeyTable& table, FoundKeys& found, const Pulse& pulse)
        : table_(table), found_(found), pulse_(pulse), levels_(std::min(table.max_size, table.n_columns())) {
        std::size_t n_labels = table.tuples.size() + 1;
        for (const DenseColumn& column : table.tuples.columns)
            n_labels = std::max(n_labels, static_cast<std::size_t>(column.n_codes));
        seen_in_.resize(n_labels, 0);
        n_of_.resize(n_labels, 0);
        all_.order.resize(table.tuples.size());
        std::iota(all_.order.begin(), all_.order.end(), 0);
        all_.starts = {0, static_cast<std::int32_t>(all_.order.size())};
    }

    bool is_key(std::size_t column) { return is_enough(all_, codes(column)); }

    // Everything below {first, second}, second being lower; for neighbours {first} is cut once.
    void search(std::size_t first, std::size_t second) {
        if (first_ != first) {
            refine(all_, levels_[0], codes(first));
            first_ = first;
            lowest_second_ = lowest_worth_trying(levels_[0], first, 1);
        }
        if (second >= lowest_second_) visit({first}, levels_[0], second, 1);
    }

   private:
    const std::vector<std::int32_t>& codes(std::size_t column) const { return table_.tuples.columns[column].codes; }

    // Tries a set and one lower column, then what lies below them.
    void visit(Set set, const StrippedPartition& partition, std::size_t column, std::size_t n_in_set) {
        pulse_.check();
        set.push_back(column);
        if (found_.lies_within(set)) return;
        if (is_enough(partition, codes(column))) {
            found_.add(set);
            return;
        }
        const std::size_t size = n_in_set + 1;
        if (column == 0 || size == levels_.size() || !may_be_enough(partition, column, size)) return;
        StrippedPartition& own = levels_[n_in_set];
        refine(partition, own, codes(column));
        for (std::size_t lower = lowest_worth_trying(own, column, size); lower < column; ++lower)
            visit(set, own, lower, size);
    }

    // The lowest column that is enough with the set and all columns below it; `end` where none is.
    std::size_t lowest_worth_trying(const StrippedPartition& partition, std::size_t end, std::size_t size) {
        if (size + 1 == levels_.size()) return 0;  // each will be tried alone, which costs no more
        std::size_t low = 0, high = end;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (is_enough(partition, table_.labels[middle])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    // False if the set with `column` and so few lower ones cannot have enough combinations of codes.
    bool may_be_enough(const StrippedPartition& partition, std::size_t column, std::size_t size) const {
        const auto most = static_cast<std::int64_t>(table_.tuples.size());
        std::int64_t n_combinations = table_.tuples.columns[column].n_distinct();
        for (std::size_t j = 1; j <= levels_.size() - size && j <= column && n_combinations < most; ++j)
            n_combinations *= table_.tuples.columns[column - j].n_distinct();
        std::int64_t n_lost = 0;
        for (std::size_t x = 0; x < partition.n_classes(); ++x)
            n_lost += std::max<std::int64_t>(0, partition.starts[x + 1] - partition.starts[x] - n_combinations);
        return n_lost <= table_.n_spare;
    }

    // Whether the tuples are told apart enough by their class and these codes.
    bool is_enough(const StrippedPartition& partition, const std::vector<std::int32_t>& codes) {
        std::int64_t n_lost = 0;
        for (std::size_t x = 0; x < partition.n_classes() && n_lost <= table_.n_spare; ++x) {
            if (++serial_ == 0) {
                std::fill(seen_in_.begin(), seen_in_.end(), 0);
                serial_ = 1;
            }
            for (auto i = static_cast<std::size_t>(partition.starts[x]);
                 i < static_cast<std::size_t>(partition.starts[x + 1]); ++i) {
                const std::int32_t code = codes[static_cast<std::size_t>(partition.order[i])];
                std::uint32_t& seen = seen_in_[static_cast<std::size_t>(code)];
                n_lost += seen == serial_ ? 1 : 0;
                seen = serial_;
            }
        }
        return n_lost <= table_.n_spare;
    }

    void refine(const StrippedPartition& from, StrippedPartition& to, const std::vector<std::int32_t>& codes) {
        to.order.resize(from.order.size());
        to.starts.clear();
        code_at_.resize(from.order.size());
        std::int32_t end = 0;
        for (std::size_t x = 0; x < from.n_classes(); ++x) {
            const auto first = static_cast<std::size_t>(from.starts[x]);
            const auto last = static_cast<std::size_t>(from.starts[x + 1]);
            touched_.clear();
            for (std::size_t i = first; i < last; ++i) {
                const std::int32_t code = codes[static_cast<std::size_t>(from.order[i])];
                code_at_[i] = code;
                if (n_of_[static_cast<std::size_t>(code)]++ == 0) touched_.push_back(code);
            }
            for (const std::int32_t code : touched_) {
                std::int32_t& n = n_of_[static_cast<std::size_t>(code)];
                if (n == 1) {
                    n = -1;
                    continue;
                }
                to.starts.push_back(end);
                end += std::exchange(n, end);  // from here on the place of the next tuple
            }
            for (std::size_t i = first; i < last; ++i) {
                std::int32_t& place = n_of_[static_cast<std::size_t>(code_at_[i])];
                if (place >= 0) to.order[static_cast<std::size_t>(place++)] = from.order[i];
            }
            for (const std::int32_t code : touched_) n_of_[static_cast<std::size_t>(code)] = 0;
        }
        to.starts.push_back(end);
        to.order.resize(static_cast<std::size_t>(end));
    }

    const KeyTable& table_;
    FoundKeys& found_;
    const Pulse& pulse_;
    StrippedPartition all_;
    std::vector<StrippedPartition> levels_;  // [s]: the partition by the first s + 1 columns of the set
    std::size_t first_ = n_most_columns;     // the column that levels_[0] was cut by
    std::size_t lowest_second_ = 0;
    std::vector<std::uint32_t> seen_in_;     // the serial number of the class where a code was seen last
    std::uint32_t serial_ = 0;
    std::vector<std::int32_t> n_of_, code_at_, touched_;
};

void search_all(const KeyTable& table, FoundKeys& found, Pulse& pulse, int threads) {
    Workers<KeySearch> workers(count_threads(threads),
                               [&] { return std::make_unique<KeySearch>(table, found, pulse); });
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<bool> is_key;
    for (std::size_t first = 0; first < table.n_columns(); ++first) {
        pulse.check();
        is_key.push_back(workers.first().is_key(first));
        if (is_key.back()) found.add({first});
        if (is_key.back() || table.max_size == 1) continue;
        for (std::size_t second = 0; second < first; ++second) {
            if (!is_key[second]) pairs.emplace_back(first, second);
        }
    }
    pulse.begin(static_cast<std::int64_t>(pairs.size()));
    workers.run(pairs.size(), [&](KeySearch& search, std::size_t item) {
        search.search(pairs[item].first, pairs[item].second);
        pulse.advance(1);
    });
}

}  // namespace

std::vector<std::vector<std::int32_t>> minimal_keys(const CodeTable& table, std::int64_t n_needed,
                                                    std::int64_t max_size, Pulse& pulse, int threads) {
    if (table.columns.size() > n_most_columns) throw std::invalid_argument("there are more than 512 columns");
    if (n_needed < 0) throw std::invalid_argument("n_needed is negative");
    if (max_size < 1) throw std::invalid_argument("max_size is below 1");
    pulse.begin(0);
    std::vector<DenseColumn> columns = dense_columns(table, pulse);
    std::vector<std::int32_t> names(columns.size());
    std::iota(names.begin(), names.end(), 0);
    std::stable_sort(names.begin(), names.end(), [&columns](std::int32_t x, std::int32_t y) {
        return columns[static_cast<std::size_t>(x)].n_distinct() < columns[static_cast<std::size_t>(y)].n_distinct();
    });
    std::vector<DenseColumn> ordered;
    for (const std::int32_t name : names) ordered.push_back(std::move(columns[static_cast<std::size_t>(name)]));
    KeyTable keys;
    keys.tuples = distinct_tuples(std::move(ordered), table.n_rows);
    keys.n_spare = static_cast<std::int64_t>(keys.tuples.size()) - n_needed;
    if (names.empty() || keys.n_spare < 0) return {};
    keys.labels = labels_by_first_columns(keys.tuples);
    keys.max_size = static_cast<std::size_t>(std::min<std::int64_t>(max_size, n_most_columns));
    FoundKeys found;
    search_all(keys, found, pulse, threads);
    std::vector<std::vector<std::int32_t>> result;
    for (const Set& set : found.minimal(pulse)) {
        std::vector<std::int32_t>& key = result.emplace_back();
        for (const std::size_t column : set) key.push_back(names[column]);
        std::sort(key.begin(), key.end());
    }
    std::sort(result.begin(), result.end(), [](const auto& x, const auto& y) {
        return x.size() != y.size() ? x.size() < y.size() : x < y;
    });
    return result;
}

}  // namespace celosia
