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

namespace celosia {

// How often each value stands in a class.
class Histogram {
   public:
    explicit Histogram(std::size_t n_values) : counts_(n_values, 0), place_(n_values, 0) {}

    void clear();
    void add(std::int32_t value);
    void remove(std::int32_t value);
    // Until the next change: as if the class were so many times as large, and the value came once more.
    void imagine(std::int32_t value, double times);
    void forget_imagined();

    double size() const { return size_ * times_ + (imagined_ >= 0 ? 1.0 : 0.0); }
    double count(std::size_t value) const {
        return counts_[value] * times_ + (imagined_ == static_cast<std::int32_t>(value) ? 1.0 : 0.0);
    }
    std::int32_t n_rows() const { return size_; }
    // The values that the class has, in no order.
    const std::vector<std::int32_t>& present() const { return present_; }
    // For the measures: sorted copies and the like.
    mutable std::vector<std::int32_t> values;
    mutable std::vector<double> amounts;

   private:
    std::vector<std::int32_t> counts_;
    std::vector<std::int32_t> place_;  // in present_
    std::vector<std::int32_t> present_;
    std::int32_t size_ = 0, imagined_ = -1;
    double times_ = 1.0;
};

class HistogramDemand : public Demand {
   public:
    std::unique_ptr<Tally> tally() const final;
    std::int32_t n_fewest_rows() const final { return n_fewest_rows_; }

    std::int32_t value_of(std::int32_t row) const { return codes_[static_cast<std::size_t>(row)]; }
    std::size_t n_values() const { return n_values_; }
    std::size_t n_rows() const { return codes_.size(); }
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
    std::vector<std::int32_t> codes_, counts_of_all_;
    std::size_t n_values_;
    std::int32_t n_fewest_rows_ = 1;
};

struct Secret {
    const std::int32_t* codes;
    std::size_t n_rows, n_values;
};

// least[v] <= share of v <= most[v]; with present_only the lower bound is for values that the class has.
std::shared_ptr<const Demand> share_demand(const Secret& secret, const double* least, const double* most,
                                           bool present_only);
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
