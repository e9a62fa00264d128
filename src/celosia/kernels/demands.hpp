// What every class must satisfy, and the judge that asks for it while a class grows.
//
// A search never tests a size by itself: it asks the judge how many rows a class still needs and which rows help. A new
// kind of demand is a new Demand and Tally; no search changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "histogram.hpp"

namespace celosia {

// One demand's view of the class that is being judged.
class Tally {
   public:
    virtual ~Tally() = default;
    virtual void clear() = 0;
    virtual void add(std::int32_t row) = 0;
    // A number of further rows that the class needs at least; 0: the demand is met.
    virtual std::int32_t n_needed() const = 0;
    // Whether the class needs less once this row has joined.
    virtual bool helps(std::int32_t row) const = 0;
    // The row is no longer free.
    virtual void take(std::int32_t /*row*/) {}
    // Whether rows like this one are no scarcer among the free rows than among all.
    virtual bool is_plentiful(std::int32_t /*row*/) const { return true; }
    virtual bool helps_and_is_plentiful(std::int32_t row) const { return is_plentiful(row) && helps(row); }
    // False if it is certain that no free row does.
    virtual bool may_find_plentiful_help() const { return true; }
};

class Demand {
   public:
    virtual ~Demand() = default;
    virtual std::unique_ptr<Tally> tally() const = 0;
    // About how many rows a class has that just meets the demand.
    virtual std::int32_t n_fewest_rows() const = 0;
    // Whether a class must hold values in proportion, so that merging neighbours, who are alike, hardly helps: classes
    // are better grown by rows that help from the start.
    virtual bool is_about_proportion() const { return false; }
    // About how many classes, at the most, these rows can be cut into.
    virtual std::size_t n_most_classes(const std::vector<std::int32_t>& rows) const {
        return rows.size() / static_cast<std::size_t>(n_fewest_rows());
    }

    // For searches that unite rows by the thousand: what of a row counts (negative: nothing), and whether a class with
    // these counts meets the demand.
    virtual std::int32_t code_of(std::int32_t row) const = 0;
    virtual std::size_t n_codes() const = 0;
    virtual bool is_met_by(const Histogram& rows) const = 0;
    // Whether that is decided by whole numbers, so that nobody need look again.
    virtual bool is_exact() const { return false; }
    // The same demand where the rows it refers to have these counts of codes; nullptr: it refers to none.
    virtual std::shared_ptr<const Demand> measured_against(const std::vector<std::int64_t>& /*counts*/) const {
        return nullptr;
    }
};

// A demand on all classes together: of their rows, at most a share (is_mean: a mean risk) of ``limit`` may stand in
// classes of fewer people than ``least``. Those are to blame.
struct Overall {
    bool is_mean;
    std::int32_t least;
    double limit;
    std::shared_ptr<const Demand> people;  // whose codes are people; nullptr: rows are
};

// Built one by one. A copy shares the demands, which never change.
class Demands {
   public:
    explicit Demands(std::int64_t n_rows);

    // A class has at least so many rows.
    void add_rows(std::int64_t least);
    // A class has at least so many distinct codes; negative codes do not count.
    void add_distinct(const std::int32_t* codes, std::size_t n, std::int64_t least);
    // Any other demand about all rows.
    void add(std::shared_ptr<const Demand> demand) { others_.push_back(std::move(demand)); }
    // Only searches that unite rows by the thousand ask for it. Without codes, rows are people.
    void add_overall(bool is_mean, std::int64_t least, double limit, const std::int32_t* codes);

    std::int32_t n_rows() const { return n_rows_; }
    // No class has fewer rows.
    std::int32_t n_least_rows() const { return n_least_rows_; }
    // About how many rows the smallest classes have.
    std::int32_t n_fewest_rows() const;
    bool are_about_proportion() const;
    bool are_exact() const;
    // All demands but the number of rows.
    const std::vector<std::shared_ptr<const Demand>>& others() const { return others_; }
    const std::vector<Overall>& overall() const { return overall_; }

   private:
    void raise(std::int64_t least);

    std::int32_t n_rows_, n_least_rows_ = 1;
    std::vector<std::shared_ptr<const Demand>> others_;
    std::vector<Overall> overall_;
};

class Judge {
   public:
    explicit Judge(const Demands& demands);

    // Without other demands than the number of rows, every row helps alike.
    bool counts_only() const { return tallies_.empty(); }
    std::int32_t n_least_rows() const { return n_least_rows_; }
    std::int32_t n_fewest_rows() const { return n_fewest_rows_; }

    // About how many classes, at the most, these rows can be cut into.
    std::size_t n_most_classes(const std::vector<std::int32_t>& rows) const;

    void clear();
    void add(std::int32_t row);
    bool satisfied() const { return size_ >= n_least_rows_ && n_needed() == 0; }
    // Whether so many rows are still needed by one demand that only rows that help may join.
    bool is_choosy() const;
    bool helps(std::int32_t row) const;
    // A search that makes all classes one after another tells which rows are taken, and spares what becomes scarce. Both
    // questions are for a judge that is choosy.
    void take(std::int32_t row);
    bool helps_and_is_plentiful(std::int32_t row) const;
    bool may_find_plentiful_help() const;

    template <class Rows>
    bool accepts(const Rows& rows) {
        if (counts_only()) return static_cast<std::int64_t>(rows.size()) >= n_least_rows_;
        clear();
        for (const std::int32_t row : rows) add(row);
        return satisfied();
    }

    // So many further rows at least by the demands other than the number of rows.
    std::int32_t n_needed() const;

   private:
    std::int32_t n_least_rows_, n_fewest_rows_, size_ = 0;
    std::vector<std::shared_ptr<const Demand>> demands_;
    std::vector<std::unique_ptr<Tally>> tallies_;
};

// The labels, in ascending order, of the classes that break a demand; negative labels are no class.
std::vector<std::int32_t> broken_classes(const Demands& demands, const std::int32_t* labels);

}  // namespace celosia
