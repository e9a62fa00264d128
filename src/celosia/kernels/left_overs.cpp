#include "left_overs.hpp"

#include <algorithm>
#include <memory>

namespace celosia {

namespace {

enum class State : std::uint8_t { empty, known, missing, mixed };

// One column of all classes, laid out class by class, so that a row is compared with all of them in one loop.
class ColumnOfClasses {
   public:
    ColumnOfClasses(const Column& column, std::size_t n_classes)
        : column_(column), states_(n_classes, State::empty), lowest_(n_classes), highest_(n_classes), loss_(n_classes) {
        if (column.kind == Kind::bag) chains_.assign(static_cast<std::size_t>(column.n_values), none);
    }

    std::int32_t loss(std::size_t label) const { return loss_[label]; }

    // growth[label] += what the loss of each class in begin..end would grow by with this row
    void add_growth(std::int32_t row, std::size_t begin, std::size_t end, std::int32_t* growth) const {
        const std::int32_t value = column_.values[static_cast<std::size_t>(row)];
        for (std::size_t label = begin; label < end; ++label) {
            switch (states_[label]) {
                case State::empty:
                case State::mixed: break;
                case State::missing: growth[label] += value == missing ? 0 : column_.full; break;
                case State::known:
                    growth[label] += value == missing ? column_.full - loss_[label] : growth_of_known(label, value);
                    break;
            }
        }
        if (column_.kind == Kind::bag && value != missing) spare_owners(value, begin, end, growth);
    }

    void join(std::size_t label, std::int32_t row) {
        const std::int32_t value = column_.values[static_cast<std::size_t>(row)];
        State& state = states_[label];
        const State kind_of_row = value == missing ? State::missing : State::known;
        if (state == State::empty) {
            state = kind_of_row;
            lowest_[label] = highest_[label] = value;
            if (state == State::missing) return;
            if (column_.kind == Kind::bag) own(static_cast<std::int32_t>(label), value);
            if (column_.kind == Kind::tree) loss_[label] = tree_loss(value, value);
        } else if (state == State::known && kind_of_row == State::known) {
            extend(label, value);
        } else if (state != State::mixed && state != kind_of_row) {
            state = State::mixed;
            loss_[label] = column_.full;
        }
    }

   private:
    static constexpr std::int32_t none = -1;

    std::int32_t tree_loss(std::int32_t lowest, std::int32_t highest) const {
        return column_.tree.loss[column_.tree.at(column_.tree.common_level(lowest, highest), lowest)];
    }

    std::int32_t growth_of_known(std::size_t label, std::int32_t value) const {
        const std::int32_t lowest = std::min(lowest_[label], value), highest = std::max(highest_[label], value);
        switch (column_.kind) {
            case Kind::line: return highest - lowest - loss_[label];
            case Kind::bag: return column_.unit;  // for classes without the code; see spare_owners
            case Kind::tree: return tree_loss(lowest, highest) - loss_[label];
        }
        return 0;
    }

    void extend(std::size_t label, std::int32_t value) {
        if (column_.kind == Kind::bag) {
            if (own(static_cast<std::int32_t>(label), value)) loss_[label] += column_.unit;
            return;
        }
        loss_[label] += growth_of_known(label, value);
        lowest_[label] = std::min(lowest_[label], value);
        highest_[label] = std::max(highest_[label], value);
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

    void spare_owners(std::int32_t code, std::size_t begin, std::size_t end, std::int32_t* growth) const {
        for (std::int32_t i = chains_[static_cast<std::size_t>(code)]; i != none;) {
            const Entry& entry = entries_[static_cast<std::size_t>(i)];
            const auto owner = static_cast<std::size_t>(entry.label);
            if (owner < begin) return;
            if (owner < end && states_[owner] == State::known) growth[owner] -= column_.unit;
            i = entry.next;
        }
    }

    const Column& column_;
    std::vector<State> states_;
    std::vector<std::int32_t> lowest_, highest_, loss_;
    std::vector<std::int32_t> chains_;
    std::vector<Entry> entries_;
};

class Classes {
   public:
    Classes(const Columns& columns, std::size_t n_classes) : sizes_(n_classes, 0), growth_(n_classes), total_(n_classes) {
        for (std::size_t c = 0; c < columns.size(); ++c) parts_.emplace_back(columns[c], n_classes);
    }

    void join(std::size_t label, std::int32_t row) {
        ++sizes_[label];
        for (auto& part : parts_) part.join(label, row);
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
    static constexpr std::int64_t n_classes_worth_sharing = 512;

    // (size + 1) * (loss + growth) - size * loss
    void measure_classes(std::int32_t row, std::size_t begin, std::size_t end) {
        std::fill(growth_.begin() + static_cast<std::ptrdiff_t>(begin), growth_.begin() + static_cast<std::ptrdiff_t>(end), 0);
        for (const auto& part : parts_) part.add_growth(row, begin, end, growth_.data());
        for (std::size_t label = begin; label < end; ++label) {
            std::int64_t loss = 0;
            for (const auto& part : parts_) loss += part.loss(label);
            total_[label] = loss + (sizes_[label] + 1) * growth_[label];
        }
    }

    std::vector<ColumnOfClasses> parts_;
    std::vector<std::int64_t> sizes_;
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
