#include "recoder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace celosia {

Terms::Terms(const Demands& lasting, const Demands& others, std::int64_t n_spare, bool sees_all)
    : n_least_rows(std::max(lasting.n_least_rows(), others.n_least_rows())),
      demands(lasting.others()),
      n_lasting(lasting.others().size()),
      overall(lasting.overall()),
      overall_lasts(others.overall().empty()),
      n_spare(n_spare),
      sees_all(sees_all) {
    demands.insert(demands.end(), others.others().begin(), others.others().end());
    overall.insert(overall.end(), others.overall().begin(), others.overall().end());
}

std::vector<const Demand*> Terms::counted() const {
    std::vector<const Demand*> all;
    for (const auto& demand : demands) all.push_back(demand.get());
    for (const Overall& one : overall) {
        if (one.people) all.push_back(one.people.get());
    }
    return all;
}

Recoder::Recoder(const Ladders& ladders, const Tuples& tuples, const Terms& terms, Objective objective)
    : ladders_(ladders), tuples_(tuples), terms_(terms), objective_(objective), refiner_(tuples.weights) {
    lost_.assign(tuples.size(), 0);
    for (std::size_t j = 0; j < tuples.codes.size(); ++j) {
        for (std::size_t tuple = 0; tuple < tuples.size(); ++tuple)
            lost_[tuple] += ladders.columns()[j].lost[static_cast<std::size_t>(tuples.codes[j][tuple])];
    }
    for (const Counted& counted : tuples.counted) histograms_.emplace_back(counted.n_codes);
    for (std::size_t demand = 0; demand < terms.demands.size(); ++demand) {
        const std::vector<std::int64_t> once(terms.demands[demand]->n_codes(), 1);
        refers_.push_back(terms.demands[demand]->measured_against(once) ? 1 : 0);
    }
}

std::int64_t Recoder::cost_of(const Scheme& scheme, std::int32_t tuple) const {
    std::int64_t cost = 0;
    for (std::size_t j = 0; j < scheme.size(); ++j)
        cost += scheme[j].costs[tuples_.codes[j][static_cast<std::size_t>(tuple)]];
    return cost;
}

std::int64_t Recoder::cost_of_all_lost() const {
    std::int64_t cost = 0;
    for (std::size_t tuple = 0; tuple < tuples_.size(); ++tuple) cost += tuples_.weights[tuple] * lost_[tuple];
    return cost;
}

const Histogram& Recoder::counts(std::size_t demand, const Partition& classes, std::size_t one) {
    Histogram& histogram = histograms_[demand];
    const Counted& counted = tuples_.counted[demand];
    histogram.clear();
    for (auto i = classes.starts[one]; i < classes.starts[one + 1]; ++i) {
        const auto tuple = static_cast<std::size_t>(classes.order[static_cast<std::size_t>(i)]);
        for (std::size_t at = counted.starts[tuple]; at < counted.starts[tuple + 1]; ++at)
            histogram.add(counted.codes[at], counted.counts[at]);
    }
    return histogram;
}

bool Recoder::breaks_lasting(const Partition& classes) {
    for (std::size_t one = 0; one < classes.n_classes(); ++one) {
        if (classes.sizes[one] < terms_.n_least_rows) return true;
        for (std::size_t demand = 0; demand < terms_.n_lasting; ++demand) {
            if (!terms_.demands[demand]->is_met_by(counts(demand, classes, one))) return true;
        }
    }
    if (!terms_.overall_lasts || terms_.overall.empty()) return false;
    is_gone_.assign(classes.n_classes(), 0);
    is_broken_.assign(classes.n_classes(), 0);
    std::size_t counted = terms_.demands.size();
    for (const Overall& overall : terms_.overall) {
        judge_overall(classes, overall, counted);
        if (overall.people) ++counted;
    }
    return std::find(is_broken_.begin(), is_broken_.end(), 1) != is_broken_.end();
}

