#include "histograms.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace celosia {

namespace {

constexpr double hair = 1e-12;
// A row in a class imagined so many times as large tells the direction in which it pulls.
constexpr double n_times_imagined = 4096.0;
constexpr double share_that_is_plenty = 0.8;
// When the fewest rows are sought: further rows, and measures, that may be tried.
constexpr std::int32_t n_most_rows_tried = 64;
constexpr std::int64_t n_most_measures = 200'000;

class HistogramTally final : public Tally {
   public:
    explicit HistogramTally(const HistogramDemand& demand)
        : demand_(demand),
          rows_(demand.n_values()),
          asked_(demand.n_values(), 0),
          helps_(demand.n_values(), 0),
          is_scarce_(demand.n_values(), 0) {}

    void clear() override {
        rows_.clear();
        change();
        find_scarce();
    }
    void add(std::int32_t row) override {
        rows_.add(demand_.value_of(row));
        change();
    }
    std::int32_t n_needed() const override {
        const std::int32_t n = rows_.n_rows();
        if (n > 0 && excess() <= 0.0) return 0;
        return std::max(n == 0 ? 1 : demand_.n_certainly_needed(rows_), demand_.n_fewest_rows() - n);
    }
    bool helps(std::int32_t row) const override { return value_helps(demand_.value_of(row)); }
    bool value_helps(std::int32_t value) const {
        const auto at = static_cast<std::size_t>(value);
        if (asked_[at] == n_changes_) return helps_[at] != 0;
        asked_[at] = n_changes_;
        helps_[at] = rows_.n_rows() == 0 || (excess() > 0.0 && lowers_excess(value)) ? 1 : 0;
        return helps_[at] != 0;
    }

    void take(std::int32_t row) override {
        if (free_.empty()) free_ = demand_.counts_of_all();
        --free_[static_cast<std::size_t>(demand_.value_of(row))];
        ++n_taken_;
    }
    bool is_plentiful(std::int32_t row) const override {
        return is_scarce_[static_cast<std::size_t>(demand_.value_of(row))] == 0;
    }
    bool helps_and_is_plentiful(std::int32_t row) const override {
        const std::int32_t value = demand_.value_of(row);
        return is_scarce_[static_cast<std::size_t>(value)] == 0 && value_helps(value);
    }
    bool may_find_plentiful_help() const override {
        if (free_.empty()) return true;
        for (std::size_t v = 0; v < free_.size(); ++v) {
            if (free_[v] > 0 && is_scarce_[v] == 0 && value_helps(static_cast<std::int32_t>(v))) return true;
        }
        return false;
    }

   private:
    // By the time a class begins; its own rows hardly change that.
    void find_scarce() {
        if (free_.empty()) return;
        const double share_free = 1.0 - static_cast<double>(n_taken_) / static_cast<double>(demand_.n_rows());
        for (std::size_t v = 0; v < free_.size(); ++v)
            is_scarce_[v] = free_[v] < share_that_is_plenty * demand_.counts_of_all()[v] * share_free ? 1 : 0;
    }
    // At once or, where several rows are needed before anything is gained, by the direction in which it pulls.
    bool lowers_excess(std::int32_t value) const {
        const double before = excess();
        rows_.add(value);
        const double after = demand_.excess(rows_);
        rows_.remove(value);
        if (after < before - hair) return true;
        rows_.imagine(value, n_times_imagined);
        const double pulled = demand_.excess(rows_);
        rows_.forget_imagined();
        return pulled < before - hair;
    }
    void change() {
        ++n_changes_;
        is_measured_ = false;
    }
    double excess() const {
        if (!is_measured_) excess_ = demand_.excess(rows_);
        is_measured_ = true;
        return excess_;
    }

