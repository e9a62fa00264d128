// Demands on how often each value of a secret stands in a class.
//
// Each measures by how much a class breaks it. A class that grows asks for rows that lower this measure. Bounds that may
// be met exactly are lenient by a hair: the search is led by them, and the models themselves decide what holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "demands.hpp"
#include "histogram.hpp"

namespace celosia {

class HistogramDemand : public Demand {
   public:
    std::unique_ptr<Tally> tally() const final;
    std::int32_t n_fewest_rows() const final { return n_fewest_rows_; }
    std::int32_t code_of(std::int32_t row) const final { return value_of(row); }
    std::size_t n_codes() const final { return n_values_; }
    bool is_met_by(const Histogram& rows) const final { return excess(rows) <= 0.0; }

    std::int32_t value_of(std::int32_t row) const { return (*codes_)[static_cast<std::size_t>(row)]; }
    std::size_t n_values() const { return n_values_; }
    std::size_t n_rows() const { return codes_->size(); }
    const std::vector<std::int32_t>& counts_of_all() const { return counts_of_all_; }

    // By how much a class with at least one row breaks the demand; 0 or less if it does not.
    virtual double excess(const Histogram& rows) const = 0;
    // A number of rows without which the class certainly stays broken; at least 1.
    virtual std::int32_t n_certainly_needed(const Histogram& rows) const;

   protected:
    HistogramDemand(const std::int32_t* codes, std::size_t n_rows, std::size_t n_values);
    // To be called once the demand is complete.
    void find_fewest_rows();

   private:
    std::shared_ptr<const std::vector<std::int32_t>> codes_;  // copies that are measured against other rows share them
    std::vector<std::int32_t> counts_of_all_;
    std::size_t n_values_;
    std::int32_t n_fewest_rows_ = 1;
};

struct Secret {
    const std::int32_t* codes;
    std::size_t n_rows, n_values;
};

// least[v] <= share of v <= most[v]; with present_only the lower bound is for values that the class has. With a
// reference (nullptr: none) the bounds are in proportion to its shares, and move with them.
std::shared_ptr<const Demand> share_demand(const Secret& secret, const double* least, const double* most,
                                           bool present_only, const double* reference);
// Every value that the class has stands in at least so many of its rows.
std::shared_ptr<const Demand> cell_demand(const Secret& secret, std::int32_t least);
// Entropy at least log_l.
std::shared_ptr<const Demand> entropy_demand(const Secret& secret, double log_l);
// r1 < c (r_l + r_l+1 + ...), counts in descending order.
std::shared_ptr<const Demand> recursive_demand(const Secret& secret, double c, std::int32_t l);
// Half the sum of differences from the reference at most t.
std::shared_ptr<const Demand> equal_distance_demand(const Secret& secret, const double* reference, double t);
// The sum of steps[i] * abs(difference of the shares of values 0..i) at most t.
std::shared_ptr<const Demand> line_distance_demand(const Secret& secret, const double* reference, const double* steps,
                                                   double t);
// The sum over nodes of weight * min(what its children have too much, what they have too little) at most t. The first
// nodes are the values; a parent has a higher number than its children, and the last node is the root (parent -1).
std::shared_ptr<const Demand> tree_distance_demand(const Secret& secret, const double* reference,
                                                   const std::int32_t* parents, const double* weights,
                                                   std::size_t n_nodes, double t);

}  // namespace celosia
