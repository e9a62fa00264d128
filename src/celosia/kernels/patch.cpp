#include "patch.hpp"

#include <algorithm>
#include <limits>

namespace celosia {

namespace {

// These were found on Adult, students and generated tables; the search is not sensitive to any of them.
constexpr int n_others_for_exchange = 2, n_others_with_demands = 4, n_others_for_proportion = 8;
constexpr std::size_t n_most_partners = 8;
constexpr int n_trials_per_class = 4;
constexpr std::size_t n_trials_between_looks = 16;
constexpr float share_of_cores = 0.5F;
constexpr float share_of_any_row = 0.3F;
constexpr float noise_in_nearness = 0.5F;

constexpr float share_of_fewer_classes = 0.15F;
// With hierarchies.
constexpr float share_of_sifting = 0.6F;
constexpr std::size_t n_fewest_sifted = 2, n_most_sifted = 6;
constexpr std::size_t n_noise = 1024;
constexpr float taken = std::numeric_limits<float>::max();

}  // namespace

Patch::Patch(const Columns& columns, const Demands& demands)
    : n_columns_(columns.size()),
      has_trees_(has_trees(columns)),
      n_others_(demands.are_about_proportion() ? n_others_for_proportion
                : demands.others().empty()     ? n_others_for_exchange
                                               : n_others_with_demands),
      judge_(demands),
      classes_(columns),
      pool_(columns, demands),
      values_(columns.size()) {
    Random random(0);
    for (std::size_t i = 0; i < n_noise; ++i) noise_.push_back(1.0F + noise_in_nearness * random.real());
}

void Patch::load(const std::int32_t* rows, const std::vector<std::size_t>& ends) {
    classes_.load(rows, ends, static_cast<std::size_t>(judge_.n_least_rows()));
    growth_.resize(classes_.n_most_classes());
    score_.resize(classes_.n_most_classes());
    for (auto* part : {&without_, &loss_x_, &loss_y_}) part->resize(classes_.largest_capacity());
}

void Patch::search(double heat, Random& random, const std::function<bool()>& is_over) {
    for (std::size_t x = 0; x < classes_.n_classes() && !is_over();) {
        improve_class(x);
        if (!dissolve(x)) ++x;  // else the last class has its number
    }
    const std::size_t n = classes_.n_classes();
    for (std::size_t t = 0; t < n * n_trials_per_class; ++t) {
        if (t % n_trials_between_looks == 0 && is_over()) return;
        const std::size_t first = t < std::min(n, classes_.n_classes()) ? t : random.below(classes_.n_classes());
        if (!regroup(first, heat, random)) continue;
        for (const std::size_t x : chosen_) improve_class(x);
    }
}

const std::int32_t* Patch::values(std::size_t x, std::size_t i) {
    for (std::size_t c = 0; c < n_columns_; ++c) values_[c] = classes_.lane(x, c)[i];
    return values_.data();
}

bool Patch::can_spare(std::size_t x) const {
    return static_cast<std::int32_t>(classes_.size(x)) > judge_.n_least_rows();
}

// Every row that the class would gain from losing goes where that lowers the cost of both classes.
void Patch::improve_class(std::size_t x) {
    if (classes_.size(x) < 2) return;
    classes_.losses_without(x, without_.data());
    for (std::size_t i = 0; i < classes_.size(x); ++i) {
        if (without_[i] == classes_.loss(x) && !can_spare(x)) continue;
        if (!improve_row(x, i)) continue;
        if (classes_.size(x) < 2) return;
        classes_.losses_without(x, without_.data());
    }
}

bool Patch::improve_row(std::size_t x, std::size_t i) {
    classes_.growth_by_row(values(x, i), growth_.data());
    for (std::size_t y = 0; y < classes_.n_classes(); ++y) score_[y] = static_cast<float>(growth_[y]);
    // Many classes cover a row without growing by it; the cheapest of them is its place.
    for (std::size_t y = 0; has_trees_ && y < classes_.n_classes(); ++y)
        score_[y] = score_[y] * static_cast<float>(classes_.size(y) + 1) + static_cast<float>(classes_.loss(y));
    score_[x] = taken;
    for (int attempt = 0; attempt < n_others_; ++attempt) {
        const std::size_t y = take_nearest();
        if (y == x) return false;
        const Exchange exchange = best_exchange(x, i, y);
        if (exchange.gain <= 0) continue;
        apply(x, i, exchange);
        return true;
    }
    return false;
}

// The class with the lowest score, which is taken then; any class if all are taken.
std::size_t Patch::take_nearest() {
    const auto end = score_.begin() + static_cast<std::ptrdiff_t>(classes_.n_classes());
    const auto nearest = std::min_element(score_.begin(), end);
    *nearest = taken;
    return static_cast<std::size_t>(nearest - score_.begin());
}

Patch::Exchange Patch::best_exchange(std::size_t x, std::size_t i, std::size_t y) {
    Exchange best;
    best.other = y;
    const std::int64_t before = classes_.cost(x) + classes_.cost(y);
    const auto size_x = static_cast<std::int64_t>(classes_.size(x)), size_y = static_cast<std::int64_t>(classes_.size(y));
    if (can_spare(x) && classes_.size(y) < classes_.capacity(y)) {
        best.partner = classes_.size(y);
        best.gain = before - (size_x - 1) * without_[i] - (size_y + 1) * (classes_.loss(y) + growth_[y]);
    }
    if (best.gain > 0 && !is_allowed(x, i, best)) best.gain = 0;
    // A row that costs its class nothing can only be moved to advantage; trees have many such rows.
    if (size_y < 2 || (has_trees_ && without_[i] == classes_.loss(x))) return best;
    classes_.losses_swapped(x, i, y, loss_x_.data(), loss_y_.data());
    const auto gain = [&](std::size_t j) { return before - size_x * loss_x_[j] - size_y * loss_y_[j]; };
    if (judge_.counts_only()) {
        for (std::size_t j = 0; j < classes_.size(y); ++j) {
            if (gain(j) > best.gain) best = {y, j, gain(j)};
        }
        return best;
    }
    partners_.clear();
    for (std::size_t j = 0; j < classes_.size(y); ++j) {
        if (gain(j) > best.gain) partners_.push_back({y, j, gain(j)});
    }
    std::stable_sort(partners_.begin(), partners_.end(), [](const auto& a, const auto& b) { return a.gain > b.gain; });
    for (std::size_t n = 0; n < std::min(partners_.size(), n_most_partners); ++n) {
        if (is_allowed(x, i, partners_[n])) return partners_[n];
    }
    return best;
}

// Whether both classes would still meet every demand.
bool Patch::is_allowed(std::size_t x, std::size_t i, const Exchange& exchange) {
    if (judge_.counts_only()) return true;
    const std::size_t y = exchange.other, n = classes_.size(y);
    const std::int32_t* coming = exchange.partner < n ? classes_.rows(y) + exchange.partner : nullptr;
    return is_accepted(x, i, coming) && is_accepted(y, exchange.partner, classes_.rows(x) + i);
}

// Class x without its row `out` (beyond the last: with all its rows) and with another one.
bool Patch::is_accepted(std::size_t x, std::size_t out, const std::int32_t* in) {
    of_class_.assign(classes_.rows(x), classes_.rows(x) + classes_.size(x));
    if (out < of_class_.size()) of_class_.erase(of_class_.begin() + static_cast<std::ptrdiff_t>(out));
    if (in != nullptr) of_class_.push_back(*in);
    return judge_.accepts(of_class_);
}

void Patch::apply(std::size_t x, std::size_t i, const Exchange& exchange) {
    const std::size_t y = exchange.other, size_x = classes_.size(x), size_y = classes_.size(y);
    const bool is_move = exchange.partner == size_y;
    const std::size_t from = is_move ? x : y, j = is_move ? size_x - 1 : exchange.partner;
    const std::int32_t row = classes_.rows(x)[i], replacement = classes_.rows(from)[j];
    values(x, i);
    const std::vector<std::int32_t> leaving(values_);
    const std::int32_t* coming = values(from, j);
    classes_.clear(x);
    classes_.clear(y);
    classes_.write(x, i, replacement, coming);
    classes_.write(y, exchange.partner, row, leaving.data());
    classes_.settle(x, is_move ? size_x - 1 : size_x);
    classes_.settle(y, is_move ? size_y + 1 : size_y);
}

// Gives all rows of a class to other classes, where those lose less by it than the class did.
bool Patch::dissolve(std::size_t x) {
    if (classes_.loss(x) == 0) return false;
    std::int64_t left = classes_.cost(x);
    homes_.clear();
    given_.assign(classes_.n_classes(), {});
    for (std::size_t i = 0; i < classes_.size(x); ++i) {
        const std::size_t home = cheapest_home(x, i, left);
        if (home == x) return false;
        homes_.push_back(home);
    }
    // The last class, which takes the place of this one, may have been given rows.
    const std::size_t last = classes_.n_classes() - 1;
    if (x != last && classes_.size(last) + given_[last].n_rows > classes_.capacity(x)) return false;
    for (std::size_t i = 0; i < homes_.size(); ++i) {
        const std::size_t y = homes_[i], size_y = classes_.size(y);
        values(x, i);
        classes_.clear(y);
        classes_.write(y, size_y, classes_.rows(x)[i], values_.data());
        classes_.settle(y, size_y + 1);
    }
    classes_.remove(x);
    return true;
}

// The class that row i of class x raises the cost of least, and by less than is left, which that is taken from; x itself
// if there is none. Several rows grow a class by no more than the sum of what each does alone. Where there are other
// demands than numbers of rows, a class that has been given one is full.
std::size_t Patch::cheapest_home(std::size_t x, std::size_t i, std::int64_t& left) {
    const std::int32_t row = classes_.rows(x)[i];
    classes_.growth_by_row(values(x, i), growth_.data());
    std::int64_t least = left;
    std::size_t home = x;
    for (std::size_t y = 0; y < classes_.n_classes(); ++y) {
        const Given& given = given_[y];
        const std::size_t size = classes_.size(y) + given.n_rows;
        const std::int64_t more = classes_.loss(y) + given.growth + static_cast<std::int64_t>(size + 1) * growth_[y];
        if (y == x || more >= least || size == classes_.capacity(y)) continue;
        if (!judge_.counts_only() && (given.n_rows > 0 || !is_accepted(y, size, &row))) continue;
        least = more;
        home = y;
    }
    if (home == x) return x;
    left -= least;
    given_[home].n_rows += 1;
    given_[home].growth += growth_[home];
    return home;
}

bool Patch::regroup(std::size_t first, double heat, Random& random) {
    if (classes_.loss(first) == 0 && !can_spare(first)) return false;
    const bool sifts = has_trees_ && random.chance(share_of_sifting);
    const std::size_t n_chosen = sifts ? n_fewest_sifted + random.below(n_most_sifted - n_fewest_sifted + 1)
                                       : random_number_of_classes(random);
    choose_neighbours(first, std::min(classes_.n_classes(), n_chosen), random);
    pool_.clear();
    std::int64_t before = 0;
    for (const std::size_t x : chosen_) {
        before += classes_.cost(x);
        pool_.add(classes_, x);
    }
    std::int64_t limit = before;
    if (heat > 0.0) limit += static_cast<std::int64_t>(heat * random.exponential());
    bool is_found = false;
    if (sifts) {
        is_found = pool_.sift(limit, random);
    } else if (random.chance(share_of_cores)) {
        is_found = pool_.regrow(random.real(), limit, random);
    } else {
        const std::size_t n_most = pool_.n_most_classes();
        const std::size_t room = classes_.n_most_classes() - classes_.n_classes();
        std::size_t n_wanted = chosen_.size();
        if (n_most > n_wanted && random.chance(0.5F)) {
            n_wanted = std::min(n_most, n_wanted + room);
        } else if (n_wanted > 1 && random.chance(judge_.counts_only() ? share_of_fewer_classes : 0.5F)) {
            --n_wanted;
        }
        const auto start = static_cast<Pool::Start>(random.below(3));
        is_found = pool_.regroup(n_wanted, start, limit, random);
    }
    // Most trials find the classes that were there already.
    return is_found && pool_.cost() != before && pool_.write_back(chosen_, classes_);
}

// Few large classes, or more of the small ones.
std::size_t Patch::random_number_of_classes(Random& random) const {
    if (judge_.n_least_rows() < 8) return 2 + random.below(5);
    const float u = random.real();
    return u < 0.5F ? 2 : u < 0.8F ? 3 : 4;
}

// The class itself and those that would take one of its rows most cheaply, with some noise.
void Patch::choose_neighbours(std::size_t first, std::size_t n_wanted, Random& random) {
    classes_.growth_by_row(values(first, outer_row(first, random)), growth_.data());
    const auto least_rows = static_cast<float>(judge_.n_least_rows());
    std::size_t at = random.below(n_noise);
    for (std::size_t y = 0; y < classes_.n_classes(); ++y, at = (at + 1) % n_noise) {
        const float cost = static_cast<float>(growth_[y]) * least_rows + static_cast<float>(classes_.loss(y));
        score_[y] = cost * noise_[at];
    }
    score_[first] = taken;
    chosen_.assign(1, first);
    while (chosen_.size() < n_wanted) chosen_.push_back(take_nearest());
}

// Mostly the one of four random rows that the class would gain most from losing.
std::size_t Patch::outer_row(std::size_t x, Random& random) {
    const std::size_t n = classes_.size(x);
    std::size_t best = random.below(n);
    if (n < 2 || random.chance(share_of_any_row)) return best;
    classes_.losses_without(x, without_.data());
    for (int attempt = 0; attempt < 3; ++attempt) {
        const std::size_t i = random.below(n);
        if (without_[i] < without_[best]) best = i;
    }
    return best;
}

}  // namespace celosia
