// The rows of a few classes, thrown together and grouped anew.
#pragma once

#include <cstdint>
#include <vector>

#include "class_box.hpp"
#include "class_set.hpp"
#include "columns.hpp"
#include "demands.hpp"
#include "growing_class.hpp"
#include "random.hpp"
#include "sieve.hpp"
#include "steps.hpp"

namespace celosia {

class Pool {
   public:
    Pool(const Columns& columns, const Demands& demands);

    void clear();
    void add(const ClassSet& classes, std::size_t x);
    std::size_t n_rows() const { return rows_.size(); }
    // No more classes than this can meet the demands; a guess, where that is hard to say.
    std::size_t n_most_classes() { return judge_.n_most_classes(rows_); }

    // Which rows start the classes: random ones, or those furthest from the class before.
    enum class Start : std::uint8_t { random, furthest, furthest_after_first };
    // Makes n_classes classes from nothing. False if a demand cannot be met, or the cost would be `limit` or more.
    bool regroup(std::size_t n_classes, Start start, std::int64_t limit, Random& random);
    // Keeps of each class a random row and those nearest to it, up to a share of the least size; then grows them all.
    bool regrow(float share, std::int64_t limit, Random& random);
    // Makes classes of the rows below nodes of the hierarchies, as many as there come to be.
    bool sift(std::int64_t limit, Random& random);

    // The cost of the new classes, after a success.
    std::int64_t cost() const { return cost_of_all_; }
    // Writes the new classes in place of the chosen ones, and further ones where there are more. False, and nothing is
    // written, if there is no room.
    bool write_back(std::vector<std::size_t>& chosen, ClassSet& classes);

   private:
    bool can_drop(const std::vector<std::size_t>& dropped, const ClassSet& classes);
    void begin(std::size_t n_classes, std::int64_t limit);
    void load(std::size_t first, std::size_t last);
    void seed(std::size_t x, std::size_t slot, std::size_t window);
    const std::int32_t* values_at(std::size_t slot);
    void take(std::size_t x, std::size_t slot);
    void apply(std::size_t window);
    void absorb(std::size_t x, std::size_t slot, std::size_t window);
    bool grow(std::size_t x, std::int32_t n_wanted, std::size_t window);
    // The free row whose cost is least; n_free_ if there is none.
    std::size_t cheapest();
    std::size_t cheapest_that_helps();
    bool grow_to_demands(std::size_t x);
    bool finish(std::size_t x);
    bool is_all_that_is_left(std::size_t x) const;
    void take_rest(std::size_t x);
    bool place_rest();
    bool all_accepted();
    void measure_rest();
    void apply_to_rest(std::size_t x);
    std::int32_t lonely_loss(std::size_t slot) const;
    void measure_from(std::size_t slot);
    std::size_t furthest() const;

    const Columns& columns_;
    Judge judge_;
    std::vector<std::size_t> trees_;
    // All rows as they came, class after class.
    std::vector<std::int32_t> rows_;
    std::vector<std::vector<std::int32_t>> source_;
    std::vector<std::size_t> ends_;
    std::vector<std::int32_t> losses_;  // of the classes they came from
    // The free rows, and what each would cost the class that is being grown.
    std::size_t n_free_ = 0;
    std::vector<std::vector<std::int32_t>> lanes_;
    std::vector<std::int32_t> ids_, cost_;
    std::vector<std::int32_t> rest_cost_;  // [class * n_free + slot]
    std::vector<GrowingClass> growing_;
    std::vector<Step> steps_;
    std::vector<std::int32_t> values_;
    ClassBox box_;
    Sieve sieve_;
    std::vector<std::int32_t> labels_, sizes_, loss_, of_class_;
    std::vector<std::size_t> n_written_, by_size_, target_, dropped_, moved_;
    std::int64_t cost_of_all_ = 0, limit_ = 0;
};

}  // namespace celosia
