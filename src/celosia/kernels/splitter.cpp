#include "splitter.hpp"

#include <numeric>

#include "spans.hpp"

namespace celosia {

namespace {

// Walks over the rows of a part and says of each whether the cut puts it left.
class Sorter {
   public:
    explicit Sorter(const Cut& cut) : border_(cut.border), n_of_border_(cut.n_of_border) {}
    bool left(std::int32_t value) {
        if (value != border_) return value < border_;
        if (n_of_border_ == 0) return false;
        --n_of_border_;
        return true;
    }

   private:
    std::int32_t border_;
    std::size_t n_of_border_;
};

}  // namespace

Splitter::Splitter(const MondrianTask& task)
    : task_(task), n_least_(static_cast<std::size_t>(task.demands.n_least_rows())) {
    const auto n = static_cast<std::size_t>(task.columns.n_rows());
    for (std::size_t c = 0; c < task.columns.size(); ++c) {
        task.pulse.check();
        Buffer<std::int32_t> values(n);
        std::copy_n(task.columns[c].values.data(), n, values.data());
        values_.push_back(std::move(values));
    }
    rows_ = Buffer<std::int32_t>(n);
    std::iota(rows_.data(), rows_.data() + n, 0);
    spare_ = Buffer<std::int32_t>(n);
    left_ = Buffer<std::uint8_t>(n);
}

Desk Splitter::make_desk() const {
    std::size_t n_codes = 0;
    for (std::size_t c = 0; c < task_.columns.size(); ++c) {
        if (task_.columns[c].kind == Kind::bag)
            n_codes = std::max(n_codes, static_cast<std::size_t>(task_.columns[c].n_values));
    }
    return {Marks(n_codes), Judge(task_.demands), {}, {}};
}

std::optional<std::size_t> Splitter::split(const Part& part, Desk& desk) {
    if (part.size() < 2 * n_least_) return std::nullopt;
    desk.columns_by_loss.clear();
    for (std::size_t c = 0; c < values_.size(); ++c) {
        task_.pulse.check();
        // No cut can lower a loss of zero.
        if (const std::int32_t lost = loss(c, part, desk); lost > 0) desk.columns_by_loss.emplace_back(-lost, c);
    }
    std::sort(desk.columns_by_loss.begin(), desk.columns_by_loss.end());
    // Halves come last: they part equal values, which wins less than a cut between different ones.
    for (const bool halve : {false, true}) {
        if (halve && task_.strict) break;
        for (const auto& [negative_loss, c] : desk.columns_by_loss) {
            task_.pulse.check();
            if (const auto cut = find_cut(c, part, halve, desk)) {
                carry_out(c, part, *cut);
                return part.begin + cut->n_left;
            }
        }
    }
    return std::nullopt;
}

std::int32_t Splitter::loss(std::size_t c, const Part& part, Desk& desk) const {
    const Column& column = task_.columns[c];
    const std::int32_t* values = values_[c].data() + part.begin;
    if (column.kind == Kind::bag) return bag_loss(column, values, part.size(), desk.codes);
    const Span span = span_of(values, part.size());
    if (span.highest == missing) return 0;
    if (span.has_missing) return column.full;
    if (column.kind == Kind::line) return span.highest - span.lowest;
    return column.tree.loss[column.tree.at(column.tree.common_level(span.lowest, span.highest), span.lowest)];
}

std::int32_t Splitter::bag_loss(const Column& column, const std::int32_t* values, std::size_t n, Marks& codes) const {
    codes.clear();
    std::int32_t n_distinct = 0;
    bool any_missing = false;
    for (std::size_t i = 0; i < n; ++i) {
        if (values[i] == missing) {
            any_missing = true;
        } else {
            n_distinct += codes.insert(static_cast<std::size_t>(values[i]));
        }
        if (any_missing && n_distinct > 0) return column.full;
        if (n_distinct == column.n_values && !column.has_missing) break;
    }
    return n_distinct == 0 ? 0 : (n_distinct - 1) * column.unit;
}

std::optional<Cut> Splitter::find_cut(std::size_t c, const Part& part, bool halve, Desk& desk) {
    if (task_.columns[c].kind != Kind::tree) return cut_at_median(c, part, halve, desk);
    return halve ? std::nullopt : cut_tree(c, part, desk);
}

std::optional<Cut> Splitter::cut_at_median(std::size_t c, const Part& part, bool halve, Desk& desk) {
    const std::size_t n = part.size(), middle = n / 2;
    const std::int32_t* values = values_[c].data() + part.begin;
    std::int32_t* spare = spare_.data() + part.begin;
    std::copy_n(values, n, spare);
    std::nth_element(spare, spare + middle, spare + n);
    const std::int32_t median = spare[middle];
    const auto [below, equal] = count_around(values, n, median);
    Cut first{median, 0, below}, second{median + 1, 0, below + equal};
    if (halve) {
        first = second = Cut{median, middle - below, middle};
    } else if (n - 2 * below > 2 * (below + equal) - n) {
        std::swap(first, second);
    }
    for (const Cut& cut : {first, second}) {
        if (is_allowed(c, part, cut, desk)) return cut;
    }
    return std::nullopt;
}

// The borders between the children of the lowest common ancestor, and the one between missing and known.
void Splitter::list_borders(std::size_t c, const Part& part, Desk& desk) {
    const Tree& tree = task_.columns[c].tree;
    const std::size_t n = part.size();
    const std::int32_t* values = values_[c].data() + part.begin;
    std::int32_t* firsts = spare_.data() + part.begin;
    const Span span = span_of(values, n);
    const std::size_t level = tree.common_level(span.lowest, span.highest);
    for (std::size_t i = 0; i < n; ++i) {
        if (values[i] == missing) {
            firsts[i] = missing;
        } else {
            firsts[i] = level == 0 ? span.lowest : tree.first[tree.at(level - 1, values[i])];
        }
    }
    std::sort(firsts, firsts + n);
    desk.cuts.clear();
    for (std::size_t i = 1; i < n; ++i) {
        if (firsts[i] != firsts[i - 1]) desk.cuts.push_back({firsts[i], 0, i});
    }
}

std::optional<Cut> Splitter::cut_tree(std::size_t c, const Part& part, Desk& desk) {
    list_borders(c, part, desk);
    // The nearest to the middle that will do.
    const auto distance = [&](const Cut& cut) {
        return cut.n_left * 2 > part.size() ? cut.n_left * 2 - part.size() : part.size() - cut.n_left * 2;
    };
    std::stable_sort(desk.cuts.begin(), desk.cuts.end(),
                     [&](const Cut& a, const Cut& b) { return distance(a) < distance(b); });
    for (const Cut& cut : desk.cuts) {
        if (is_allowed(c, part, cut, desk)) return cut;
    }
    return std::nullopt;
}

// Whether both sides satisfy all demands.
bool Splitter::is_allowed(std::size_t c, const Part& part, const Cut& cut, Desk& desk) const {
    if (cut.n_left < n_least_ || part.size() - cut.n_left < n_least_) return false;
    return desk.judge.counts_only() || (is_sound(c, part, cut, true, desk) && is_sound(c, part, cut, false, desk));
}

bool Splitter::is_sound(std::size_t c, const Part& part, const Cut& cut, bool left, Desk& desk) const {
    desk.judge.clear();
    Sorter sorter(cut);
    for (std::size_t i = part.begin; i < part.end; ++i) {
        if (sorter.left(values_[c][i]) == left) desk.judge.add(rows_[i]);
    }
    return desk.judge.satisfied();
}

void Splitter::carry_out(std::size_t c, const Part& part, const Cut& cut) {
    std::uint8_t* left = left_.data() + part.begin;
    std::int32_t* spare = spare_.data() + part.begin;
    const std::int32_t* deciding = values_[c].data() + part.begin;
    Sorter sorter(cut);
    for (std::size_t i = 0; i < part.size(); ++i) left[i] = sorter.left(deciding[i]);
    for (auto& values : values_) split_by(left, values.data() + part.begin, part.size(), spare);
    split_by(left, rows_.data() + part.begin, part.size(), spare);
}

}  // namespace celosia
