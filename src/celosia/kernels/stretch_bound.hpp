// A bound of what a class pays when its rows grow it in different ways.
//
// A class takes some number of rows, each with a prize, and pays on each way for the row that goes furthest. Give every
// row its prize in parts, on each of its ways one, and charge a fee for every row that is taken: then the ways can be
// chosen one by one, and the result is never above that of the best class, whatever the fee. The best fee is searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "neighbourhood.hpp"

namespace celosia {

class StretchBound {
   public:
    void clear();
    // A row that may be taken.
    void add(const std::vector<Neighbourhood::Stretch>& stretches, double potential);
    // To be called when all are there.
    void finish();
    // At most the least of what a class of so many rows pays, minus their potentials times the scale.
    double least(std::size_t n_rows, double scale);

   private:
    // Way, growth and row in one number, which sorts quickly.
    static constexpr int row_bits = 16, growth_bits = 31;

    double pay(double fee, double scale, std::size_t n_rows, double& n_taken);

    std::vector<std::uint64_t> entries_;
    std::vector<double> potentials_, per_growth_, inside_, prizes_;
    double highest_growth_ = 0;
};

}  // namespace celosia
