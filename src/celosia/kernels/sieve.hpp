// The rows of a few classes, thrown together and grouped anew by the nodes of their hierarchies.
//
// A pattern is a node per column; the rows below it can be a class. Patterns are opened one after another, the cheapest
// first but for some chance, each with the rows that those before have left. One that wants for rows may take what
// cheaper classes have to spare, where that saves its own rows more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "class_box.hpp"
#include "columns.hpp"
#include "demands.hpp"
#include "node_sets.hpp"
#include "random.hpp"

namespace celosia {

class Sieve {
   public:
    Sieve(const Columns& columns, const Demands& demands);

    // rows: in the table; lanes: per column their values; losses: what the class of each row loses so far. False if a
    // demand cannot be met, or the cost would be `limit` or more.
    bool regroup(const std::vector<std::int32_t>& rows, const std::vector<std::vector<std::int32_t>>& lanes,
                 const std::vector<std::int32_t>& losses, std::int64_t limit, Random& random);

    // After a success: a label per row, the classes' sizes, and what they cost together.
    const std::vector<std::int32_t>& labels() const { return labels_; }
    const std::vector<std::int32_t>& sizes() const { return sizes_; }
    std::int64_t cost() const { return cost_; }

   private:
    struct Opened {
        std::int32_t loss;
        std::size_t size;
    };

    void list_patterns();
    void descend(std::size_t depth, std::int32_t loss);
    void shuffle(float noise, Random& random);
    bool open_all();
    bool may_leave(std::size_t n_own) const;
    bool is_accepted(const Bits* own);
    void open(std::int32_t loss, std::size_t n_own);
    void open_with_help(std::int32_t loss, const Bits* bits, std::size_t n_own);
    void keep(const Bits* own, std::int32_t loss, std::size_t size);
    void finish();
    std::int32_t loss_of(const Bits* own);

    const Columns& columns_;
    Judge judge_;
    const std::size_t n_least_;
    NodeSets sets_;
    ClassBox box_;
    std::size_t n_words_ = 0, n_free_ = 0, n_steps_ = 0;
    std::vector<std::size_t> order_;             // of the columns
    std::vector<Bits> stack_;                    // after so many columns
    std::vector<std::vector<std::size_t>> most_;  // per depth and node: the rows of its largest child
    std::vector<std::int32_t> patterns_;         // what each loses
    std::vector<Bits> bits_;                     // and its rows
    std::vector<std::uint64_t> turns_;
    std::vector<Bits> all_, free_, own_, spare_;
    std::vector<Opened> opened_;
    std::vector<Bits> of_opened_;
    std::vector<std::pair<std::size_t, std::size_t>> helpers_;
    const std::vector<std::int32_t>* rows_ = nullptr;
    const std::vector<std::vector<std::int32_t>>* lanes_ = nullptr;
    const std::vector<std::int32_t>* losses_ = nullptr;
    std::vector<std::int32_t> of_class_, labels_, sizes_;
    std::int64_t cost_ = 0;
};

}  // namespace celosia
