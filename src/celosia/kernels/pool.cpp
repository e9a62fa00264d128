#include "pool.hpp"

#include <algorithm>
#include <numeric>

namespace celosia {

Pool::Pool(const Columns& columns, const Demands& demands)
    : columns_(columns),
      judge_(demands),
      source_(columns.size()),
      lanes_(columns.size()),
      values_(columns.size()),
      box_(columns),
      sieve_(columns, demands) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].kind == Kind::tree) trees_.push_back(c);
    }
}

void Pool::clear() {
    rows_.clear();
    ends_.clear();
    losses_.clear();
    for (auto& lane : source_) lane.clear();
}

void Pool::add(const ClassSet& classes, std::size_t x) {
    const std::size_t n = classes.size(x);
    rows_.insert(rows_.end(), classes.rows(x), classes.rows(x) + n);
    for (std::size_t c = 0; c < source_.size(); ++c)
        source_[c].insert(source_[c].end(), classes.lane(x, c), classes.lane(x, c) + n);
    ends_.push_back(rows_.size());
    losses_.resize(rows_.size(), classes.loss(x));
}

void Pool::begin(std::size_t n_classes, std::int64_t limit) {
    limit_ = limit;
    cost_of_all_ = 0;
    n_free_ = 0;
    for (auto& lane : lanes_) lane.resize(rows_.size());
    ids_.resize(rows_.size());
    cost_.resize(rows_.size());
    while (growing_.size() < n_classes) growing_.emplace_back(columns_);
    labels_.assign(rows_.size(), -1);
    sizes_.assign(n_classes, 0);
    loss_.assign(n_classes, 0);
}

// Appends rows first..last-1 to the free ones.
void Pool::load(std::size_t first, std::size_t last) {
    for (std::size_t c = 0; c < lanes_.size(); ++c) {
        std::int32_t* lane = lanes_[c].data() + n_free_;
        std::copy(source_[c].data() + first, source_[c].data() + last, lane);
        if (!columns_[c].has_missing) continue;
        for (std::size_t i = first; i < last; ++i, ++lane) *lane = lane_value(columns_[c], *lane);
    }
    for (std::size_t i = first; i < last; ++i) ids_[n_free_++] = static_cast<std::int32_t>(i);
}

const std::int32_t* Pool::values_at(std::size_t slot) {
    const auto i = static_cast<std::size_t>(ids_[slot]);
    for (std::size_t c = 0; c < source_.size(); ++c) values_[c] = source_[c][i];
    return values_.data();
}

// Moves the row at `slot` from the free rows to class x.
void Pool::take(std::size_t x, std::size_t slot) {
    labels_[static_cast<std::size_t>(ids_[slot])] = static_cast<std::int32_t>(x);
    ++sizes_[x];
    const std::size_t last = --n_free_;
    if (slot == last) return;
    for (auto& lane : lanes_) lane[slot] = lane[last];
    ids_[slot] = ids_[last];
    cost_[slot] = cost_[last];
}

// Applies the steps to the costs of the free rows from `window` on.
void Pool::apply(std::size_t window) {
    const std::size_t n = n_free_ - window;
    if (n == 0) return;
    for (const Step& step : steps_)
        apply_step(step, Width::four, reinterpret_cast<const std::byte*>(lanes_[step.lane].data() + window),
                   cost_.data() + window, n);
}

// The row at `slot` joins class x, and the costs of those from `window` on follow.
void Pool::absorb(std::size_t x, std::size_t slot, std::size_t window) {
    const std::int32_t* values = values_at(slot);
    take(x, slot);
    steps_.clear();
    growing_[x].absorb(values, steps_);
    apply(window);
}

// What a class of this row alone loses: nothing, except where a hierarchy begins above the values.
std::int32_t Pool::lonely_loss(std::size_t slot) const {
    std::int32_t total = 0;
    for (const std::size_t c : trees_) {
        const std::int32_t value = source_[c][static_cast<std::size_t>(ids_[slot])];
        if (value != missing) total += columns_[c].tree.loss[columns_[c].tree.at(0, value)];
    }
    return total;
}