    const HistogramDemand& demand_;
    mutable Histogram rows_;
    mutable std::vector<std::uint64_t> asked_;
    mutable std::vector<std::uint8_t> helps_;
    std::vector<std::uint8_t> is_scarce_;
    std::vector<std::int32_t> free_;  // how many rows of each value, once a row was taken
    std::int64_t n_taken_ = 0;
    std::uint64_t n_changes_ = 1;
    mutable bool is_measured_ = false;
    mutable double excess_ = 0.0;
};

std::vector<double> shares_of(const std::vector<std::int64_t>& counts) {
    const auto n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    std::vector<double> shares;
    for (const std::int64_t count : counts) shares.push_back(static_cast<double>(count) / n);
    return shares;
}

class Shares final : public HistogramDemand {
   public:
    Shares(const Secret& secret, const double* least, const double* most, bool present_only, const double* reference)
        : HistogramDemand(secret.codes, secret.n_rows, secret.n_values),
          least_(least, least + secret.n_values),
          most_(most, most + secret.n_values),
          present_only_(present_only) {
        if (reference != nullptr) reference_.assign(reference, reference + secret.n_values);
        for (std::size_t v = 0; v < secret.n_values; ++v) {
            if (least_[v] > 0.0) needed_.push_back(v);
        }
        find_fewest_rows();
    }

    std::shared_ptr<const Demand> measured_against(const std::vector<std::int64_t>& counts) const override {
        if (reference_.empty()) return nullptr;
        auto other = std::make_shared<Shares>(*this);
        other->reference_ = shares_of(counts);
        for (std::size_t v = 0; v < reference_.size(); ++v) {
            const double times = other->reference_[v] / reference_[v];
            other->least_[v] = least_[v] * times;
            other->most_[v] = times > 0.0 ? most_[v] * times : 0.0;
        }
        return other;
    }

    bool is_about_proportion() const override { return true; }
    double excess(const Histogram& rows) const override {
        const double n = rows.size();
        double total = 0.0;
        for (const std::int32_t value : rows.present()) {
            const auto v = static_cast<std::size_t>(value);
            const double own = rows.count(v);
            total += std::max(own - most_[v] * n * (1.0 + hair), 0.0);
            if (present_only_) total += std::max(least_[v] * n * (1.0 - hair) - own, 0.0);
        }
        if (present_only_) return total / n;
        for (const std::size_t v : needed_) total += std::max(least_[v] * n * (1.0 - hair) - rows.count(v), 0.0);
        return total / n;
    }

    std::int32_t n_certainly_needed(const Histogram& rows) const override {
        double most = 1.0;
        for (const std::int32_t value : rows.present()) {
            const auto v = static_cast<std::size_t>(value);
            if (most_[v] > 0.0) most = std::max(most, std::ceil(rows.count(v) / most_[v] - 1e-9) - rows.size());
        }
        if (!present_only_) {
            double absent = 0.0;
            for (const std::size_t v : needed_) absent += rows.count(v) == 0 ? 1.0 : 0.0;
            most = std::max(most, absent);
        }
        return static_cast<std::int32_t>(std::min(most, 1e9));
    }

   private:
    std::vector<double> least_, most_, reference_;
    std::vector<std::size_t> needed_;
    bool present_only_;
};

class Cells final : public HistogramDemand {
   public:
    Cells(const Secret& secret, std::int32_t least)
        : HistogramDemand(secret.codes, secret.n_rows, secret.n_values), least_(least) {
        find_fewest_rows();
    }

    double excess(const Histogram& rows) const override { return n_absent(rows); }
    bool is_exact() const override { return true; }
    std::int32_t n_certainly_needed(const Histogram& rows) const override {
        return std::max(static_cast<std::int32_t>(n_absent(rows)), 1);
    }

   private:
    double n_absent(const Histogram& rows) const {
        double total = 0.0;
        for (const std::int32_t value : rows.present())
            total += std::max(least_ - rows.count(static_cast<std::size_t>(value)), 0.0);
        return total;
    }

