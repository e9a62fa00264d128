// One search for classes of twins, from one start: annealing with classes that never have fewer than k vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "graph_twin_starts.hpp"

namespace celosia {

template <class Counts>
class TwinRun : public TwinStarts<Counts> {
   public:
    using Base = TwinStarts<Counts>;

    TwinRun(const TwinSearch& search, std::size_t n_slots, std::uint64_t seed)
        : Base(search, n_slots, seed), votes_(n_slots, 0) {}

    TwinOutcome run(const std::int32_t* start, bool natural) {
        begin(start, natural);
        score_ = classes_.total();
        keep_if_best();
        if (is_large_) sweep_often();
        keep_if_best();
        const double hottest = is_large_ ? hottest_large : start != nullptr ? hottest_again : hottest_first;
        soften(true);
        anneal(search_.effort.n_steps * 2 / 3, hottest, hottest / 3);
        soften(false);
        anneal(search_.effort.n_steps / 3, hottest / 3, 0.0);
        descend();
        keep_if_best();
        return std::move(best_);
    }

   private:
    using typename Base::Vertices;
    using Base::begin, Base::begin_moves, Base::best_class, Base::change_, Base::classes_, Base::degree, Base::end_moves,
        Base::gather_two, Base::is_large_, Base::is_spare, Base::look_around, Base::may_leave, Base::move, Base::place,
        Base::put, Base::random_, Base::score_, Base::search_, Base::shared_, Base::shift, Base::shuffled, Base::task_,
        Base::worst;

    static constexpr std::int64_t n_steps_between_looks = 256, softest = 3;
    static constexpr int n_sweeps = 8;
    static constexpr double hottest_first = 2.0, hottest_again = 1.0, hottest_large = 0.5;

    // Sweeps: every vertex of a large graph in turn is offered the class that it shares most with -----------------------

    void sweep_often() {
        for (int i = 0; i < n_sweeps && !search_.is_over(); ++i) {
            const std::int64_t before = score_;
            if (i % 2 == 1) release_idle();
            for (std::size_t kind = 0; kind < task_.n_kinds; ++kind) {
                for (const std::int32_t v : shuffled(search_.of_kind[kind])) {
                    if (search_.is_over()) return;
                    offer(place(v));
                }
            }
            if (i > 0 && 1000 * (score_ - before) <= std::abs(score_)) return;
        }
    }

    void offer(std::size_t v) {
        const Vertices found = look_around(v, false);
        const auto from = place(classes_.label(v));
        const std::size_t to = most_shared(found, from);
        if (classes_.is_pool(from) && gather(v, found)) {
            // a class of its own was worth it
        } else if (classes_.is_pool(from) && !task_.closed && open_two(v, found)) {
            // and so were two
        } else if (to < classes_.n_slots()) {
            if (is_spare(v)) {
                join_better(v, from, to);
            } else {
                exchange(v, least_shared(to), 0.0);
            }
        }
        for (const std::int32_t u : found) shared_[place(u)] = 0;
    }

    bool open_two(std::size_t v, const Vertices& found) {
        for (const std::int32_t u : found) shared_[place(u)] = 0;  // what is counted there now is something else
        begin_moves();
        const bool is_done = found_two(v);
        return end_moves(is_done && change_ > 0);
    }

    // Opens a class of a vertex of the pool and of those that share most with it there or can be spared.
    bool gather(std::size_t v, const Vertices& found) {
        const std::int32_t slot = classes_.free_slot(), pool = classes_.label(v);
        std::vector<std::pair<std::int64_t, std::int32_t>> ranked;
        for (const std::int32_t u : found) {
            if (2 * shared_[place(u)] <= degree(v) || !may_leave(place(u), pool)) continue;
            ranked.emplace_back(degree(place(u)) - 2 * shared_[place(u)], u);
        }
        if (slot < 0 || static_cast<std::int64_t>(ranked.size()) + 1 < task_.k) return false;
        std::sort(ranked.begin(), ranked.end());
        begin_moves();
        shift(v, place(slot));
        for (const auto& [apart, u] : ranked) {
            if (classes_.size(place(slot)) >= task_.k) break;
            if (may_leave(place(u), pool)) shift(place(u), place(slot));
        }
        const bool is_legal = classes_.size(place(slot)) >= task_.k && !classes_.is_small(place(pool));
        return end_moves(is_legal && change_ > 0);
    }

