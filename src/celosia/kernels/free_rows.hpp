// The rows that belong to no class yet, with the cost of each for the class that is being grown.
//
// They lie in ascending order in blocks that fit the first-level cache, one lane per column. A row that leaves is
// closed up within its block at once, so the order holds, ties go to the lowest row, and no loop meets a dead row.
#pragma once

#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "columns.hpp"
#include "steps.hpp"
#include "subjects.hpp"
#include "team.hpp"

namespace celosia {

// The columns' weights in distances, as given and for estimates in float.
struct Weights {
    Weights(const double* weights, std::size_t n);

    std::vector<double> exact;
    // Divided by the highest weight, so that no weight is too great or, all together, too small for a float.
    std::vector<float> estimates;
    // Twice the greatest relative error of an estimate, and more than it can lose by underflow.
    double tolerance;
    static constexpr double underflow = 1e-30;
};

class FreeRows {
   public:
    FreeRows(const Columns& columns, const Subjects& subjects, Team& team);

    bool contains(std::int32_t row) const { return block_of_row_[static_cast<std::size_t>(row)] >= 0; }
    std::int32_t size() const { return n_free_; }

    void remove(std::int32_t row);

    // All costs to zero: a new class begins.
    void forget_costs();
    // To be called after each removal, also with no step.
    void apply(const std::vector<Step>& steps);
    // The lane that holds the subjects; only with subjects.
    std::uint32_t subject_lane() const { return static_cast<std::uint32_t>(lanes_.size() - 1); }

    std::int32_t cheapest() const;
    std::int32_t furthest(std::int32_t from, const Weights& weights);

    // In ascending order.
    std::vector<std::int32_t> rows() const;

   private:
    static constexpr std::size_t block_size = 1024;

    struct Lane {
        Width width = Width::four;
        Buffer<std::byte> cells;
        // Per block; they stay valid, if wider than needed, when rows leave.
        std::vector<std::int32_t> lowest, highest;

        std::byte* block(std::size_t b) { return cells.data() + b * block_size * static_cast<std::size_t>(width); }
        const std::byte* block(std::size_t b) const {
            return cells.data() + b * block_size * static_cast<std::size_t>(width);
        }
    };

    void add_lane(std::int32_t n_codes);
    void fill(const std::vector<std::int32_t>& rows);
    void fill_lane(std::size_t lane, const std::vector<std::int32_t>& rows);
    std::int32_t cell(std::size_t lane, std::int32_t row) const;
    void apply_to_block(const std::vector<Step>& steps, std::size_t b);
    template <class Real>
    Real measure_block(std::size_t b, std::int32_t from, const std::vector<Real>& weights, Real* total) const;
    std::size_t n_blocks() const { return n_in_block_.size(); }
    template <class Body>
    void for_each_block(Body&& body);

    const Columns& columns_;
    const Subjects& subjects_;
    Team& team_;
    std::int32_t n_free_;
    std::vector<Lane> lanes_;
    Buffer<std::int32_t> ids_, cost_;
    std::vector<std::int32_t> block_of_row_;
    std::vector<std::size_t> n_in_block_;
    std::vector<std::int32_t> least_in_block_;
    std::vector<float> estimate_in_block_;
    std::vector<double> distance_in_block_;
    std::size_t touched_block_ = 0;
};

}  // namespace celosia
