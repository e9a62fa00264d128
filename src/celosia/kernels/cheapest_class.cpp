#include "cheapest_class.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <chrono>
#include <memory>
#include <queue>
#include <utility>

#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

// The bound by sums pays off where many rows are taken out of few.
constexpr std::size_t least_k_for_sums = 4, most_for_sums = 100;
constexpr std::size_t improve_every = 32;
// Classes are looked for by exchanges among so many rows.
constexpr std::size_t most_near = 150;
// Rows that all open parts may hold together: 64 MB for each thread.
constexpr std::size_t most_held = std::size_t{1} << 24;

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

ClassSearch::ClassSearch(const Columns& columns, std::int32_t k, const double* potentials)
    : columns_(columns), k_(static_cast<std::size_t>(k)), potentials_(potentials), around_(columns) {
    shares_.push_back(0);
    for (std::size_t size = 1; size < 2 * k_; ++size) shares_.push_back(1 / static_cast<double>(size));
    for (std::int32_t row = 0; row < columns.n_rows(); ++row) insert_top(top_of_all_, potentials[row]);
}

void ClassSearch::insert_top(std::vector<double>& top, double potential) const {
    const std::size_t most = 2 * k_ - 2;
    if (top.size() == most) {
        if (potential <= top.back()) return;
        top.pop_back();
    }
    top.insert(std::upper_bound(top.begin(), top.end(), potential, std::greater<>()), potential);
}

std::size_t ClassSearch::best_size(const std::vector<double>& top) const {
    double sum = own_;
    for (std::size_t i = 0; i + 1 < k_; ++i) sum += top[i];
    std::size_t size = k_;
    while (size <= top.size() && top[size - 1] * static_cast<double>(size) > sum) sum += top[size++ - 1];
    return size;
}

double ClassSearch::best_mean(const std::vector<double>& top) const {
    const std::size_t size = best_size(top);
    double sum = own_;
    for (std::size_t i = 0; i + 1 < size; ++i) sum += top[i];
    return sum * shares_[size];
}

// sums_[m - k]: the row and the m - 2 highest of the others.
void ClassSearch::prepare_means(const std::vector<double>& top) {
    sums_.clear();
    double sum = own_;
    for (std::size_t i = 0; i + 2 < k_; ++i) sum += top[i];
    sums_.push_back(sum);
    for (std::size_t size = k_ + 1; size <= top.size() + 1; ++size) sums_.push_back(sum += top[size - 3]);
}

// The mean rises with the size while the next of the others is above it, and then falls.
double ClassSearch::best_mean_with(double potential) const {
    double best = (sums_[0] + potential) * shares_[k_];
    for (std::size_t i = 1; i < sums_.size(); ++i) {
        const double mean = (sums_[i] + potential) * shares_[k_ + i];
        if (mean <= best) break;
        best = mean;
    }
    return best;
}

CheapestClass ClassSearch::run(std::int32_t row, double tolerance, std::int64_t n_parts,
                               const std::function<bool()>& is_over) {
    found_ = CheapestClass{};
    found_.cost = infinite;
    tolerance_ = tolerance;
    own_ = potentials_[row];
    gather(row);
    grow(row);
    using Entry = std::pair<double, std::int32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    std::size_t n_held = 0;
    const auto add = [&](std::int32_t parent, bool is_demanded, double bound, std::vector<std::int32_t> others) {
        parts_.push_back({parent, is_demanded, bound, {}, std::move(others)});
        const bool stays = judge(row, parts_.back());
        if (stays) {
            open.emplace(parts_.back().bound, static_cast<std::int32_t>(parts_.size() - 1));
            parts_.back().others.shrink_to_fit();
            n_held += parts_.back().others.size();
        } else {
            put_aside_ = std::min(put_aside_, parts_.back().bound);
            parts_.back().others = {};
        }
    };
    parts_.clear();
    add(-1, false, -infinite, all_);
    while (!open.empty() && static_cast<std::int64_t>(parts_.size()) < n_parts && n_held < most_held && !is_over()) {
        const auto [bound, index] = open.top();
        if (!is_better(bound)) break;
        open.pop();
        const std::vector<std::int32_t> others = std::move(parts_[static_cast<std::size_t>(index)].others);
        n_held -= others.size();
        add(index, true, bound, others);
        add(index, false, bound, others);
    }
    found_.bound = std::min({found_.cost, put_aside_, open.empty() ? infinite : open.top().first});
    return std::move(found_);
}

