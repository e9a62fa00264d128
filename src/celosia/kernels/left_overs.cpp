#include "left_overs.hpp"

#include <algorithm>

#include "dispatch.hpp"

namespace celosia {

namespace {

// growth[i] += the overhang of the value over the class's range where the mask is set, plus extra[i]
CELOSIA_INLINE int line_loop(const std::int32_t* CELOSIA_RESTRICT lowest, const std::int32_t* CELOSIA_RESTRICT highest,
                             const std::int32_t* CELOSIA_RESTRICT mask, const std::int32_t* CELOSIA_RESTRICT extra,
                             std::int32_t value, std::int32_t* CELOSIA_RESTRICT growth, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t overhang = std::max(lowest[i] - value, 0) + std::max(value - highest[i], 0);
        growth[i] += (overhang & mask[i]) + extra[i];
    }
    return 0;
}

// growth[i] += jump where the mask is set and the class reaches beyond first..last
CELOSIA_INLINE int tree_loop(const std::int32_t* CELOSIA_RESTRICT lowest, const std::int32_t* CELOSIA_RESTRICT highest,
                             const std::int32_t* CELOSIA_RESTRICT mask, std::int32_t first, std::int32_t last,
                             std::int32_t jump, std::int32_t* CELOSIA_RESTRICT growth, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        growth[i] += ((lowest[i] < first) | (highest[i] > last) ? jump : 0) & mask[i];
    return 0;
}

// growth[i] += ((constant - loss[i]) & mask[i]) + extra[i]
CELOSIA_INLINE int constant_loop(std::int32_t constant, const std::int32_t* CELOSIA_RESTRICT loss,
                                 const std::int32_t* CELOSIA_RESTRICT mask, const std::int32_t* CELOSIA_RESTRICT extra,
                                 std::int32_t* CELOSIA_RESTRICT growth, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) growth[i] += ((constant - loss[i]) & mask[i]) + extra[i];
    return 0;
}

// One column of all classes, laid out class by class, so that a row is compared with all of them in one loop.
class ColumnOfClasses {
   public:
    ColumnOfClasses(const Column& column, std::size_t n_classes)
        : column_(column),
          known_(n_classes, 0),
          unknown_(n_classes, 0),
          nothing_(n_classes, 0),
          lowest_(n_classes, 0),
          highest_(n_classes, 0),
          loss_(n_classes, 0) {
        if (column.kind == Kind::bag) chains_.assign(static_cast<std::size_t>(column.n_values), none);
    }

    // growth[label] += what the loss of each class in begin..end would grow by with this row
    void add_growth(std::int32_t row, std::size_t begin, std::size_t end, std::int32_t* growth) const {
        const std::int32_t value = column_.values[static_cast<std::size_t>(row)];
        const std::size_t n = end - begin;
        const auto at = [begin](const std::vector<std::int32_t>& part) { return part.data() + begin; };
        std::int32_t* own_growth = growth + begin;
        if (value == missing) {
            dispatch<constant_loop>(column_.full, at(loss_), at(known_), at(nothing_), own_growth, n);
            return;
        }
        switch (column_.kind) {
            case Kind::line:
                dispatch<line_loop>(at(lowest_), at(highest_), at(known_), at(unknown_), value, own_growth, n);
                break;
            case Kind::bag:
                dispatch<constant_loop>(column_.unit, at(nothing_), at(known_), at(unknown_), own_growth, n);
                spare_owners(value, begin, end, growth);
                break;
            case Kind::tree: {
                const Tree& tree = column_.tree;
                const std::int32_t alone = tree.loss[tree.at(0, value)];
                dispatch<constant_loop>(alone, at(loss_), at(known_), at(unknown_), own_growth, n);
                for (std::size_t level = 0; level + 1 < tree.n_levels; ++level) {
                    const std::size_t node = tree.at(level, value), above = tree.at(level + 1, value);
                    dispatch<tree_loop>(at(lowest_), at(highest_), at(known_), tree.first[node], tree.last[node],
                                        tree.loss[above] - tree.loss[node], own_growth, n);
                }
                break;
            }
        }
    }

    // Returns by how much the loss of the class has grown.
    std::int32_t join(std::size_t label, std::int32_t row, bool first_of_class) {
        const std::int32_t before = loss_[label], value = column_.values[static_cast<std::size_t>(row)];
        if (first_of_class) {
            if (value == missing) {
                unknown_[label] = column_.full;
            } else {
                known_[label] = all_bits;
                lowest_[label] = highest_[label] = value;
            }
        }
        const bool is_known = known_[label] != 0;
        if (is_known && value != missing) {
            extend(label, value, first_of_class);
        } else if (is_known || (unknown_[label] != 0 && value != missing)) {
            known_[label] = unknown_[label] = 0;
            loss_[label] = column_.full;
        }
        return loss_[label] - before;
    }

   private:
    static constexpr std::int32_t none = -1, all_bits = -1;

    void extend(std::size_t label, std::int32_t value, bool first_of_class) {
        lowest_[label] = std::min(lowest_[label], value);
        highest_[label] = std::max(highest_[label], value);
        switch (column_.kind) {
            case Kind::line: loss_[label] = highest_[label] - lowest_[label]; break;
            case Kind::bag:
                if (own(static_cast<std::int32_t>(label), value) && !first_of_class) loss_[label] += column_.unit;
                break;
            case Kind::tree: {
                const std::size_t level = column_.tree.common_level(lowest_[label], highest_[label]);
                loss_[label] = column_.tree.loss[column_.tree.at(level, value)];
                break;
            }
        }
    }

