#include "demands.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace celosia {

namespace {

class Distinct final : public Demand {
   public:
    Distinct(const std::int32_t* codes, std::size_t n, std::int32_t least) : codes_(codes, codes + n), least_(least) {
        number_codes();
    }

    std::unique_ptr<Tally> tally() const override { return std::make_unique<Own>(*this); }
    std::int32_t n_fewest_rows() const override { return least_; }
    std::int32_t code_of(std::int32_t row) const override { return codes_[static_cast<std::size_t>(row)]; }
    std::size_t n_codes() const override { return n_values_; }
    bool is_met_by(const Histogram& rows) const override {
        return static_cast<std::int64_t>(rows.present().size()) >= least_;
    }
    bool is_exact() const override { return true; }
    // Each class has at least i rows beyond those of the most frequent least - i values, for i = 1..least.
    std::size_t n_most_classes(const std::vector<std::int32_t>& rows) const override {
        std::vector<std::int32_t> own;
        for (const std::int32_t row : rows) {
            const std::int32_t code = codes_[static_cast<std::size_t>(row)];
            if (code >= 0) own.push_back(code);
        }
        std::sort(own.begin(), own.end());
        std::vector<std::size_t> counts;
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (i == 0 || own[i] != own[i - 1]) counts.push_back(0);
            ++counts.back();
        }
        std::sort(counts.begin(), counts.end(), std::greater<>());
        std::size_t left = own.size(), most = left / static_cast<std::size_t>(least_);
        for (std::size_t i = static_cast<std::size_t>(least_) - 1, j = 0; i >= 1 && j < counts.size(); --i, ++j) {
            left -= counts[j];
            most = std::min(most, left / i);
        }
        return most;
    }

   private:
    // Codes 0, 1, ... without gaps, so that a tally needs no more memory than there are values.
    void number_codes() {
        std::vector<std::int32_t> distinct(codes_);
        std::sort(distinct.begin(), distinct.end());
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        const auto first = std::lower_bound(distinct.begin(), distinct.end(), 0);
        n_values_ = static_cast<std::size_t>(distinct.end() - first);
        for (std::int32_t& code : codes_)
            code = code < 0 ? -1 : static_cast<std::int32_t>(std::lower_bound(first, distinct.end(), code) - first);
    }

    class Own final : public Tally {
       public:
        explicit Own(const Distinct& demand)
            : demand_(demand), last_seen_(demand.n_values_, 0) {}

        void clear() override {
            ++n_classes_;
            n_distinct_ = 0;
        }
        void add(std::int32_t row) override {
            const std::int32_t code = demand_.codes_[static_cast<std::size_t>(row)];
            if (code < 0) return;
            auto& seen = last_seen_[static_cast<std::size_t>(code)];
            n_distinct_ += seen != n_classes_;
            seen = n_classes_;
        }
        std::int32_t n_needed() const override { return std::max(demand_.least_ - n_distinct_, 0); }
        bool helps(std::int32_t row) const override {
            const std::int32_t code = demand_.codes_[static_cast<std::size_t>(row)];
            return n_needed() > 0 && code >= 0 && last_seen_[static_cast<std::size_t>(code)] != n_classes_;
        }

       private:
        const Distinct& demand_;
        std::vector<std::uint64_t> last_seen_;
        std::uint64_t n_classes_ = 1;
        std::int32_t n_distinct_ = 0;
    };

    std::vector<std::int32_t> codes_;
    std::int32_t least_;
    std::size_t n_values_ = 0;
};

}  // namespace

Demands::Demands(std::int64_t n_rows) : n_rows_(static_cast<std::int32_t>(n_rows)) {
    if (n_rows < 0 || n_rows > std::numeric_limits<std::int32_t>::max() - 1)
        throw std::invalid_argument("n_rows is " + std::to_string(n_rows) + "; it must lie in 0..2^31-2");
}

void Demands::raise(std::int64_t least) {
    if (least < 1 || least > n_rows_)
        throw std::invalid_argument("least is " + std::to_string(least) + "; it must lie in 1.." +
                                    std::to_string(n_rows_) + ", the number of rows");
    n_least_rows_ = std::max(n_least_rows_, static_cast<std::int32_t>(least));
}