    // The class of at least k whose vertices share most on average with the vertex looked around; n_slots for none.
    std::size_t most_shared(const Vertices& found, std::size_t own) {
        Vertices slots;
        for (const std::int32_t u : found) {
            const std::int32_t slot = classes_.label(place(u));
            if (place(slot) == own || classes_.is_pool(place(slot))) continue;
            if (votes_[place(slot)] == 0) slots.push_back(slot);
            votes_[place(slot)] += shared_[place(u)];
        }
        std::size_t best = classes_.n_slots();
        double most = 0.0;
        for (const std::int32_t slot : slots) {
            const double mean = static_cast<double>(votes_[place(slot)]) / static_cast<double>(classes_.size(place(slot)));
            votes_[place(slot)] = 0;
            if (mean > most) {
                most = mean;
                best = place(slot);
            }
        }
        return best;
    }

    std::size_t least_shared(std::size_t slot) const {
        const Vertices& members = classes_.members(slot);
        return place(*std::min_element(members.begin(), members.end(), [this](std::int32_t x, std::int32_t y) {
            return shared_[place(x)] < shared_[place(y)];
        }));
    }

    void join_better(std::size_t v, std::size_t from, std::size_t to) {
        const std::int32_t pool = task_.pools[task_.kinds[v]];
        classes_.remove(v);
        const std::int64_t stays = classes_.gain(from), moves = classes_.gain(to);
        std::size_t chosen = moves > stays ? to : from;
        if (pool >= 0 && classes_.size(place(pool)) >= task_.k && std::max(stays, moves) < 0) chosen = place(pool);
        score_ += (chosen == to ? moves : chosen == from ? stays : 0) - stays;
        classes_.insert(chosen);
    }

    // Classes that keep no link go to the pool, from where their vertices may join others.
    void release_idle() {
        for (std::size_t slot = task_.n_pools; slot < classes_.n_slots(); ++slot) {
            if (classes_.size(slot) == 0 || classes_.worth(slot) != 0) continue;
            const std::int32_t pool = task_.pools[classes_.kind(slot)];
            if (pool < 0) continue;
            const Vertices members = classes_.members(slot);
            for (const std::int32_t v : members) move(place(v), place(pool));
        }
    }

    // Annealing -----------------------------------------------------------------------------------------------------

    // Edits that are not allowed cost little more than others while it is hot, or nothing would move.
    void soften(bool soft) {
        is_soft_ = soft && std::max(task_.add_cost, task_.delete_cost) > softest;
        classes_.set_costs(is_soft_ ? std::min(task_.add_cost, softest) : task_.add_cost,
                           is_soft_ ? std::min(task_.delete_cost, softest) : task_.delete_cost);
        score_ = classes_.total();
    }

    void anneal(std::int64_t n_steps, double from, double to) {
        double heat = from;
        for (std::int64_t step = 0; step < n_steps; ++step) {
            if (step % n_steps_between_looks == 0) {
                if (search_.is_over()) return;
                search_.pulse.advance(n_steps_between_looks);
                heat = from + (to - from) * static_cast<double>(step) / static_cast<double>(n_steps) + coldest;
            }
            const std::size_t v = random_.below(task_.n_vertices);
            const std::size_t draw = random_.below(32);
            if (draw == 0) {
                restructure(v, heat);
            } else if (draw < 12) {
                exchange(v, heat);
            } else {
                relocate(v, heat);
            }
        }
    }

    // A vertex that has a neighbour in common with v, or v itself; -1 where there is none.
    std::int32_t near(std::size_t v) {
        const bool is_out = !task_.directed() || random_.below(2) == 0;
        const TwinRows& there = is_out ? task_.out : task_.into;
        const TwinRows& back = task_.directed() && is_out ? task_.into : task_.out;
        const auto links = there.of(v);
        if (links.empty()) return -1;
        const std::int32_t w = links[random_.below(links.size())];
        if (task_.closed && random_.below(2) == 0) return w;
        const auto far = back.of(place(w));
        return far[random_.below(far.size())];
    }

    // A class of at least k that the vertex may move to, or an empty pool; its own if none was drawn.
    std::size_t candidate(std::size_t v) {
        const auto own = place(classes_.label(v));
        const std::size_t draw = random_.below(16);
        std::int32_t slot = -1;
        if (draw == 0) {
            slot = task_.pools[task_.kinds[v]];
        } else if (draw == 1) {
            const auto& alike = search_.of_kind[place(task_.kinds[v])];
            slot = classes_.label(place(alike[random_.below(alike.size())]));
        } else {
            const std::int32_t u = near(v);
            if (u >= 0) slot = classes_.label(place(u));
        }
        return slot < 0 || !classes_.is_open_to(v, place(slot)) ? own : place(slot);
    }

