#include "stretch_bound.hpp"

#include <algorithm>
#include <limits>

namespace celosia {

void StretchBound::clear() {
    entries_.clear();
    potentials_.clear();
    per_growth_.clear();
    inside_.clear();
    highest_growth_ = 0;
}

void StretchBound::add(const std::vector<Neighbourhood::Stretch>& stretches, double potential) {
    if (stretches.empty()) {
        inside_.push_back(potential);
        return;
    }
    double total = 0;
    for (const auto& stretch : stretches) total += stretch.growth;
    highest_growth_ = std::max(highest_growth_, total);
    const std::size_t row = potentials_.size();
    potentials_.push_back(potential);
    per_growth_.push_back(1 / total);
    for (const auto& stretch : stretches) {
        entries_.push_back((static_cast<std::uint64_t>(stretch.way) << (growth_bits + row_bits)) |
                           (static_cast<std::uint64_t>(stretch.growth) << row_bits) | static_cast<std::uint64_t>(row));
    }
}

void StretchBound::finish() {
    std::sort(entries_.begin(), entries_.end());
    prizes_.resize(potentials_.size());
}

double StretchBound::pay(double fee, double scale, std::size_t n_rows, double& n_taken) {
    double paid = -fee * static_cast<double>(n_rows);
    n_taken = 0;
    for (const double potential : inside_) {
        const double prize = potential * scale - fee;
        if (prize > 0) paid -= prize, n_taken += 1;
    }
    for (std::size_t row = 0; row < potentials_.size(); ++row)
        prizes_[row] = std::max(0.0, potentials_[row] * scale - fee) * per_growth_[row];
    for (std::size_t i = 0; i < entries_.size();) {
        const std::uint64_t way = entries_[i] >> (growth_bits + row_bits);
        double won = 0, best = 0, n_won = 0, n_best = 0;
        for (; i < entries_.size() && entries_[i] >> (growth_bits + row_bits) == way; ++i) {
            const auto row = static_cast<std::size_t>(entries_[i] & ((1U << row_bits) - 1));
            const auto growth = static_cast<double>((entries_[i] >> row_bits) & ((1U << growth_bits) - 1));
            won += prizes_[row] * growth;
            n_won += per_growth_[row] * growth;
            if (won - growth > best) best = won - growth, n_best = n_won;
        }
        paid -= best;
        n_taken += n_best;
    }
    return paid;
}

double StretchBound::least(std::size_t n_rows, double scale) {
    constexpr int n_steps = 6;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const auto* some : {&inside_, &potentials_}) {
        for (const double potential : *some) {
            lowest = std::min(lowest, potential * scale);
            highest = std::max(highest, potential * scale);
        }
    }
    lowest -= highest_growth_;
    double best = -std::numeric_limits<double>::infinity();
    for (int step = 0; step < n_steps; ++step) {
        const double fee = (lowest + highest) / 2;
        double n_taken = 0;
        best = std::max(best, pay(fee, scale, n_rows, n_taken));
        (n_taken > static_cast<double>(n_rows) ? lowest : highest) = fee;
    }
    return best;
}

}  // namespace celosia