// The nearest rows make the first class; then the rows are left that can be in a cheaper one.
void ClassSearch::gather(std::int32_t row) {
    put_aside_ = infinite;
    around_.measure_pairs(row, growth_);
    settle(row, nearest(row));
    offer(row, all_);
    const double most = best_mean(top_of_all_);
    const double limit = found_.cost - tolerance_ + most;
    std::int32_t least_dropped = INT32_MAX;
    candidates_.clear();
    for (std::int32_t other = 0; other < columns_.n_rows(); ++other) {
        const std::int32_t growth = growth_[static_cast<std::size_t>(other)];
        if (growth >= limit)
            least_dropped = std::min(least_dropped, growth);
        else if (other != row)
            candidates_.push_back({growth, other, potentials_[other]});
    }
    if (least_dropped < INT32_MAX) put_aside_ = std::min(put_aside_, least_dropped - most);
    for (std::size_t n_before = candidates_.size() + 1; candidates_.size() < n_before;) {
        n_before = candidates_.size();
        narrow(0);
        sweep(0);
    }
    if (candidates_.size() > most_others) leave_out();
    std::vector<std::int32_t> others;
    for (const Candidate& candidate : candidates_) others.push_back(candidate.other);
    settle(row, others);
    near_ = all_;
    is_near_.assign(all_.size(), 1);
    if (near_.size() <= most_near) return;
    const auto raised = [&](std::int32_t other) {
        const Candidate& candidate = candidates_[static_cast<std::size_t>(other)];
        return candidate.growth - candidate.potential * shares_[k_];
    };
    std::nth_element(near_.begin(), near_.begin() + most_near, near_.end(), [&](std::int32_t a, std::int32_t b) {
        const double x = raised(a), y = raised(b);
        return x != y ? x < y : a < b;
    });
    near_.resize(most_near);
    is_near_.assign(all_.size(), 0);
    for (const std::int32_t other : near_) is_near_[static_cast<std::size_t>(other)] = 1;
}

void ClassSearch::settle(std::int32_t row, const std::vector<std::int32_t>& others) {
    around_.settle(row, others);
    others_potential_.clear();
    for (const std::int32_t other : others) others_potential_.push_back(potentials_[other]);
    all_.resize(others.size());
    std::iota(all_.begin(), all_.end(), 0);
}

std::vector<std::int32_t> ClassSearch::nearest(std::int32_t row) const {
    std::vector<std::pair<std::int32_t, std::int32_t>> heap;  // the furthest on top
    for (std::int32_t other = 0; other < columns_.n_rows(); ++other) {
        const std::int32_t growth = growth_[static_cast<std::size_t>(other)];
        if (other == row || (heap.size() + 1 == k_ && growth >= heap.front().first)) continue;
        if (heap.size() + 1 == k_) {
            std::pop_heap(heap.begin(), heap.end());
            heap.pop_back();
        }
        heap.emplace_back(growth, other);
        std::push_heap(heap.begin(), heap.end());
    }
    std::vector<std::int32_t> rows;
    for (const auto& [growth, other] : heap) rows.push_back(other);
    return rows;
}

// Drops the candidates with which no class is cheaper than the best one.
bool ClassSearch::narrow(std::int32_t loss) {
    top_.clear();
    for (const Candidate& candidate : candidates_) insert_top(top_, candidate.potential);
    if (top_.size() + 1 < k_) {
        candidates_.clear();
        return false;
    }
    prepare_means(top_);
    others_lead_ = best_mean(top_) > own_;
    std::size_t n_kept = 0;
    for (const Candidate& candidate : candidates_) {
        const double cost = loss + candidate.growth - best_mean_with(candidate.potential);
        if (is_better(cost))
            candidates_[n_kept++] = candidate;
        else
            put_aside_ = std::min(put_aside_, cost);
    }
    candidates_.resize(n_kept);
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.growth != b.growth ? a.growth < b.growth : a.other < b.other;
    });
    return true;
}

// Too many: the least promising ones go.
void ClassSearch::leave_out() {
    const auto cost = [&](const Candidate& candidate) { return candidate.growth - best_mean_with(candidate.potential); };
    const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(most_others);
    std::nth_element(candidates_.begin(), last, candidates_.end(), [&](const Candidate& a, const Candidate& b) {
        const double x = cost(a), y = cost(b);
        return x != y ? x < y : a.other < b.other;
    });
    put_aside_ = std::min(put_aside_, cost(*last));
    candidates_.erase(last, candidates_.end());
}