void Recoder::judge_overall(const Partition& classes, const Overall& overall, std::size_t counted) {
    constexpr double hair = 1e-12;
    n_people_.assign(classes.n_classes(), 0);
    double n_rows = 0.0, n_small = 0.0, risk = 0.0;
    for (std::size_t one = 0; one < classes.n_classes(); ++one) {
        if (is_gone_[one]) continue;
        n_people_[one] = overall.people ? static_cast<std::int32_t>(counts(counted, classes, one).present().size())
                                        : static_cast<std::int32_t>(classes.sizes[one]);
        const auto size = static_cast<double>(classes.sizes[one]);
        n_rows += size;
        if (n_people_[one] < overall.least) n_small += size;
        risk += size / n_people_[one];
    }
    if ((overall.is_mean ? risk : n_small) <= overall.limit * n_rows * (1.0 + hair) + hair) return;
    for (std::size_t one = 0; one < classes.n_classes(); ++one) {
        if (!is_gone_[one] && n_people_[one] < overall.least) is_broken_[one] = 1;
    }
}

// Marks the classes that break something; false if none does.
bool Recoder::judge(const Partition& classes, bool is_first, std::vector<std::size_t>& broken) {
    is_broken_.assign(classes.n_classes(), 0);
    for (std::size_t one = 0; one < classes.n_classes(); ++one) {
        if (is_gone_[one]) continue;
        if (is_first && classes.sizes[one] < terms_.n_least_rows) is_broken_[one] = 1;
        for (std::size_t demand = 0; demand < terms_.demands.size() && !is_broken_[one]; ++demand) {
            if (is_first) {
                is_broken_[one] = terms_.demands[demand]->is_met_by(counts(demand, classes, one)) ? 0 : 1;
            } else if (refers_[demand]) {  // for the others nothing has changed
                is_broken_[one] = referring_[demand]->is_met_by(remembered_counts(demand, one)) ? 0 : 1;
            }
        }
    }
    std::size_t counted = terms_.demands.size();
    for (const Overall& overall : terms_.overall) {
        judge_overall(classes, overall, counted);
        if (overall.people) ++counted;
    }
    broken.clear();
    for (std::size_t one = 0; one < classes.n_classes(); ++one) {
        if (is_broken_[one]) broken.push_back(one);
    }
    return !broken.empty();
}

void Recoder::remember(const Partition& classes) {
    remembered_.resize(terms_.demands.size());
    kept_.resize(terms_.demands.size());
    for (std::size_t demand = 0; demand < terms_.demands.size(); ++demand) {
        if (!refers_[demand]) continue;
        Counted& found = remembered_[demand];
        found.starts.assign(1, 0);
        found.codes.clear();
        found.counts.clear();
        kept_[demand].assign(tuples_.counted[demand].n_codes, 0);
        for (std::size_t one = 0; one < classes.n_classes(); ++one) {
            const Histogram& own = counts(demand, classes, one);
            for (const std::int32_t code : own.present()) {
                const auto count = static_cast<std::int32_t>(own.count(static_cast<std::size_t>(code)));
                found.codes.push_back(code);
                found.counts.push_back(count);
                kept_[demand][static_cast<std::size_t>(code)] += count;
            }
            found.starts.push_back(found.codes.size());
        }
    }
}

const Histogram& Recoder::remembered_counts(std::size_t demand, std::size_t one) {
    const Counted& found = remembered_[demand];
    Histogram& histogram = histograms_[demand];
    histogram.clear();
    for (std::size_t at = found.starts[one]; at < found.starts[one + 1]; ++at)
        histogram.add(found.codes[at], found.counts[at]);
    return histogram;
}

void Recoder::refer_to_kept(const std::vector<std::size_t>& newly_gone) {
    for (std::size_t demand = 0; demand < terms_.demands.size(); ++demand) {
        if (!refers_[demand]) continue;
        const Counted& found = remembered_[demand];
        for (const std::size_t one : newly_gone) {
            for (std::size_t at = found.starts[one]; at < found.starts[one + 1]; ++at)
                kept_[demand][static_cast<std::size_t>(found.codes[at])] -= found.counts[at];
        }
        referring_[demand] = terms_.demands[demand]->measured_against(kept_[demand]);
    }
}

void Recoder::lose(const Partition& classes, std::size_t one, const Scheme& scheme, Tab& tab) const {
    tab.n_lost += classes.sizes[one];
    for (auto i = classes.starts[one]; i < classes.starts[one + 1]; ++i) {
        const std::int32_t tuple = classes.order[static_cast<std::size_t>(i)];
        const std::int64_t weight = tuples_.weights[static_cast<std::size_t>(tuple)];
        tab.kept -= weight * cost_of(scheme, tuple);
        tab.lost += weight * cost_if_lost(tuple);
    }
}