    bool is_accepted(std::int64_t gain, double heat) {
        return gain >= 0 || static_cast<double>(-gain) < heat * random_.exponential();
    }

    void relocate(std::size_t v, double heat) {
        if (!is_spare(v)) return;
        const auto from = place(classes_.label(v));
        const std::size_t to = candidate(v);
        if (to == from || classes_.size(to) < task_.k) return;
        keep_before_change();
        classes_.remove(v);
        const std::int64_t gain = classes_.gain(to) - classes_.gain(from);
        const bool is_taken = is_accepted(gain, heat);
        classes_.insert(is_taken ? to : from);
        if (is_taken) score_ += gain;
    }

    void exchange(std::size_t v, double heat) {
        const auto& members = classes_.members(candidate(v));
        if (!members.empty()) exchange(v, place(members[random_.below(members.size())]), heat);
    }

    void exchange(std::size_t v, std::size_t u, double heat) {
        const auto from = place(classes_.label(v)), to = place(classes_.label(u));
        if (to == from || !classes_.is_open_to(u, from)) return;
        keep_before_change();
        classes_.remove(v);
        std::int64_t gain = -classes_.gain(from);
        classes_.remove(u);
        gain -= classes_.gain(to);
        gain += joined(v, to);
        gain += joined(u, from);
        if (is_accepted(gain, heat)) {
            score_ += gain;
            return;
        }
        classes_.remove(u);
        classes_.remove(v);
        put(v, from);
        put(u, to);
    }

    std::int64_t joined(std::size_t v, std::size_t slot) {
        classes_.look_at(v);
        const std::int64_t gain = classes_.gain(slot);
        classes_.insert(slot);
        return gain;
    }

    // Moves of several vertices, which are taken or undone together.
    void restructure(std::size_t v, double heat) {
        keep_before_change();
        begin_moves();
        bool is_done = false;
        switch (random_.below(task_.closed ? 4 : 5)) {
            case 0: is_done = merge(v); break;
            case 1: is_done = split(v); break;
            case 2: is_done = give_up(v); break;
            case 3: is_done = found(v); break;
            default: is_done = found_two(v); break;
        }
        end_moves(is_done && is_accepted(change_, heat));
    }

    bool merge(std::size_t v) {
        const auto own = place(classes_.label(v));
        const std::size_t other = candidate(v);
        if (other == own || classes_.is_pool(own) || classes_.is_pool(other)) return false;
        const Vertices members = classes_.members(own);
        for (const std::int32_t u : members) shift(place(u), other);
        return true;
    }

    // Parts a class into those who are linked with a vertex and the others.
    bool split(std::size_t v) {
        const auto own = place(classes_.label(v));
        const std::int32_t slot = classes_.free_slot();
        if (slot < 0 || classes_.is_pool(own) || classes_.size(own) < 2 * task_.k) return false;
        const bool is_out = !task_.directed() || random_.below(2) == 0;
        const TwinRows& rows = is_out ? task_.out : task_.into;
        if (rows.of(v).empty()) return false;
        const std::int32_t w = rows.of(v)[random_.below(rows.of(v).size())];
        Vertices fewer, more;
        for (const std::int32_t u : classes_.members(own)) {
            const auto links = rows.of(place(u));
            (std::binary_search(links.begin(), links.end(), w) ? fewer : more).push_back(u);
        }
        if (fewer.size() > more.size()) fewer.swap(more);
        while (static_cast<std::int64_t>(fewer.size()) < task_.k) {
            std::swap(more[random_.below(more.size())], more.back());
            fewer.push_back(more.back());
            more.pop_back();
        }
        for (const std::int32_t u : fewer) shift(place(u), place(slot));
        return true;
    }

    // Gives up a class: its vertices go where they cost least, of some places drawn.
    bool give_up(std::size_t v) {
        const auto own = place(classes_.label(v));
        if (classes_.is_pool(own)) return false;
        const Vertices members = classes_.members(own);
        for (const std::int32_t u : members) {
            const std::size_t to = best_drawn(place(u), own);
            if (to == classes_.n_slots()) return false;
            shift(place(u), to);
        }
        const std::int32_t pool = task_.pools[task_.kinds[v]];
        return pool < 0 || !classes_.is_small(place(pool));
    }

