// What every class must satisfy, and the judge that asks for it while a class grows.
//
// A search never tests a size by itself: it asks the judge how many rows a class still needs and which rows help. A new
// kind of demand is a new Demand and Tally; no search changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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
};

class Demand {
   public:
    virtual ~Demand() = default;
    virtual std::unique_ptr<Tally> tally() const = 0;
};

// Built one by one. A copy shares the demands, which never change.
class Demands {
   public:
    explicit Demands(std::int64_t n_rows);

    // A class has at least so many rows.
    void add_rows(std::int64_t least);
    // A class has at least so many distinct codes; negative codes do not count.
    void add_distinct(const std::int32_t* codes, std::size_t n, std::int64_t least);

    std::int32_t n_rows() const { return n_rows_; }
    std::int32_t n_least_rows() const { return n_least_rows_; }
    // All demands but the number of rows.
    const std::vector<std::shared_ptr<const Demand>>& others() const { return others_; }

   private:
    void raise(std::int64_t least);

    std::int32_t n_rows_, n_least_rows_ = 1;
    std::vector<std::shared_ptr<const Demand>> others_;
};

class Judge {
   public:
    explicit Judge(const Demands& demands);

    // Without other demands than the number of rows, every row helps alike.
    bool counts_only() const { return tallies_.empty(); }
    std::int32_t n_least_rows() const { return n_least_rows_; }

    void clear();
    void add(std::int32_t row);
    bool satisfied() const { return size_ >= n_least_rows_ && n_needed() == 0; }
    // Whether so many rows are still needed by one demand that only rows that help may join.
    bool is_choosy() const;
    bool helps(std::int32_t row) const;

    template <class Rows>
    bool accepts(const Rows& rows) {
        if (counts_only()) return static_cast<std::int64_t>(rows.size()) >= n_least_rows_;
        clear();
        for (const std::int32_t row : rows) add(row);
        return satisfied();
    }

   private:
    std::int32_t n_needed() const;

    std::int32_t n_least_rows_, size_ = 0;
    std::vector<std::unique_ptr<Tally>> tallies_;
};

}  // namespace celosia
