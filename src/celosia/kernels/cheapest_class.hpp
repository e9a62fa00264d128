// The cheapest class that a row can be in, when every row has a potential.
//
// Over all classes S of k to 2k - 1 rows that hold the row: the least of loss(S) - mean of the potentials of S. Nobody
// needs larger classes: in two halves they lose no more.
//
// Best first: the classes are cut in two by how far they reach in a column (Reach), again and again. A part is bounded
// by what its classes lose at least, plus the growth by the costliest row that is taken, minus the best mean of the
// potentials of the rows that are not costlier. The search may stop at any time: the least bound of all open parts holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "columns.hpp"
#include "neighbourhood.hpp"
#include "pulse.hpp"
#include "stretch_bound.hpp"

namespace celosia {

struct CheapestClass {
    double bound = 0;                            // no class costs less
    double cost = 0;                             // of the cheapest that was seen
    std::vector<std::vector<std::int32_t>> seen;  // each cheaper than the one before, the row first
};

class ClassSearch {
   public:
    // Potentials are whole numbers, one per row.
    ClassSearch(const Columns& columns, std::int32_t k, const double* potentials);

    // Ends when the bound is within the tolerance of what was found, after so many parts, or when it is told to.
    CheapestClass run(std::int32_t row, double tolerance, std::int64_t n_parts, const std::function<bool()>& is_over);

   private:
    static constexpr std::size_t most_others = 32768;

    struct Part {
        std::int32_t parent = -1;
        bool is_demanded = false;  // the parent's reach; else it is forbidden
        double bound = 0;
        Reach reach;                       // by which it is to be cut
        std::vector<std::int32_t> others;  // that may be in a class cheaper than the best
    };
    struct Candidate {
        std::int32_t growth, other;
        double potential;
    };

    void gather(std::int32_t row);
    void settle(std::int32_t row, const std::vector<std::int32_t>& others);
    std::vector<std::int32_t> nearest(std::int32_t row) const;
    bool narrow(std::int32_t loss);
    void leave_out();
    void grow(std::int32_t row);
    void offer(std::int32_t row, const std::vector<std::int32_t>& others);
    double cost_of(const std::vector<std::int32_t>& others);
    void fill(std::vector<std::int32_t>& others);
    void put_in(std::vector<std::int32_t>& others, std::int32_t instead_of);
    void improve(std::int32_t row, std::vector<std::int32_t> others);
    // The highest mean of the potentials of a class with the row and rows of the top list.
    double best_mean(const std::vector<double>& top) const;
    std::size_t best_size(const std::vector<double>& top) const;
    void insert_top(std::vector<double>& top, double potential) const;
    void prepare_means(const std::vector<double>& top);
    double best_mean_with(double potential) const;
    bool is_better(double cost) const { return cost < found_.cost - tolerance_; }
    void follow(std::int32_t part);
    // Bounds a part, offers the class that the bound was thinking of, and chooses the next cut. Whether it stays open.
    bool judge(std::int32_t row, Part& part);
    double sweep(std::int32_t loss);
    double sum_up(std::int32_t loss);
    void choose(std::size_t n_candidates, std::vector<std::int32_t>& chosen) const;
    double potential_of(std::int32_t other) const { return others_potential_[static_cast<std::size_t>(other)]; }

    const Columns& columns_;
    const std::size_t k_;
    const double* potentials_;
    Neighbourhood around_;
    double own_ = 0, tolerance_ = 0;
    double put_aside_ = 0;  // the least cost of classes that are looked at no more, at least
    CheapestClass found_;
    std::vector<double> others_potential_;
    std::vector<Part> parts_;
    std::vector<std::int32_t> all_, near_, growth_, chosen_;
    std::vector<std::uint8_t> is_near_;
    std::vector<Candidate> candidates_;
    StretchBound stretch_bound_;
    std::vector<Neighbourhood::Stretch> stretches_;
    std::vector<double> top_of_all_, top_, sums_;
    std::vector<double> shares_;  // 1 / size
    bool others_lead_ = false;  // a mean above the row's own potential is possible
    std::size_t n_best_ = 0;  // candidates that the least bound is about
};

struct ClassPrices {
    std::vector<double> bound, cost;     // per row; without a bound (minus infinity) where time was up
    std::vector<std::int32_t> members;   // of classes that were seen, one after the other
    std::vector<std::int64_t> ends;      // where each ends
};

struct Pricing {
    const Columns& columns;
    std::int32_t k;
    const double* potentials;
    const std::int32_t* rows;
    std::size_t n_rows;
    double tolerance;
    std::int64_t n_parts;
    double seconds;
    Pulse& pulse;
    int threads;
};
ClassPrices cheapest_classes(const Pricing& pricing);

}  // namespace celosia
