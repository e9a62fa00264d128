#include "genetic.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "chromosomes.hpp"
#include "class_counts.hpp"
#include "random.hpp"
#include "team.hpp"
#include "workers.hpp"

namespace celosia {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
constexpr float chance_of_crossing = 0.8F;
constexpr int n_most_asked = 4;
// So many generations without anything better are the end, or a new beginning.
constexpr int n_idle_generations = 100;
constexpr std::size_t n_most_mutations = 16;

struct Individual {
    Genes genes;
    std::int64_t cost = unknown;  // unknown: it does not hold, or is no use

    bool operator<(const Individual& other) const {
        return cost != other.cost ? cost < other.cost : genes < other.genes;
    }
};

// Two different recodings have one key once in 2^64 times; the second is lost then.
std::uint64_t key_of(const Genes& genes) {
    Random mixed(0);
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < genes.size(); ++i) {
        const std::uint64_t number = mixed.next();
        if (genes[i] != 0) key += number * (2U * genes[i] - 1U);
    }
    return key;
}

// One thread's tools.
class Bench {
   public:
    explicit Bench(const GeneticTask& task)
        : decoded(task.ladders),
          task_(task),
          recoder_(task.ladders, task.tuples, task.terms, task.objective),
          counts_(task.tuples) {}

    // What the decoded recoding costs, unknown if it does not hold; least: what it would if no row were suppressed.
    std::int64_t cost(std::int64_t least) {
        const Terms& terms = task_.terms;
        const Scheme scheme = decoded.scheme();
        if (terms.overall.empty()) {
            const std::int64_t n_lost = counts_.n_rows_below(scheme, terms.n_least_rows);
            if (n_lost > terms.n_spare || n_lost == task_.tuples.n_rows) return unknown;
            if (terms.demands.empty() && task_.objective == Objective::cells)
                return n_lost == 0 ? least : least + cost_of_loss(scheme);
        }
        const Outcome found = recoder_.evaluate(scheme);
        return found.holds ? found.cost : unknown;
    }

    Decoded decoded;

   private:
    // What rows cost more that are suppressed because their classes are too small.
    std::int64_t cost_of_loss(const Scheme& scheme) const {
        std::int64_t more = 0;
        for (std::size_t tuple = 0; tuple < task_.tuples.size(); ++tuple) {
            if (!counts_.is_below(tuple)) continue;
            const auto one = static_cast<std::int32_t>(tuple);
            more += task_.tuples.weights[tuple] * (recoder_.cost_if_lost(one) - recoder_.cost_of(scheme, one));
        }
        return more;
    }

    const GeneticTask& task_;
    Recoder recoder_;
    ClassCounts counts_;
};

class Breeder {
   public:
    explicit Breeder(const GeneticTask& task)
        : task_(task),
          code_(task),
          random_(task.seed),
          judges_(count_threads(task.threads), [&] { return std::make_unique<Bench>(task); }) {
        for (std::size_t j = 0; j < task.tuples.codes.size(); ++j) {
            n_rows_.emplace_back(task.ladders.columns()[j].n_codes, 0);
            for (std::size_t tuple = 0; tuple < task.tuples.size(); ++tuple)
                n_rows_[j][static_cast<std::size_t>(task.tuples.codes[j][tuple])] += task.tuples.weights[tuple];
        }
    }

    Bred run() {
        begin();
        for (std::int64_t i = 0; i < task_.n_generations && !is_over() && can_go_on(); ++i) {
            const std::int64_t before = best_.cost;
            judge_and_select(n_idle_ < n_idle_generations ? offspring() : newcomers());
            n_idle_ = best_.cost < before || n_idle_ == n_idle_generations ? 0 : n_idle_ + 1;
            show(i + 1);
        }
        Bred found;
        found.n_judged = n_judged_;
        found.times = std::move(times_);
        found.least = std::move(least_);
        if (best_.cost == unknown) return found;
        Decoded decoded(task_.ladders);
        code_.decode(best_.genes, decoded);
        found.places = std::move(decoded.places);
        found.costs = std::move(decoded.costs);
        found.cost = best_.cost;
        return found;
    }

   private:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
    bool is_over() const { return task_.pulse.stopped() || (task_.seconds > 0.0 && seconds() >= task_.seconds); }

    bool can_go_on() const {
        return code_.n_genes() > 0 && !population_.empty() && (!task_.ends_when_idle || n_idle_ < n_idle_generations);
    }

    // The seeds, and mutants of them.
    void begin() {
        show(0);
        std::vector<Individual> first;
        for (const Places& levels : task_.seeds) first.push_back({code_.encode(levels)});
        const std::size_t n_seeds = first.size();
        while (code_.n_genes() > 0 && first.size() < task_.n_population) {
            Individual one = first[first.size() % n_seeds];
            code_.mutate(one.genes, random_);
            first.push_back(std::move(one));
        }
        judge_and_select(std::move(first));
    }

