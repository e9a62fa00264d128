// What a broken class can be helped by, and what that costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "class_box.hpp"
#include "columns.hpp"
#include "demands.hpp"
#include "row_tree.hpp"

namespace celosia {

// All classes: the label of every row (-1: suppressed), the rows of every label, and whether a class is broken.
struct Groups {
    std::vector<std::int32_t> labels;
    std::vector<std::vector<std::int32_t>> rows;
    std::vector<std::uint8_t> is_broken;
    std::int64_t n_spare = 0;  // rows that may still be suppressed
};

struct Repair {
    enum class Way : std::uint8_t { none, move, exchange, merge, suppress };
    Way way = Way::none;
    std::int64_t cost = std::numeric_limits<std::int64_t>::max();
    std::size_t broken = 0, other = 0;
    std::int32_t row = -1;        // that comes
    std::int32_t in_return = -1;  // that goes
    bool is_enough = false;       // a merger after which nothing is broken
};

// Each thread has its own; what it finds depends on the groups alone.
class RepairFinder {
   public:
    RepairFinder(const Columns& columns, const Demands& demands, const Groups& groups, bool merges_only);

    bool is_sound(std::size_t x) { return judge_.accepts(groups_.rows[x]); }
    // The cheapest repair of a broken class.
    Repair find(std::size_t x);
    // The same repair once its other class has changed; none if it is not worth it any more.
    Repair renewed(const Repair& repair);

   private:
    void absorb(ClassBox& box, std::int32_t row) const;
    std::int64_t cost_of(ClassBox& box, const std::vector<std::int32_t>& rows) const;
    std::int64_t growth_by(std::int32_t row) const;
    std::int32_t label(std::int32_t row) const { return groups_.labels[static_cast<std::size_t>(row)]; }
    bool can_spare(std::size_t y) const;
    void copy_without(const std::vector<std::int32_t>& rows, std::int32_t row);
    bool mends(std::size_t x, std::size_t y);
    bool can_give(std::size_t x, std::int32_t row);
    void try_row(std::size_t x, std::int64_t before, const RowTree::Filter& helps, Repair& best);
    void try_classes(std::size_t x, std::int64_t before, const RowTree::Filter& is_other, const RowTree::Filter& helps,
                     Repair& best);
    void try_merge(std::size_t x, std::int32_t row, std::int64_t before, std::int64_t still, Repair& best);
    void try_move(std::size_t x, std::int32_t row, std::int64_t before, Repair& best);
    void try_exchange(std::size_t x, std::int32_t row, std::int64_t before, Repair& best);

    const Columns& columns_;
    const Groups& groups_;
    const bool is_about_proportion_, merges_only_;
    Judge judge_, judge_of_other_;
    ClassBox box_, box_of_both_;
    RowTree tree_;
    std::vector<std::int32_t> both_;
    // What was answered to the present question by each class.
    std::vector<std::int64_t> asked_by_;
    std::vector<std::uint8_t> answer_;
    std::int64_t n_questions_ = 0;
    std::size_t n_rows_asked_ = 0;
};

}  // namespace celosia
