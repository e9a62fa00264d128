#include "growing_class.hpp"

namespace celosia {

// Appends steps on one lane.
class GrowingClass::Writer {
   public:
    Writer(std::vector<Step>& steps, std::size_t lane) : steps_(steps), lane_(static_cast<std::uint32_t>(lane)) {}

    void range(std::int32_t first, std::int32_t last, std::int32_t inside, std::int32_t outside) {
        if (inside != 0 || outside != 0)
            steps_.push_back({Step::Shape::range, lane_, first, last - first, inside, outside});
    }
    void beyond(std::int32_t first, std::int32_t last) {
        steps_.push_back({Step::Shape::beyond, lane_, first, last - first, 0, 0});
    }
    void away(std::int32_t start) { steps_.push_back({Step::Shape::away, lane_, start, 0, 0, 0}); }
    void above(std::int32_t start, std::int32_t reach) {
        if (reach > 0) steps_.push_back({Step::Shape::above, lane_, start, reach, 0, 0});
    }
    void below(std::int32_t start, std::int32_t reach) {
        if (reach > 0) steps_.push_back({Step::Shape::below, lane_, start, reach, 0, 0});
    }
    // Only for the rows without a value in this column.
    void unknown(const Column& column, std::int32_t change) {
        const std::int32_t code = lane_value(column, missing);
        if (column.has_missing) range(code, code, change, 0);
    }

   private:
    std::vector<Step>& steps_;
    std::uint32_t lane_;
};

GrowingClass::GrowingClass(const Columns& columns) : columns_(columns), parts_(columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].kind == Kind::bag)
            parts_[c].class_of_code.assign(static_cast<std::size_t>(columns[c].n_values), 0);
    }
}

void GrowingClass::clear() {
    ++n_classes_;
    for (auto& part : parts_) {
        part.state = State::empty;
        part.codes.clear();
    }
}

void GrowingClass::absorb(const std::int32_t* values, std::vector<Step>& steps) {
    for (std::size_t c = 0; c < parts_.size(); ++c) {
        const Column& column = columns_[c];
        Part& part = parts_[c];
        Writer writer(steps, c);
        const std::int32_t value = values[c];
        if (part.state == State::mixed) continue;
        if (part.state == State::empty) {
            start(column, part, value, writer);
        } else if ((part.state == State::missing) != (value == missing)) {
            blend(column, part, writer);
        } else if (value != missing) {
            extend(column, part, value, writer);
        }
    }
}

void GrowingClass::describe(std::vector<Step>& steps) const {
    for (std::size_t c = 0; c < parts_.size(); ++c) {
        Writer writer(steps, c);
        describe(columns_[c], parts_[c], writer);
    }
}

void GrowingClass::describe(const Column& column, const Part& part, Writer& writer) const {
    const std::int32_t unknown = lane_value(column, missing);
    switch (part.state) {
        case State::empty:
        case State::mixed: return;
        case State::missing: return writer.range(unknown, unknown, 0, column.full);
        case State::known: break;
    }
    switch (column.kind) {
        case Kind::line:
            writer.beyond(part.lowest, part.highest);
            // The step above has taken an unknown position for a real one far away.
            writer.unknown(column, column.full - (part.highest - part.lowest) - (unknown - part.highest));
            break;
        case Kind::bag: {
            const auto n_codes = static_cast<std::int32_t>(part.codes.size());
            writer.range(part.codes[0], part.codes[0], 0, column.unit);
            for (std::size_t i = 1; i < part.codes.size(); ++i)
                writer.range(part.codes[i], part.codes[i], -column.unit, 0);
            writer.unknown(column, column.full - (n_codes - 1) * column.unit - column.unit);
            break;
        }
        case Kind::tree: {
            const Tree& tree = column.tree;
            for (std::size_t level = part.level; level + 1 < tree.n_levels; ++level) {
                const std::size_t at = tree.at(level, part.lowest);
                writer.range(tree.first[at], tree.last[at], 0, tree.loss[at + tree.n_values] - tree.loss[at]);
            }
            writer.unknown(column, column.full - tree.loss[tree.at(tree.n_levels - 1, part.lowest)]);
            break;
        }
    }
}