    // The best of the pool and of some classes drawn, the vertex's own left aside; n_slots if there is none.
    std::size_t best_drawn(std::size_t v, std::size_t own) {
        constexpr int n_draws = 6;
        const std::int32_t pool = task_.pools[task_.kinds[v]];
        std::size_t best = classes_.n_slots();
        std::int64_t most = worst;
        classes_.look_at(v);
        for (int i = 0; i < n_draws; ++i) {
            const std::size_t other = i == 0 && pool >= 0 ? place(pool) : candidate(v);
            if (other == own || (classes_.size(other) < task_.k && !classes_.is_pool(other))) continue;
            const std::int64_t gain = classes_.gain(other);
            if (gain > most) {
                most = gain;
                best = other;
            }
        }
        return best;
    }

    // Opens a class of vertices that can be spared and have neighbours in common.
    bool found(std::size_t v) {
        constexpr int n_looks = 32;
        const std::int32_t slot = classes_.free_slot();
        const std::int32_t pool = task_.pools[task_.kinds[v]];
        if (slot < 0 || !may_leave(v, pool)) return false;
        Vertices seen;
        for (int i = 0; i < n_looks; ++i) {
            const std::int32_t u = near(v);
            if (u < 0) return false;
            if (place(u) == v || task_.kinds[place(u)] != task_.kinds[v]) continue;
            if (shared_[place(u)] == 0) seen.push_back(u);
            shared_[place(u)] += 1;
        }
        std::vector<std::pair<std::int32_t, std::int32_t>> ranked;
        for (const std::int32_t u : seen) {
            ranked.emplace_back(-shared_[place(u)], u);
            shared_[place(u)] = 0;
        }
        std::sort(ranked.begin(), ranked.end());
        shift(v, place(slot));
        for (const auto& [rank, u] : ranked) {
            if (classes_.size(place(slot)) >= task_.k) break;
            if (may_leave(place(u), pool)) shift(place(u), place(slot));
        }
        if (pool >= 0 && classes_.is_small(place(pool))) {
            const Vertices members = classes_.members(place(pool));
            for (const std::int32_t u : members) {
                if (!classes_.is_open_to(place(u), place(slot))) return false;
                shift(place(u), place(slot));
            }
        }
        return classes_.size(place(slot)) >= task_.k;
    }

    // Opens two classes that are linked with each other, of vertices that can be spared.
    bool found_two(std::size_t v) {
        const auto may_go = [this](std::size_t u) { return may_leave(u, task_.pools[task_.kinds[u]]); };
        if (!may_go(v)) return false;
        const auto sides = gather_two(v, may_go);
        for (const Vertices& side : sides) {
            const std::int32_t slot = classes_.free_slot();
            if (side.empty() || slot < 0) return false;
            for (const std::int32_t u : side) {
                if (!may_go(place(u))) return false;
                shift(place(u), place(slot));
            }
        }
        return std::none_of(sides.begin(), sides.end(), [this](const Vertices& side) {
            const std::int32_t pool = task_.pools[task_.kinds[place(side[0])]];
            return pool >= 0 && classes_.is_small(place(pool));
        });
    }

    // Descent -------------------------------------------------------------------------------------------------------

    // Every vertex that can be spared goes where it saves most, until none wants to.
    void descend() {
        if (is_large_) return;
        Vertices order(task_.n_vertices);
        std::iota(order.begin(), order.end(), 0);
        bool is_changed = true;
        while (is_changed && !search_.is_over()) {
            is_changed = false;
            for (const std::int32_t u : order = shuffled(std::move(order))) {
                const auto v = place(u);
                if (!is_spare(v)) continue;
                const auto from = place(classes_.label(v));
                classes_.remove(v);
                const std::int64_t loss = classes_.gain(from);
                const std::size_t to = best_class(v);
                const std::int64_t gain = classes_.gain(to) - loss;
                classes_.insert(gain > 0 ? to : from);
                score_ += std::max<std::int64_t>(gain, 0);
                is_changed = is_changed || gain > 0;
            }
        }
    }

    // The best classes are copied only when they are about to be left.
    void keep_before_change() {
        if (!is_large_) keep_if_best();
    }

    void keep_if_best() {
        if (is_soft_ || score_ <= best_.gain) return;
        best_.labels = classes_.labels();
        best_.gain = score_;
    }

    static constexpr double coldest = 0.05;
    std::vector<std::int64_t> votes_;
    bool is_soft_ = false;
    TwinOutcome best_;
};

}  // namespace celosia
