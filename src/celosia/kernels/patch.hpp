// The search by pieces within a few neighbouring classes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "class_set.hpp"
#include "columns.hpp"
#include "demands.hpp"
#include "pool.hpp"
#include "random.hpp"

namespace celosia {

class Patch {
   public:
    Patch(const Columns& columns, const Demands& demands);

    // Takes over classes: their rows, class after class, and where each ends.
    void load(const std::int32_t* rows, const std::vector<std::size_t>& ends);
    // Exchanges rows between neighbouring classes, and throws some together to be grouped anew. What lowers the total
    // cost is kept; what raises it by x is kept with a chance of about exp(-x / heat).
    void search(double heat, Random& random, const std::function<bool()>& is_over);

    const ClassSet& classes() const { return classes_; }

   private:
    struct Exchange {
        std::size_t other = 0, partner = 0;  // a partner beyond the last row: the row only moves
        std::int64_t gain = 0;
    };
    struct Given {
        std::size_t n_rows = 0;
        std::int64_t growth = 0;  // at most
    };

    void improve_class(std::size_t x);
    bool improve_row(std::size_t x, std::size_t i);
    // The one that gains most and leaves both classes sound; no gain if there is none.
    Exchange best_exchange(std::size_t x, std::size_t i, std::size_t y);
    bool is_allowed(std::size_t x, std::size_t i, const Exchange& exchange);
    bool is_accepted(std::size_t x, std::size_t out, const std::int32_t* in);
    void apply(std::size_t x, std::size_t i, const Exchange& exchange);
    std::size_t take_nearest();
    bool dissolve(std::size_t x);
    std::size_t cheapest_home(std::size_t x, std::size_t i, std::int64_t& left);

    bool regroup(std::size_t first, double heat, Random& random);
    void choose_neighbours(std::size_t first, std::size_t n_wanted, Random& random);
    std::size_t outer_row(std::size_t x, Random& random);
    std::size_t random_number_of_classes(Random& random) const;

    const std::int32_t* values(std::size_t x, std::size_t i);
    bool can_spare(std::size_t x) const;

    const std::size_t n_columns_;
    const bool has_trees_;
    const int n_others_;  // classes that a row is offered to
    Judge judge_;
    ClassSet classes_;
    Pool pool_;
    std::vector<std::int32_t> growth_, without_, loss_x_, loss_y_, values_, of_class_;
    std::vector<float> score_, noise_;
    std::vector<std::size_t> chosen_, homes_;
    std::vector<Exchange> partners_;
    std::vector<Given> given_;  // per class: what it gets of the one that is to be dissolved
};

}  // namespace celosia