// The row at `slot` starts class x.
void Pool::seed(std::size_t x, std::size_t slot, std::size_t window) {
    growing_[x].clear();
    loss_[x] = lonely_loss(slot);
    std::fill(cost_.data() + window, cost_.data() + n_free_, lowest_cost);
    absorb(x, slot, window);
}

// Adds the cheapest rows until class x, whose costs are up to date, has n_wanted rows.
bool Pool::grow(std::size_t x, std::int32_t n_wanted, std::size_t window) {
    while (sizes_[x] < n_wanted) {
        if (n_free_ == window) return false;
        const std::size_t n = n_free_ - window;
        const std::int32_t lowest = least(cost_.data() + window, n);
        if (lowest == lowest_cost) {
            // Rows inside the box change nothing: all of them at once.
            for (std::size_t slot = window; slot < n_free_ && sizes_[x] < n_wanted;) {
                if (cost_[slot] == lowest_cost) {
                    take(x, slot);
                } else {
                    ++slot;
                }
            }
            continue;
        }
        loss_[x] += lowest - lowest_cost;
        if (cost_of_all_ + std::int64_t{n_wanted} * loss_[x] >= limit_) return false;
        absorb(x, window + find(cost_.data() + window, n, lowest), window);
    }
    return true;
}

std::size_t Pool::cheapest() {
    if (n_free_ == 0) return n_free_;
    return find(cost_.data(), n_free_, least(cost_.data(), n_free_));
}

std::size_t Pool::cheapest_that_helps() {
    std::int32_t lowest = barred_cost;
    std::size_t slot = n_free_;
    for (std::size_t i = 0; i < n_free_; ++i) {
        if (cost_[i] >= lowest || !judge_.helps(rows_[static_cast<std::size_t>(ids_[i])])) continue;
        lowest = cost_[i];
        slot = i;
    }
    return slot;
}

bool Pool::grow_to_demands(std::size_t x) {
    if (judge_.counts_only()) return grow(x, judge_.n_least_rows(), 0);
    judge_.clear();
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        if (labels_[i] == static_cast<std::int32_t>(x)) judge_.add(rows_[i]);
    }
    while (!judge_.satisfied()) {
        const std::size_t slot = judge_.is_choosy() ? cheapest_that_helps() : cheapest();
        if (slot == n_free_) return false;
        const std::int32_t lowest = cost_[slot];
        judge_.add(rows_[static_cast<std::size_t>(ids_[slot])]);
        loss_[x] += lowest - lowest_cost;
        if (cost_of_all_ + std::int64_t{sizes_[x] + 1} * loss_[x] >= limit_) return false;
        if (lowest == lowest_cost) {
            take(x, slot);
        } else {
            absorb(x, slot, 0);
        }
    }
    return true;
}

// Class x has all it needs.
bool Pool::finish(std::size_t x) {
    cost_of_all_ += std::int64_t{sizes_[x]} * loss_[x];
    return cost_of_all_ < limit_;
}

// The costs become those for a class of the row at `slot` alone.
void Pool::measure_from(std::size_t slot) {
    growing_[0].clear();
    steps_.clear();
    growing_[0].absorb(values_at(slot), steps_);
    std::fill_n(cost_.data(), n_free_, lowest_cost);
    apply(0);
}

std::size_t Pool::furthest() const {
    return static_cast<std::size_t>(std::max_element(cost_.data(), cost_.data() + n_free_) - cost_.data());
}