    // A bag's sets of codes, turned round: a chain of owners per code, highest label first. Sets per class would need
    // memory for every code in every class; the chains need one entry for each code that a class really has.
    struct Entry {
        std::int32_t label;
        std::int32_t next;
    };

    // Whether the class did not own the code before.
    bool own(std::int32_t label, std::int32_t code) {
        std::int32_t* link = &chains_[static_cast<std::size_t>(code)];
        while (*link != none && entries_[static_cast<std::size_t>(*link)].label > label)
            link = &entries_[static_cast<std::size_t>(*link)].next;
        if (*link != none && entries_[static_cast<std::size_t>(*link)].label == label) return false;
        const Entry entry{label, *link};
        *link = static_cast<std::int32_t>(entries_.size());
        entries_.push_back(entry);
        return true;
    }

    // Takes back what the loop over all classes gave to those in begin..end that have the code already.
    void spare_owners(std::int32_t code, std::size_t begin, std::size_t end, std::int32_t* growth) const {
        for (std::int32_t i = chains_[static_cast<std::size_t>(code)]; i != none;) {
            const Entry& entry = entries_[static_cast<std::size_t>(i)];
            const auto owner = static_cast<std::size_t>(entry.label);
            if (owner < begin) return;
            if (owner < end) growth[owner] -= column_.unit & known_[owner];
            i = entry.next;
        }
    }

    const Column& column_;
    // What the class holds in this column, as numbers that loops without a branch can use: known_ is all_bits if it
    // holds known values only, unknown_ is what a known value would cost a class of missing ones. Both are zero in a
    // class that holds both, since it has lost everything already.
    std::vector<std::int32_t> known_, unknown_;
    std::vector<std::int32_t> nothing_;
    std::vector<std::int32_t> lowest_, highest_, loss_;
    std::vector<std::int32_t> chains_;
    std::vector<Entry> entries_;
};

class Classes {
   public:
    Classes(const Columns& columns, std::size_t n_classes)
        : sizes_(n_classes, 0), loss_(n_classes, 0), growth_(n_classes), total_(n_classes) {
        for (std::size_t c = 0; c < columns.size(); ++c) parts_.emplace_back(columns[c], n_classes);
    }

    void join(std::size_t label, std::int32_t row) {
        for (auto& part : parts_) loss_[label] += part.join(label, row, sizes_[label] == 0);
        ++sizes_[label];
    }

    std::size_t cheapest(std::int32_t row, Team& team) {
        const auto n = static_cast<std::int64_t>(sizes_.size());
        auto measure = [&](std::int64_t begin, std::int64_t end) {
            measure_classes(row, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
        };
        if (n < n_classes_worth_sharing) {
            measure(0, n);
        } else {
            team.run(n, measure);
        }
        return static_cast<std::size_t>(std::min_element(total_.begin(), total_.end()) - total_.begin());
    }

   private:
    // Below this a loop is over before a second thread has noticed it.
    static constexpr std::int64_t n_classes_worth_sharing = 4096;

    // (size + 1) * (loss + growth) - size * loss
    void measure_classes(std::int32_t row, std::size_t begin, std::size_t end) {
        std::fill_n(growth_.data() + begin, end - begin, 0);
        for (const auto& part : parts_) part.add_growth(row, begin, end, growth_.data());
        for (std::size_t label = begin; label < end; ++label)
            total_[label] = loss_[label] + (sizes_[label] + 1) * growth_[label];
    }

    std::vector<ColumnOfClasses> parts_;
    std::vector<std::int64_t> sizes_, loss_;
    std::vector<std::int32_t> growth_;
    std::vector<std::int64_t> total_;
};

// The rows that have a label, class by class: the chains of owners are built from their end this way.
std::vector<std::int32_t> sort_by_label(const std::vector<std::int32_t>& labels, std::int32_t n_classes) {
    std::vector<std::size_t> begin(static_cast<std::size_t>(n_classes) + 1, 0);
    for (const std::int32_t label : labels) {
        if (label >= 0) ++begin[static_cast<std::size_t>(label) + 1];
    }
    for (std::size_t label = 1; label < begin.size(); ++label) begin[label] += begin[label - 1];
    std::vector<std::int32_t> rows(begin.back());
    for (std::size_t row = 0; row < labels.size(); ++row) {
        if (labels[row] >= 0) rows[begin[static_cast<std::size_t>(labels[row])]++] = static_cast<std::int32_t>(row);
    }
    return rows;
}

}  // namespace

void place_left_overs(const Columns& columns, const std::vector<std::int32_t>& rows, std::int32_t n_classes,
                      std::vector<std::int32_t>& labels, Pulse& pulse, Team& team) {
    if (rows.empty()) return;
    Classes classes(columns, static_cast<std::size_t>(n_classes));
    for (const std::int32_t row : sort_by_label(labels, n_classes))
        classes.join(static_cast<std::size_t>(labels[static_cast<std::size_t>(row)]), row);
    for (const std::int32_t row : rows) {
        const std::size_t label = classes.cheapest(row, team);
        classes.join(label, row);
        labels[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(label);
        pulse.advance(1);
        pulse.check();
    }
}

}  // namespace celosia