    std::int32_t least_;
};

// The greatest first; sums over them do not depend on the order of the rows.
const std::vector<double>& sorted_counts(const Histogram& rows) {
    rows.amounts.clear();
    for (const std::int32_t value : rows.present()) rows.amounts.push_back(rows.count(static_cast<std::size_t>(value)));
    std::sort(rows.amounts.begin(), rows.amounts.end(), std::greater<>());
    return rows.amounts;
}

class Entropy final : public HistogramDemand {
   public:
    Entropy(const Secret& secret, double log_l)
        : HistogramDemand(secret.codes, secret.n_rows, secret.n_values), log_l_(log_l) {
        find_fewest_rows();
    }

    double excess(const Histogram& rows) const override {
        const double n = rows.size();
        double sum = 0.0;
        for (const double count : sorted_counts(rows)) sum += count * std::log(count);
        return log_l_ - 1e-10 - (std::log(n) - sum / n);
    }

   private:
    double log_l_;
};

class Recursive final : public HistogramDemand {
   public:
    Recursive(const Secret& secret, double c, std::int32_t l)
        : HistogramDemand(secret.codes, secret.n_rows, secret.n_values), c_(c), l_(l) {
        find_fewest_rows();
    }

    double excess(const Histogram& rows) const override {
        const std::vector<double>& counts = sorted_counts(rows);
        double tail = 0.0;
        for (auto i = static_cast<std::size_t>(l_ - 1); i < counts.size(); ++i) tail += counts[i];
        const double lacking = counts[0] - c_ * tail;
        // Fewer values than l: each further one is a step, though the tail is still empty.
        const double absent = std::max<double>(l_ - static_cast<double>(counts.size()), 0.0);
        // The bound is strict: to meet it exactly is not enough.
        const double above = lacking >= -hair * counts[0] ? lacking + 1e-3 : 0.0;
        return above / rows.size() + absent;
    }

    // Each further row adds one to the tail at the most.
    std::int32_t n_certainly_needed(const Histogram& rows) const override {
        const std::vector<double>& counts = sorted_counts(rows);
        double tail = 0.0;
        for (auto i = static_cast<std::size_t>(l_ - 1); i < counts.size(); ++i) tail += counts[i];
        return static_cast<std::int32_t>(std::clamp(std::floor(counts[0] / c_ + 1e-9) + 1.0 - tail, 1.0, 1e9));
    }

   private:
    double c_;
    std::int32_t l_;
};

class EqualDistance final : public HistogramDemand {
   public:
    EqualDistance(const Secret& secret, const double* reference, double t)
        : HistogramDemand(secret.codes, secret.n_rows, secret.n_values),
          reference_(reference, reference + secret.n_values),
          t_(t) {
        find_fewest_rows();
    }

    bool is_about_proportion() const override { return true; }
    // Half the sum of differences is the sum of those above zero, which only values of the class can have.
    double excess(const Histogram& rows) const override {
        const double n = rows.size();
        double above = 0.0;
        for (const std::int32_t value : rows.present()) {
            const auto v = static_cast<std::size_t>(value);
            above += std::max(rows.count(v) - reference_[v] * n, 0.0);
        }
        return above / n - t_ - hair;
    }
    std::shared_ptr<const Demand> measured_against(const std::vector<std::int64_t>& counts) const override {
        auto other = std::make_shared<EqualDistance>(*this);
        other->reference_ = shares_of(counts);
        return other;
    }

   private:
    std::vector<double> reference_;
    double t_;
};

// The class's cumulative share is constant between its values, and that of the reference only grows: each stretch is
// cut where the two cross, and both parts are read off running totals.
class LineDistance final : public HistogramDemand {
   public:
    LineDistance(const Secret& secret, const double* reference, const double* steps, double t)
        : HistogramDemand(secret.codes, secret.n_rows, secret.n_values), t_(t) {
        double below = 0.0, way = 0.0, area = 0.0;
        ways_.push_back(0.0);
        areas_.push_back(0.0);
        for (std::size_t i = 0; i + 1 < secret.n_values; ++i) {
            below += reference[i];
            below_.push_back(below);
            ways_.push_back(way += steps[i]);
            areas_.push_back(area += steps[i] * below);
        }
        find_fewest_rows();
    }

