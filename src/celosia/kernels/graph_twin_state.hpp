// What a search for classes of twins works on: the classes, chance, and moves that are taken or undone together.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "graph_twin_classes.hpp"
#include "graph_twins.hpp"
#include "random.hpp"

namespace celosia {

// What all runs share.
struct TwinSearch {
    using Clock = std::chrono::steady_clock;

    const TwinTask& task;
    const TwinEffort& effort;
    Pulse& pulse;
    Clock::time_point start;
    std::vector<std::vector<std::int32_t>> of_kind;  // the vertices of each kind

    bool is_over() const {
        return pulse.stopped() || std::chrono::duration<double>(Clock::now() - start).count() >= effort.seconds;
    }
};

struct TwinOutcome {
    std::vector<std::int32_t> labels;
    std::int64_t gain = std::numeric_limits<std::int64_t>::min();
};

template <class Counts>
class TwinState {
   public:
    TwinState(const TwinSearch& search, std::size_t n_slots, std::uint64_t seed)
        : search_(search),
          task_(search.task),
          is_large_(task_.n_vertices > n_most_small),
          classes_(task_, n_slots),
          random_(seed),
          shared_(task_.n_vertices, 0) {}

   protected:
    using Vertices = std::vector<std::int32_t>;

    static constexpr std::size_t n_most_small = 5000, n_most_by_hub = 200;
    static constexpr std::int64_t worst = std::numeric_limits<std::int64_t>::min() / 4;

    static std::size_t place(std::int32_t number) { return static_cast<std::size_t>(number); }

    void put(std::size_t v, std::size_t slot) {
        classes_.look_at(v);
        classes_.insert(slot);
    }

    void move(std::size_t v, std::size_t to) {
        classes_.remove(v);
        classes_.insert(to);
    }

    bool is_spare(std::size_t v) const { return classes_.size(place(classes_.label(v))) > task_.k; }

    bool may_leave(std::size_t v, std::int32_t pool) const { return classes_.label(v) == pool || is_spare(v); }

    Vertices shuffled(Vertices vertices) {
        for (std::size_t i = vertices.size(); i > 1; --i) std::swap(vertices[i - 1], vertices[random_.below(i)]);
        return vertices;
    }

    // The class of at least k where a vertex that is in none costs least; its pool counts as one.
    std::size_t best_class(std::size_t v) {
        classes_.look_at(v);
        std::int64_t most = worst;
        std::size_t best = classes_.n_slots();
        for (std::size_t slot = 0; slot < classes_.n_slots(); ++slot) {
            if (!classes_.is_open_to(v, slot) || classes_.size(slot) < task_.k) continue;
            if (is_large_ && best < classes_.n_slots()) break;
            const std::int64_t gain = classes_.gain(slot);
            if (gain > most) {
                most = gain;
                best = slot;
            }
        }
        return best;
    }

    // Counts what vertices of the kind share with v, all or those in no class; of a hub's neighbours some are drawn.
    Vertices look_around(std::size_t v, bool free_only) {
        Vertices found;
        look_around(v, task_.out, task_.directed() ? task_.into : task_.out, free_only, found);
        if (task_.directed()) look_around(v, task_.into, task_.out, free_only, found);
        return found;
    }

    void look_around(std::size_t v, const TwinRows& there, const TwinRows& back, bool free_only, Vertices& found) {
        const auto meet = [&](std::int32_t u, std::int32_t n) {
            if (place(u) == v || task_.kinds[place(u)] != task_.kinds[v]) return;
            if (free_only && classes_.label(place(u)) >= 0) return;
            if (shared_[place(u)] == 0) found.push_back(u);
            shared_[place(u)] += n;
        };
        for (const std::int32_t w : there.of(v)) {
            const auto far = back.of(place(w));
            if (is_large_ && far.size() > n_most_by_hub) {
                const std::size_t first = random_.below(far.size() - n_most_by_hub + 1);
                for (const std::int32_t u : far.subspan(first, n_most_by_hub)) meet(u, 1);
            } else {
                for (const std::int32_t u : far) meet(u, 1);
            }
            if (task_.closed) meet(w, 2);  // each is its own neighbour, and the other's
        }
    }

    std::int64_t degree(std::size_t v) const {
        const std::size_t n = task_.out.of(v).size() + (task_.directed() ? task_.into.of(v).size() : 0);
        return static_cast<std::int64_t>(n) + (task_.closed ? task_.directed() ? 2 : 1 : 0);
    }

    void begin_moves() {
        moved_.clear();
        change_ = 0;
    }

    bool end_moves(bool is_taken) {
        if (is_taken) {
            score_ += change_;
        } else {
            for (std::size_t i = moved_.size(); i > 0; --i) move(place(moved_[i - 1].first), moved_[i - 1].second);
        }
        return is_taken;
    }

    void shift(std::size_t v, std::size_t to) {
        const auto from = place(classes_.label(v));
        classes_.remove(v);
        change_ += classes_.gain(to) - classes_.gain(from);
        classes_.insert(to);
        moved_.emplace_back(static_cast<std::int32_t>(v), from);
    }

    const TwinSearch& search_;
    const TwinTask& task_;
    const bool is_large_;
    TwinClasses<Counts> classes_;
    Random random_;
    Vertices shared_;  // what vertices share with the one looked around
    std::int64_t score_ = 0, change_ = 0;
    std::vector<std::pair<std::int32_t, std::size_t>> moved_;  // vertices, and where they were
};

}  // namespace celosia