std::int64_t Recoder::cost_of_classes(const Partition& classes, const std::vector<std::uint8_t>& is_gone,
                                      std::int64_t n_suppressed) const {
    std::int64_t squares = 0, n_kept = 0;
    for (std::size_t one = 0; one < classes.n_classes(); ++one) {
        if (!is_gone.empty() && is_gone[one]) continue;
        squares += classes.sizes[one] * classes.sizes[one];
        ++n_kept;
    }
    if (objective_ == Objective::class_size) return tuples_.n_rows - n_kept;
    return squares + n_suppressed * tuples_.n_rows;
}

Outcome Recoder::settle(const Partition& classes, const Scheme& scheme, Tab tab, std::int64_t most) {
    is_gone_.assign(classes.n_classes(), 0);
    referring_.assign(terms_.demands.size(), nullptr);
    std::size_t n_left = classes.n_classes();
    std::vector<std::size_t> broken;
    bool goes_on = false;
    if (n_left > 0 && (!terms_.demands.empty() || !terms_.overall.empty())) {
        // Rows that were lost for certain would have been found in the first round too, against all rows like this one.
        goes_on = judge(classes, true, broken) || tab.n_lost > 0;
    }
    for (bool is_second = true; goes_on; is_second = false) {
        for (const std::size_t one : broken) {
            is_gone_[one] = 1;
            --n_left;
            lose(classes, one, scheme, tab);
        }
        if (n_left == 0 || tab.n_lost > terms_.n_spare) return {};
        if (objective_ == Objective::cells && tab.kept + tab.lost > most) return {};
        if (!terms_.sees_all) break;
        if (is_second) remember(classes);
        refer_to_kept(broken);
        goes_on = judge(classes, false, broken);
    }
    if (n_left == 0 || tab.n_lost > terms_.n_spare) return {};
    const std::int64_t cost =
        objective_ == Objective::cells ? tab.kept + tab.lost : cost_of_classes(classes, is_gone_, tab.n_lost);
    return {true, cost, tab.n_lost};
}

// Cuts all tuples by the columns, those with most groups first, since they show soonest that a scheme does not hold.
bool Recoder::refine_all(const Scheme& scheme, Tab& tab) {
    std::vector<std::size_t> order(scheme.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scheme[a].n_groups > scheme[b].n_groups; });
    now_.become_one(tuples_.weights);
    tab = {};
    const auto lose = [&](const std::int32_t* first, const std::int32_t* last) {
        for (; first < last; ++first) {
            const std::int64_t weight = tuples_.weights[static_cast<std::size_t>(*first)];
            tab.n_lost += weight;
            tab.lost += weight * cost_if_lost(*first);
        }
        return tab.n_lost <= terms_.n_spare;
    };
    for (const std::size_t j : order) {
        if (scheme[j].n_groups == 1) break;  // those that follow have one group too
        if (!refiner_.refine(now_, next_, tuples_.codes[j].data(), scheme[j].groups, scheme[j].n_groups,
                             n_least_kept(), lose))
            return false;
        std::swap(now_, next_);
    }
    for (const std::int32_t tuple : now_.order)
        tab.kept += tuples_.weights[static_cast<std::size_t>(tuple)] * cost_of(scheme, tuple);
    return true;
}

Outcome Recoder::evaluate(const Scheme& scheme) {
    Tab tab;
    if (!refine_all(scheme, tab)) return {};
    return settle(now_, scheme, tab);
}

std::vector<std::int32_t> Recoder::labels(const Scheme& scheme) {
    if (!evaluate(scheme).holds) return {};
    std::vector<std::int32_t> of_tuple(tuples_.size(), -1);
    std::int32_t label = 0;
    for (std::size_t one = 0; one < now_.n_classes(); ++one) {
        if (is_gone_[one]) continue;
        for (auto i = now_.starts[one]; i < now_.starts[one + 1]; ++i)
            of_tuple[static_cast<std::size_t>(now_.order[static_cast<std::size_t>(i)])] = label;
        ++label;
    }
    std::vector<std::int32_t> labels(tuples_.tuple_of.size(), -1);
    for (std::size_t row = 0; row < labels.size(); ++row)
        labels[row] = of_tuple[static_cast<std::size_t>(tuples_.tuple_of[row])];
    return labels;
}

}  // namespace celosia