    const Individual& chosen() {
        const std::size_t one = random_.below(population_.size()), other = random_.below(population_.size());
        return population_[std::min(one, other)];
    }

    std::vector<Individual> offspring() {
        std::vector<Individual> born(task_.n_population);
        for (Individual& one : born) {
            const Individual& parent = chosen();
            one.genes = random_.chance(chance_of_crossing) ? code_.cross(parent.genes, chosen().genes, random_)
                                                          : parent.genes;
            code_.mutate(one.genes, random_);
        }
        return born;
    }

    // All die, and distant mutants of the best and of the seeds begin anew.
    std::vector<Individual> newcomers() {
        population_.clear();
        seen_.clear();
        std::vector<Individual> born(task_.n_population);
        for (Individual& one : born) {
            const bool is_from_best = random_.chance(0.5F);
            one.genes = is_from_best ? best_.genes : code_.encode(task_.seeds[random_.below(task_.seeds.size())]);
            const std::size_t n_times = 1 + random_.below(n_most_mutations);
            for (std::size_t i = 0; i < n_times; ++i) code_.mutate(one.genes, random_);
        }
        born.back().genes = code_.encode(task_.seeds.front());  // everything at its top
        return born;
    }

    void judge_and_select(std::vector<Individual> born) {
        std::erase_if(born, [&](const Individual& one) { return !seen_.insert(key_of(one.genes)).second; });
        const std::int64_t worst = population_.size() < task_.n_population ? unknown : population_.back().cost;
        std::atomic<std::int64_t> n_judged{0};
        judges_.run(born.size(), [&](Bench& bench, std::size_t item) {
            // The seeds come first: they are judged however little time there is.
            if (best_.cost != unknown && is_over()) return;
            code_.decode(born[item].genes, bench.decoded);
            const std::int64_t least = least_cost(bench.decoded);
            if (worst != unknown && least >= worst) return;
            born[item].cost = bench.cost(least);
            ++n_judged;
        });
        n_judged_ += n_judged;
        std::erase_if(born, [](const Individual& one) { return one.cost == unknown; });
        std::move(born.begin(), born.end(), std::back_inserter(population_));
        std::sort(population_.begin(), population_.end());
        crown();
        if (population_.size() > task_.n_population) population_.resize(task_.n_population);
    }

    // What a recoding costs at the least: as if no row were suppressed.
    std::int64_t least_cost(const Decoded& decoded) const {
        if (task_.objective != Objective::cells) return 0;
        std::int64_t cost = 0;
        for (std::size_t j = 0; j < n_rows_.size(); ++j)
            cost = std::inner_product(n_rows_[j].begin(), n_rows_[j].end(), decoded.costs[j].begin(), cost);
        return cost;
    }

    // The higher judge is slow: of those that seem better than the best so far, few are shown to it at a time.
    void crown() {
        for (int n_asked = 0; !population_.empty() && population_.front().cost < best_.cost; ++n_asked) {
            if (task_.approve && (n_asked >= n_most_asked || !is_approved(population_.front()))) {
                population_.erase(population_.begin());
                continue;
            }
            best_ = population_.front();
            times_.push_back(seconds());
            least_.push_back(best_.cost);
        }
    }

    bool is_approved(const Individual& one) const {
        Decoded decoded(task_.ladders);
        code_.decode(one.genes, decoded);
        return task_.approve(decoded.places);
    }

    void show(std::int64_t n_generations) {
        if (task_.seconds > 0.0) {
            task_.pulse.restart(1000);
            task_.pulse.reach(static_cast<std::int64_t>(1000.0 * std::min(seconds() / task_.seconds, 1.0)));
        } else {
            task_.pulse.restart(task_.n_generations);
            task_.pulse.reach(n_generations);
        }
        if (task_.objective == Objective::cells && task_.all_lost > 0 && best_.cost != unknown)
            task_.pulse.found(static_cast<double>(best_.cost) / static_cast<double>(task_.all_lost));
    }

    const GeneticTask& task_;
    const Code code_;
    Random random_;
    Workers<Bench> judges_;
    const Clock::time_point started_ = Clock::now();
    std::vector<std::vector<std::int64_t>> n_rows_;  // [column][code]
    std::unordered_set<std::uint64_t> seen_;         // who was born before
    std::vector<Individual> population_;             // all hold; the best first
    Individual best_;                                // that the higher judge approves
    std::int64_t n_judged_ = 0;
    int n_idle_ = 0;
    std::vector<double> times_;
    std::vector<std::int64_t> least_;
};

}  // namespace

Bred breed(const GeneticTask& task) { return Breeder(task).run(); }

}  // namespace celosia