bool Pool::regroup(std::size_t n_classes, Start start, std::int64_t limit, Random& random) {
    begin(n_classes, limit);
    load(0, rows_.size());
    for (std::size_t x = 0; x < n_classes; ++x) {
        if (n_free_ == 0) return false;
        if (is_all_that_is_left(x)) {
            take_rest(x);
        } else {
            std::size_t slot = random.below(n_free_);
            if (start == Start::furthest || (start == Start::furthest_after_first && x > 0)) {
                if (x == 0) measure_from(slot);
                slot = furthest();
            }
            seed(x, slot, 0);
            if (!grow_to_demands(x)) return false;
        }
        if (!finish(x)) return false;
    }
    return place_rest();
}

bool Pool::regrow(float share, std::int64_t limit, Random& random) {
    begin(ends_.size(), limit);
    std::size_t first = 0;
    for (std::size_t x = 0; x < ends_.size(); ++x) {
        const std::size_t window = n_free_, n = ends_[x] - first;
        load(first, ends_[x]);
        seed(x, window + random.below(n), window);
        const float wanted = share * static_cast<float>(judge_.n_least_rows()) + random.real();
        if (!grow(x, std::min(static_cast<std::int32_t>(n) - 1, static_cast<std::int32_t>(wanted)), window)) return false;
        first = ends_[x];
    }
    for (std::size_t x = 0; x < ends_.size(); ++x) {
        if (is_all_that_is_left(x)) {
            take_rest(x);
        } else {
            std::fill_n(cost_.data(), n_free_, lowest_cost);
            steps_.clear();
            growing_[x].describe(steps_);
            apply(0);
            if (!grow_to_demands(x)) return false;
        }
        if (!finish(x)) return false;
    }
    return place_rest();
}

// Whether class x is the last one and needs exactly the rows that are left.
bool Pool::is_all_that_is_left(std::size_t x) const {
    return x + 1 == sizes_.size() && judge_.counts_only() &&
           sizes_[x] + static_cast<std::int32_t>(n_free_) == judge_.n_least_rows();
}

void Pool::take_rest(std::size_t x) {
    const auto label = static_cast<std::int32_t>(x);
    for (std::size_t slot = 0; slot < n_free_; ++slot) labels_[static_cast<std::size_t>(ids_[slot])] = label;
    sizes_[x] += static_cast<std::int32_t>(n_free_);
    n_free_ = 0;
    of_class_.clear();
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        if (labels_[i] == label) of_class_.push_back(static_cast<std::int32_t>(i));
    }
    loss_[x] = 0;
    for (std::size_t c = 0; c < source_.size(); ++c) {
        if (cost_of_all_ + std::int64_t{sizes_[x]} * loss_[x] >= limit_) return;
        loss_[x] += loss_among(columns_[c], source_[c].data(), of_class_, box_, c);
    }
}

// What every free row would cost every class.
void Pool::measure_rest() {
    rest_cost_.assign(sizes_.size() * n_free_, lowest_cost);
    for (std::size_t x = 0; x < sizes_.size(); ++x) {
        steps_.clear();
        growing_[x].describe(steps_);
        apply_to_rest(x);
    }
}

void Pool::apply_to_rest(std::size_t x) {
    for (const Step& step : steps_)
        apply_step(step, Width::four, reinterpret_cast<const std::byte*>(lanes_[step.lane].data()),
                   rest_cost_.data() + x * n_free_, n_free_);
}

// Every row that is left goes where it costs least.
bool Pool::place_rest() {
    measure_rest();
    for (std::size_t i = 0; i < n_free_; ++i) {
        const std::size_t slot = i == 0 ? 0 : n_free_ - i;
        std::int64_t least_growth = limit_;
        std::size_t chosen = 0;
        for (std::size_t x = 0; x < sizes_.size(); ++x) {
            const std::int64_t own = rest_cost_[x * n_free_ + slot] - lowest_cost;
            const std::int64_t growth = loss_[x] + std::int64_t{sizes_[x] + 1} * own;
            if (growth >= least_growth) continue;
            least_growth = growth;
            chosen = x;
        }
        cost_of_all_ += least_growth;
        if (cost_of_all_ >= limit_) return false;
        const std::int32_t own = rest_cost_[chosen * n_free_ + slot] - lowest_cost;
        loss_[chosen] += own;
        labels_[static_cast<std::size_t>(ids_[slot])] = static_cast<std::int32_t>(chosen);
        ++sizes_[chosen];
        if (own == 0) continue;
        steps_.clear();
        growing_[chosen].absorb(values_at(slot), steps_);
        apply_to_rest(chosen);
    }
    n_free_ = 0;
    return all_accepted();
}