// A first class: the row that raises loss - potential / k least, again and again, then all that lower the cost.
void ClassSearch::grow(std::int32_t row) {
    std::vector<std::int32_t> left = near_, taken;
    around_.clear();
    double sum = own_, cost = infinite;
    while (!left.empty() && taken.size() + 2 < 2 * k_) {
        around_.measure_growth(left, growth_);
        const auto size = static_cast<double>(std::max(taken.size() + 2, k_));
        std::size_t best = 0;
        double least = infinite;
        for (std::size_t j = 0; j < left.size(); ++j) {
            const double raised = growth_[j] - potential_of(left[j]) / size;
            if (raised < least) least = raised, best = j;
        }
        const double next = around_.loss() + growth_[best] - (sum + potential_of(left[best])) / size;
        if (taken.size() + 1 >= k_ && next >= cost) break;
        cost = taken.size() + 2 >= k_ ? next : infinite;
        sum += potential_of(left[best]);
        taken.push_back(left[best]);
        around_.take(left[best]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    }
    if (taken.size() + 1 >= k_) improve(row, std::move(taken));
}

void ClassSearch::offer(std::int32_t row, const std::vector<std::int32_t>& others) {
    const double cost = cost_of(others);
    if (cost >= found_.cost) return;
    found_.cost = cost;
    found_.seen.emplace_back(1, row);
    for (const std::int32_t other : others) found_.seen.back().push_back(around_.row(other));
}

// Of the rows within reach of a class, those with the best mean.
void ClassSearch::fill(std::vector<std::int32_t>& others) {
    around_.loss_of(others);
    around_.measure_growth(near_, growth_);
    candidates_.clear();
    for (std::size_t j = 0; j < near_.size(); ++j) {
        if (growth_[j] == 0) candidates_.push_back({0, near_[j], potential_of(near_[j])});
    }
    for (const std::int32_t other : others) {
        if (is_near_[static_cast<std::size_t>(other)] == 0) candidates_.push_back({0, other, potential_of(other)});
    }
    choose(candidates_.size(), others);
}

double ClassSearch::cost_of(const std::vector<std::int32_t>& others) {
    double sum = own_;
    for (const std::int32_t other : others) sum += potential_of(other);
    return around_.loss_of(others) - sum * shares_[others.size() + 1];
}

// Takes out each row in turn and puts the best one in its place, as long as that helps.
void ClassSearch::improve(std::int32_t row, std::vector<std::int32_t> others) {
    fill(others);
    double cost = cost_of(others);
    std::vector<std::int32_t> trial;
    for (std::size_t n_failed = 0, turn = 0; n_failed < others.size(); ++turn) {
        trial = others;
        const std::size_t out = turn % trial.size();
        const std::int32_t left = trial[out];
        trial.erase(trial.begin() + static_cast<std::ptrdiff_t>(out));
        if (trial.size() + 2 <= k_) put_in(trial, left);
        fill(trial);
        const double next = cost_of(trial);
        ++n_failed;
        if (next < cost) {
            cost = next;
            others.swap(trial);
            n_failed = 0;
        }
    }
    offer(row, others);
}

void ClassSearch::put_in(std::vector<std::int32_t>& others, std::int32_t instead_of) {
    around_.loss_of(others);
    around_.measure_growth(near_, growth_);
    std::int32_t best = instead_of;
    double least = infinite;
    for (std::size_t j = 0; j < near_.size(); ++j) {
        const double raised = growth_[j] - potential_of(near_[j]) * shares_[k_];
        if (raised >= least || near_[j] == instead_of) continue;
        if (std::find(others.begin(), others.end(), near_[j]) != others.end()) continue;
        least = raised;
        best = near_[j];
    }
    others.push_back(best);
}

void ClassSearch::follow(std::int32_t index) {
    around_.clear();
    for (const Part* part = &parts_[static_cast<std::size_t>(index)]; part->parent >= 0;) {
        const Part* parent = &parts_[static_cast<std::size_t>(part->parent)];
        if (part->is_demanded)
            around_.demand(parent->reach);
        else
            around_.forbid(parent->reach);
        part = parent;
    }
}

bool ClassSearch::judge(std::int32_t row, Part& part) {
    const auto index = static_cast<std::int32_t>(parts_.size() - 1);
    follow(index);
    const std::int32_t loss = around_.loss();
    around_.measure_growth(part.others, growth_);
    candidates_.clear();
    for (std::size_t j = 0; j < part.others.size(); ++j) {
        if (growth_[j] != barred) candidates_.push_back({growth_[j], part.others[j], potential_of(part.others[j])});
    }
    part.others.clear();
    if (!narrow(loss)) {
        part.bound = infinite;
        return false;
    }
    part.bound = std::max(part.bound, sweep(loss));
    if (is_better(part.bound) && k_ >= least_k_for_sums && candidates_.size() <= most_for_sums)
        part.bound = std::max(part.bound, sum_up(loss));
    if (!is_better(part.bound)) return false;
    for (const Candidate& candidate : candidates_) part.others.push_back(candidate.other);
    choose(n_best_, chosen_);
    // Both forget what is demanded.
    if (parts_.size() % improve_every == 0)
        improve(row, chosen_);
    else
        offer(row, chosen_);
    follow(index);
    part.reach = around_.best_cut(chosen_);
    return part.reach.cost > 0;
}

// Over all limits of growth: the loss with it, minus the best mean of the rows within. Candidates beyond the last limit
// that leaves hope are dropped.
double ClassSearch::sweep(std::int32_t loss) {
    double best = infinite, mean = -infinite, dropped = infinite;
    std::size_t n_kept = 0;
    top_.clear();
    n_best_ = 0;
    for (std::size_t j = 0; j < candidates_.size(); ++j) {
        const bool is_full = top_.size() == 2 * k_ - 2;
        const bool is_new = !is_full || candidates_[j].potential > top_.back();
        if (is_new) insert_top(top_, candidates_[j].potential);
        if (top_.size() + 1 < k_) continue;
        if (is_new) mean = best_mean(top_);
        const double cost = loss + candidates_[j].growth - mean;
        if (cost < best) best = cost, n_best_ = j + 1;
        if (is_better(cost)) {
            n_kept = j + 1;
            dropped = infinite;
        } else {
            dropped = std::min(dropped, cost);
        }
    }
    put_aside_ = std::min(put_aside_, dropped);
    candidates_.resize(n_kept);
    return best;
}

// A class of m rows has the mean (own + (m - 1) * mean of the others) / m. That is highest, if the others' mean is not
// above the row's own potential, for m = k, else for the largest m; and the k - 1 best of them have no lower mean.
double ClassSearch::sum_up(std::int32_t loss) {
    stretch_bound_.clear();
    for (const Candidate& candidate : candidates_) {
        stretches_.clear();
        if (candidate.growth > 0) around_.stretches_of(candidate.other, stretches_);
        stretch_bound_.add(stretches_, candidate.potential);
    }
    stretch_bound_.finish();
    const double small = loss - own_ * shares_[k_] + stretch_bound_.least(k_ - 1, shares_[k_]);
    if (!others_lead_) return small;
    const double large_share = shares_[2 * k_ - 1];
    return std::min(small, loss - own_ * large_share + stretch_bound_.least(k_ - 1, 2 * large_share));
}

// The rows that have the best mean among the first candidates.
void ClassSearch::choose(std::size_t n_candidates, std::vector<std::int32_t>& chosen) const {
    std::vector<std::int32_t> order;
    for (std::size_t j = 0; j < n_candidates; ++j) order.push_back(candidates_[j].other);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return potential_of(a) > potential_of(b); });
    std::vector<double> top;
    for (std::size_t j = 0; j < order.size() && j < 2 * k_ - 2; ++j) top.push_back(potential_of(order[j]));
    order.resize(best_size(top) - 1);
    chosen = std::move(order);
}