// Costs are zero in this column up to now.
void GrowingClass::start(const Column& column, Part& part, std::int32_t value, Writer& writer) {
    if (value == missing) {
        part.state = State::missing;
        const std::int32_t code = lane_value(column, missing);
        writer.range(code, code, 0, column.full);
        return;
    }
    part.state = State::known;
    part.lowest = part.highest = value;
    switch (column.kind) {
        case Kind::line:
            writer.away(value);
            // The step above has taken an unknown position for a real one far away.
            writer.unknown(column, column.full - (unknown_position - value));
            break;
        case Kind::bag:
            insert(part, value);
            writer.range(value, value, 0, column.unit);
            writer.unknown(column, column.full - column.unit);
            break;
        case Kind::tree: {
            const Tree& tree = column.tree;
            part.level = 0;
            // A row outside an ancestor forces the class up to the next one; the sum of these jumps is its cost.
            for (std::size_t level = 0; level + 1 < tree.n_levels; ++level) {
                const std::size_t at = tree.at(level, value);
                writer.range(tree.first[at], tree.last[at], 0, tree.loss[at + tree.n_values] - tree.loss[at]);
            }
            writer.unknown(column, column.full - tree.loss[tree.at(tree.n_levels - 1, value)]);
            break;
        }
    }
}

// A row without value costs full - loss of the class, so it gets cheaper by whatever the class loses more.
void GrowingClass::extend(const Column& column, Part& part, std::int32_t value, Writer& writer) {
    switch (column.kind) {
        case Kind::line:
            if (value > part.highest) {
                writer.above(part.highest, value - part.highest);
                part.highest = value;
            } else if (value < part.lowest) {
                writer.below(part.lowest, part.lowest - value);
                writer.unknown(column, value - part.lowest);
                part.lowest = value;
            }
            break;
        case Kind::bag:
            if (insert(part, value)) {
                writer.range(value, value, -column.unit, 0);
                writer.unknown(column, -column.unit);
            }
            break;
        case Kind::tree: {
            const Tree& tree = column.tree;
            while (value < tree.first[tree.at(part.level, part.lowest)] ||
                   value > tree.last[tree.at(part.level, part.lowest)]) {
                const std::size_t at = tree.at(part.level, part.lowest);
                writer.range(tree.first[at], tree.last[at], 0, tree.loss[at] - tree.loss[at + tree.n_values]);
                ++part.level;
            }
            break;
        }
    }
}

// The class now has known and missing values, loses `full` in this column whoever joins, and costs fall to zero.
// Only decreases may come out of this (see barred_cost), which holds because every cost was zero or more.
void GrowingClass::blend(const Column& column, Part& part, Writer& writer) {
    const bool was_known = part.state == State::known;
    part.state = State::mixed;
    if (!was_known) {
        const std::int32_t code = lane_value(column, missing);
        writer.range(code, code, 0, -column.full);
        return;
    }
    const std::int32_t last = column.n_values - 1;
    switch (column.kind) {
        case Kind::line:
            writer.above(part.highest, last - part.highest);
            writer.below(part.lowest, part.lowest);
            writer.unknown(column, -(column.full - (part.highest - part.lowest) - (last - part.highest)));
            break;
        case Kind::bag: {
            const auto n_codes = static_cast<std::int32_t>(part.codes.size());
            writer.range(0, last, -column.unit, -(column.full - (n_codes - 1) * column.unit));
            for (const std::int32_t code : part.codes) writer.range(code, code, column.unit, 0);
            break;
        }
        case Kind::tree: {
            const Tree& tree = column.tree;
            for (std::size_t level = part.level; level + 1 < tree.n_levels; ++level) {
                const std::size_t at = tree.at(level, part.lowest);
                writer.range(tree.first[at], tree.last[at], 0, tree.loss[at] - tree.loss[at + tree.n_values]);
            }
            writer.unknown(column, tree.loss[tree.at(tree.n_levels - 1, part.lowest)] - column.full);
            break;
        }
    }
}

bool GrowingClass::insert(Part& part, std::int32_t code) const {
    auto& last_class = part.class_of_code[static_cast<std::size_t>(code)];
    if (last_class == n_classes_) return false;
    last_class = n_classes_;
    part.codes.push_back(code);
    return true;
}

}  // namespace celosia
