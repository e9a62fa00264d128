// Local recoding: recodings of whole columns one after another, each of what the others left over.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

#include "recoder.hpp"

namespace celosia {

bool Recoder::holds(const Partition& classes, std::size_t one) {
    if (classes.sizes[one] < terms_.n_least_rows) return false;
    for (std::size_t demand = 0; demand < terms_.demands.size(); ++demand) {
        if (!terms_.demands[demand]->is_met_by(counts(demand, classes, one))) return false;
    }
    return true;
}

// Whether the last scheme can publish all of these but for rows that may be suppressed.
bool Recoder::can_follow(const Partition& rest, const Scheme& last) {
    Partition now = rest, finer;
    for (std::size_t j = 0; j < last.size(); ++j) {
        if (last[j].n_groups == 1) continue;
        refiner_.refine(now, finer, tuples_.codes[j].data(), last[j].groups, last[j].n_groups, 0,
                        [](const std::int32_t*, const std::int32_t*) { return true; });
        std::swap(now, finer);
    }
    std::int64_t n_broken = 0;
    for (std::size_t one = 0; one < now.n_classes() && n_broken <= terms_.n_spare; ++one) {
        if (!holds(now, one)) n_broken += now.sizes[one];
    }
    return n_broken <= terms_.n_spare;
}

// Takes the classes of now_ that hold out of next_, the tuples that are left; nothing if the rest could not follow.
void Recoder::publish(std::size_t scheme, const Scheme& last, std::vector<std::int32_t>& label_of, Swept& swept) {
    const auto n_before = static_cast<std::int32_t>(swept.scheme_of.size());
    std::int32_t label = n_before;
    std::int64_t n_rest = next_.sizes[0];
    for (std::size_t one = 0; one < now_.n_classes(); ++one) {
        if (!holds(now_, one)) continue;
        for (auto i = now_.starts[one]; i < now_.starts[one + 1]; ++i)
            label_of[static_cast<std::size_t>(now_.order[static_cast<std::size_t>(i)])] = label;
        ++label;
        n_rest -= now_.sizes[one];
    }
    if (label == n_before) return;
    Partition rest;
    for (const std::int32_t tuple : next_.order) {
        if (label_of[static_cast<std::size_t>(tuple)] < 0) rest.order.push_back(tuple);
    }
    rest.starts = {0, static_cast<std::int32_t>(rest.order.size())};
    rest.sizes = {n_rest};
    if (n_rest > terms_.n_spare && !can_follow(rest, last)) {
        for (const std::int32_t tuple : next_.order) {
            auto& own = label_of[static_cast<std::size_t>(tuple)];
            if (own >= n_before) own = -1;
        }
        return;
    }
    swept.scheme_of.resize(static_cast<std::size_t>(label), static_cast<std::int32_t>(scheme));
    next_ = std::move(rest);
}

namespace {

// How many schemes to go on at a time so that the last is reached in time. At first all are taken: what is quick does
// not depend on the clock.
class Stride {
   public:
    Stride(std::size_t n_schemes, double seconds) : n_schemes_(n_schemes), seconds_(seconds) {}

    std::size_t after(std::size_t at) {
        ++n_done_;
        const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
        if (seconds_ <= 0.0 || gone < 0.1 * seconds_) return 1;
        const double n_more = std::max((seconds_ - gone) / gone * static_cast<double>(n_done_), 1.0);
        return static_cast<std::size_t>(std::ceil(static_cast<double>(n_schemes_ - at) / n_more));
    }

   private:
    std::size_t n_schemes_, n_done_ = 0;
    double seconds_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace

Swept Recoder::sweep(const std::vector<Scheme>& schemes, double seconds, Pulse& pulse) {
    Swept swept;
    std::vector<std::int32_t> label_of(tuples_.size(), -1);
    next_.become_one(tuples_.weights);  // the tuples that are left
    Partition finer;
    std::vector<std::size_t> order(tuples_.codes.size());
    pulse.restart(static_cast<std::int64_t>(schemes.size()));
    Stride stride(schemes.size(), seconds);
    const std::size_t last = schemes.size() - 1;  // which can publish what is left
    for (std::size_t at = 0; at <= last && next_.sizes[0] > 0;) {
        if (pulse.stopped()) at = last;
        const Scheme& scheme = schemes[at];
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](auto a, auto b) { return scheme[a].n_groups > scheme[b].n_groups; });
        now_ = next_;
        for (const std::size_t j : order) {
            if (scheme[j].n_groups == 1 || now_.n_classes() == 0) break;
            refiner_.refine(now_, finer, tuples_.codes[j].data(), scheme[j].groups, scheme[j].n_groups,
                            terms_.n_least_rows, [](const std::int32_t*, const std::int32_t*) { return true; });
            std::swap(now_, finer);
        }
        if (now_.n_classes() > 0) publish(at, schemes.back(), label_of, swept);
        pulse.reach(static_cast<std::int64_t>(at) + 1);
        at = at == last ? at + 1 : std::min(at + stride.after(at), last);
    }
    swept.labels.assign(tuples_.tuple_of.size(), -1);
    for (std::size_t row = 0; row < swept.labels.size(); ++row)
        swept.labels[row] = label_of[static_cast<std::size_t>(tuples_.tuple_of[row])];
    return swept;
}

}  // namespace celosia