ClassPrices cheapest_classes(const Pricing& pricing) {
    constexpr std::size_t most_seen = 3;
    const auto started = std::chrono::steady_clock::now();
    const auto is_over = [&] {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started;
        return pricing.pulse.stopped() || passed.count() >= pricing.seconds;
    };
    pricing.pulse.begin(static_cast<std::int64_t>(pricing.n_rows));
    std::vector<CheapestClass> found(pricing.n_rows);
    Workers<ClassSearch> workers(count_threads(pricing.threads), [&] {
        return std::make_unique<ClassSearch>(pricing.columns, pricing.k, pricing.potentials);
    });
    workers.run(pricing.n_rows, [&](ClassSearch& search, std::size_t item) {
        found[item].bound = -infinite;
        if (is_over()) return;
        found[item] = search.run(pricing.rows[item], pricing.tolerance, pricing.n_parts, is_over);
        pricing.pulse.advance(1);
    });
    pricing.pulse.check();
    ClassPrices prices;
    for (const CheapestClass& one : found) {
        prices.bound.push_back(one.bound);
        prices.cost.push_back(one.cost);
        for (std::size_t i = one.seen.size() - std::min(one.seen.size(), most_seen); i < one.seen.size(); ++i) {
            prices.members.insert(prices.members.end(), one.seen[i].begin(), one.seen[i].end());
            prices.ends.push_back(static_cast<std::int64_t>(prices.members.size()));
        }
    }
    return prices;
}

}  // namespace celosia