void Demands::add_rows(std::int64_t least) { raise(least); }

void Demands::add_distinct(const std::int32_t* codes, std::size_t n, std::int64_t least) {
    if (n != static_cast<std::size_t>(n_rows_))
        throw std::invalid_argument("codes has " + std::to_string(n) + " entries; there are " +
                                    std::to_string(n_rows_) + " rows");
    raise(least);
    others_.push_back(std::make_shared<const Distinct>(codes, n, static_cast<std::int32_t>(least)));
}

void Demands::add_overall(bool is_mean, std::int64_t least, double limit, const std::int32_t* codes) {
    std::shared_ptr<const Demand> people;
    if (codes != nullptr) people = std::make_shared<const Distinct>(codes, static_cast<std::size_t>(n_rows_), 1);
    overall_.push_back({is_mean, static_cast<std::int32_t>(least), limit, people});
}

std::int32_t Demands::n_fewest_rows() const {
    std::int32_t most = n_least_rows_;
    for (const auto& demand : others_) most = std::max(most, demand->n_fewest_rows());
    return most;
}

bool Demands::are_about_proportion() const {
    return std::any_of(others_.begin(), others_.end(), [](const auto& demand) { return demand->is_about_proportion(); });
}

bool Demands::are_exact() const {
    return overall_.empty() &&
           std::all_of(others_.begin(), others_.end(), [](const auto& demand) { return demand->is_exact(); });
}

Judge::Judge(const Demands& demands)
    : n_least_rows_(demands.n_least_rows()), n_fewest_rows_(demands.n_fewest_rows()) {
    demands_ = demands.others();
    for (const auto& demand : demands_) tallies_.push_back(demand->tally());
}

std::size_t Judge::n_most_classes(const std::vector<std::int32_t>& rows) const {
    std::size_t most = rows.size() / static_cast<std::size_t>(n_least_rows_);
    for (const auto& demand : demands_) most = std::min(most, demand->n_most_classes(rows));
    return most;
}

void Judge::clear() {
    size_ = 0;
    for (auto& tally : tallies_) tally->clear();
}

void Judge::add(std::int32_t row) {
    ++size_;
    for (auto& tally : tallies_) tally->add(row);
}

std::int32_t Judge::n_needed() const {
    std::int32_t most = 0;
    for (const auto& tally : tallies_) most = std::max(most, tally->n_needed());
    return most;
}

bool Judge::is_choosy() const {
    const std::int32_t needed = n_needed();
    return needed > 0 && size_ + needed >= n_least_rows_;
}

bool Judge::helps(std::int32_t row) const {
    if (size_ < n_least_rows_ && n_needed() == 0) return true;
    return std::any_of(tallies_.begin(), tallies_.end(), [row](const auto& tally) { return tally->helps(row); });
}

void Judge::take(std::int32_t row) {
    for (auto& tally : tallies_) tally->take(row);
}

bool Judge::helps_and_is_plentiful(std::int32_t row) const {
    if (tallies_.size() == 1) return tallies_[0]->helps_and_is_plentiful(row);
    return helps(row) && std::all_of(tallies_.begin(), tallies_.end(),
                                     [row](const auto& tally) { return tally->is_plentiful(row); });
}

bool Judge::may_find_plentiful_help() const {
    return tallies_.size() != 1 || tallies_[0]->may_find_plentiful_help();
}

std::vector<std::int32_t> broken_classes(const Demands& demands, const std::int32_t* labels) {
    std::vector<std::int32_t> rows;
    for (std::int32_t row = 0; row < demands.n_rows(); ++row) {
        if (labels[row] >= 0) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [labels](auto a, auto b) { return labels[a] < labels[b]; });
    Judge judge(demands);
    std::vector<std::int32_t> found;
    for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
        judge.clear();
        for (; end < rows.size() && labels[rows[end]] == labels[rows[begin]]; ++end) judge.add(rows[end]);
        if (!judge.satisfied()) found.push_back(labels[rows[begin]]);
    }
    return found;
}

}  // namespace celosia