// A row that joins may break a demand that had been met.
bool Pool::all_accepted() {
    if (judge_.counts_only()) return true;
    for (std::size_t x = 0; x < sizes_.size(); ++x) {
        of_class_.clear();
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            if (labels_[i] == static_cast<std::int32_t>(x)) of_class_.push_back(rows_[i]);
        }
        if (!judge_.accepts(of_class_)) return false;
    }
    return true;
}

bool Pool::sift(std::int64_t limit, Random& random) {
    if (!sieve_.regroup(rows_, source_, losses_, limit, random)) return false;
    labels_ = sieve_.labels();
    sizes_ = sieve_.sizes();
    cost_of_all_ = sieve_.cost();
    return true;
}

// Whether the classes behind these (highest first), which get their numbers, have room there.
bool Pool::can_drop(const std::vector<std::size_t>& dropped, const ClassSet& classes) {
    moved_.clear();  // which class a dropped one has made place for
    std::size_t last = classes.n_classes();
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        --last;
        const auto at = std::find(dropped.begin(), dropped.begin() + static_cast<std::ptrdiff_t>(i), last);
        const auto own = static_cast<std::size_t>(at - dropped.begin());
        moved_.push_back(own < i ? moved_[own] : last);
        if (dropped[i] != last && classes.size(moved_.back()) > classes.capacity(dropped[i])) return false;
    }
    return true;
}

bool Pool::write_back(std::vector<std::size_t>& chosen, ClassSet& classes) {
    std::size_t n_new = sizes_.size() > chosen.size() ? sizes_.size() - chosen.size() : 0;
    if (classes.n_classes() + n_new > classes.n_most_classes()) return false;
    dropped_.clear();
    if (sizes_.size() < chosen.size()) {
        dropped_ = chosen;
        std::sort(dropped_.rbegin(), dropped_.rend());
        dropped_.resize(chosen.size() - sizes_.size());
        if (!can_drop(dropped_, classes)) return false;
        std::erase_if(chosen, [this](auto x) { return x >= dropped_.back(); });
    }
    for (std::size_t i = 0; i < n_new; ++i) chosen.push_back(classes.n_classes() + i);
    // The largest class goes where there is most room.
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](auto x, auto y) { return classes.capacity(x) > classes.capacity(y); });
    by_size_.resize(sizes_.size());
    std::iota(by_size_.begin(), by_size_.end(), std::size_t{0});
    std::stable_sort(by_size_.begin(), by_size_.end(), [&](auto x, auto y) { return sizes_[x] > sizes_[y]; });
    target_.resize(sizes_.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (static_cast<std::size_t>(sizes_[by_size_[i]]) > classes.capacity(chosen[i])) return false;
        target_[by_size_[i]] = chosen[i];
    }
    for (std::size_t i = 0; i < n_new; ++i) classes.add_class();
    for (const std::size_t x : chosen) classes.clear(x);
    n_written_.assign(sizes_.size(), 0);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        const auto x = static_cast<std::size_t>(labels_[i]);
        for (std::size_t c = 0; c < source_.size(); ++c) values_[c] = source_[c][i];
        classes.write(target_[x], n_written_[x]++, rows_[i], values_.data());
    }
    for (std::size_t x = 0; x < sizes_.size(); ++x) classes.settle(target_[x], n_written_[x]);
    for (const std::size_t x : dropped_) classes.remove(x);
    return true;
}

}  // namespace celosia