    bool is_about_proportion() const override { return true; }
    double excess(const Histogram& rows) const override {
        rows.values.assign(rows.present().begin(), rows.present().end());
        std::sort(rows.values.begin(), rows.values.end());
        const double n = rows.size();
        double total = 0.0, seen = 0.0;
        std::size_t start = 0;
        const auto walk = [&](std::size_t end) {
            const auto first = below_.begin() + static_cast<std::ptrdiff_t>(start);
            const auto last = below_.begin() + static_cast<std::ptrdiff_t>(end);
            const auto cross = static_cast<std::size_t>(std::lower_bound(first, last, seen / n) - below_.begin());
            total += seen / n * ((ways_[cross] - ways_[start]) - (ways_[end] - ways_[cross]));
            total += (areas_[end] - areas_[cross]) - (areas_[cross] - areas_[start]);
            start = end;
        };
        for (const std::int32_t value : rows.values) {
            const auto v = static_cast<std::size_t>(value);
            walk(std::min(v, below_.size()));
            seen += rows.count(v);
        }
        walk(below_.size());
        return total - t_ - hair;
    }
   private:
    std::vector<double> below_, ways_, areas_;
    double t_;
};

class TreeDistance final : public HistogramDemand {
   public:
    TreeDistance(const Secret& secret, const double* reference, const std::int32_t* parents, const double* weights,
                 std::size_t n_nodes, double t)
        : HistogramDemand(secret.codes, secret.n_rows, secret.n_values),
          reference_(reference, reference + secret.n_values),
          weights_(weights, weights + n_nodes),
          parents_(parents, parents + n_nodes),
          t_(t) {
        check_tree(n_nodes);
        find_fewest_rows();
    }

    bool is_about_proportion() const override { return true; }
    double excess(const Histogram& rows) const override {
        const double n = rows.size();
        const std::size_t n_nodes = parents_.size();
        auto& extra = rows.amounts;
        extra.assign(2 * n_nodes, 0.0);  // of each node, what its children have too much; then: too little
        double total = 0.0;
        for (std::size_t i = 0; i < n_nodes; ++i) {
            double own = extra[i] - extra[n_nodes + i];
            if (i < reference_.size()) {
                own = rows.count(i) / n - reference_[i];
            } else {
                total += weights_[i] * std::min(extra[i], extra[n_nodes + i]);
            }
            if (parents_[i] >= 0) extra[static_cast<std::size_t>(parents_[i]) + (own < 0 ? n_nodes : 0)] += std::abs(own);
        }
        return total - t_ - hair;
    }
   private:
    void check_tree(std::size_t n_nodes) const {
        const std::size_t n_values = reference_.size();
        if (n_nodes < std::max<std::size_t>(n_values, 1)) throw std::invalid_argument("there are fewer nodes than values");
        for (std::size_t i = 0; i + 1 < n_nodes; ++i) {
            const auto parent = static_cast<std::size_t>(parents_[i]);
            if (parents_[i] < 0 || parent <= i || parent >= n_nodes || parent < n_values)
                throw std::invalid_argument("the parent of node " + std::to_string(i) +
                                            " is a value, not above it, or none");
        }
        if (parents_.back() != -1) throw std::invalid_argument("the last node is not the root");
    }

    std::vector<double> reference_, weights_;
    std::vector<std::int32_t> parents_;
    double t_;
};

}  // namespace

void Histogram::clear() {
    for (const std::int32_t value : present_) counts_[static_cast<std::size_t>(value)] = 0;
    present_.clear();
    size_ = 0;
}

void Histogram::add(std::int32_t value, std::int32_t times) {
    const auto v = static_cast<std::size_t>(value);
    if (counts_[v] == 0) {
        place_[v] = static_cast<std::int32_t>(present_.size());
        present_.push_back(value);
    }
    counts_[v] += times;
    size_ += times;
}

void Histogram::remove(std::int32_t value) {
    const auto v = static_cast<std::size_t>(value);
    --size_;
    if (--counts_[v] > 0) return;
    const std::int32_t last = present_.back();
    present_[static_cast<std::size_t>(place_[v])] = last;
    place_[static_cast<std::size_t>(last)] = place_[v];
    present_.pop_back();
}

void Histogram::imagine(std::int32_t value, double times) {
    times_ = times;
    imagined_ = value;
    const auto v = static_cast<std::size_t>(value);
    if (counts_[v] > 0) return;
    place_[v] = static_cast<std::int32_t>(present_.size());
    present_.push_back(value);
}

void Histogram::forget_imagined() {
    if (counts_[static_cast<std::size_t>(imagined_)] == 0) present_.pop_back();
    times_ = 1.0;
    imagined_ = -1;
}

HistogramDemand::HistogramDemand(const std::int32_t* codes, std::size_t n_rows, std::size_t n_values)
    : codes_(std::make_shared<const std::vector<std::int32_t>>(codes, codes + n_rows)), n_values_(n_values) {
    counts_of_all_.assign(n_values, 0);
    for (const std::int32_t code : *codes_) {
        if (code < 0 || static_cast<std::size_t>(code) >= n_values)
            throw std::invalid_argument("a code is not in 0.." + std::to_string(n_values) + "-1");
        ++counts_of_all_[static_cast<std::size_t>(code)];
    }
}

std::unique_ptr<Tally> HistogramDemand::tally() const { return std::make_unique<HistogramTally>(*this); }

std::int32_t HistogramDemand::n_certainly_needed(const Histogram&) const { return 1; }

// Values are added one by one, always the one that helps most: a good guess, and not a bound.
void HistogramDemand::find_fewest_rows() {
    Histogram rows(n_values_);
    std::int64_t n_measures = 0;
    for (n_fewest_rows_ = 1; n_fewest_rows_ < n_most_rows_tried; ++n_fewest_rows_) {
        std::int32_t best = -1;
        double least = 0.0;
        for (std::size_t v = 0; v < n_values_; ++v) {
            if (++n_measures > n_most_measures) return;
            const auto value = static_cast<std::int32_t>(v);
            rows.add(value);
            const double own = excess(rows);
            rows.remove(value);
            if (best >= 0 && own >= least) continue;
            best = value;
            least = own;
        }
        if (best < 0 || least <= 0.0) return;
        rows.add(best);
    }
}

std::shared_ptr<const Demand> share_demand(const Secret& secret, const double* least, const double* most,
                                           bool present_only, const double* reference) {
    return std::make_shared<const Shares>(secret, least, most, present_only, reference);
}

std::shared_ptr<const Demand> cell_demand(const Secret& secret, std::int32_t least) {
    return std::make_shared<const Cells>(secret, least);
}

std::shared_ptr<const Demand> entropy_demand(const Secret& secret, double log_l) {
    return std::make_shared<const Entropy>(secret, log_l);
}

std::shared_ptr<const Demand> recursive_demand(const Secret& secret, double c, std::int32_t l) {
    if (l < 1) throw std::invalid_argument("l is " + std::to_string(l) + "; it must be 1 or more");
    return std::make_shared<const Recursive>(secret, c, l);
}

std::shared_ptr<const Demand> equal_distance_demand(const Secret& secret, const double* reference, double t) {
    return std::make_shared<const EqualDistance>(secret, reference, t);
}

std::shared_ptr<const Demand> line_distance_demand(const Secret& secret, const double* reference, const double* steps,
                                                   double t) {
    return std::make_shared<const LineDistance>(secret, reference, steps, t);
}

std::shared_ptr<const Demand> tree_distance_demand(const Secret& secret, const double* reference,
                                                   const std::int32_t* parents, const double* weights,
                                                   std::size_t n_nodes, double t) {
    return std::make_shared<const TreeDistance>(secret, reference, parents, weights, n_nodes, t);
}

}  // namespace celosia
