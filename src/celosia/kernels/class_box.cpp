#include "class_box.hpp"

#include <bit>

namespace celosia {

ClassBox::ClassBox(const Columns& columns)
    : columns_(columns), parts_(columns.size()), class_of_code_(columns.size()), n_classes_(columns.size(), 1) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].kind == Kind::bag) class_of_code_[c].assign(static_cast<std::size_t>(columns[c].n_values), 0);
    }
}

void ClassBox::clear() {
    for (std::size_t c = 0; c < parts_.size(); ++c) clear(c);
}

void ClassBox::clear(std::size_t c) {
    loss_ -= parts_[c].loss;
    parts_[c] = Part{};
    ++n_classes_[c];
}

void ClassBox::absorb(const std::int32_t* values) {
    for (std::size_t c = 0; c < parts_.size(); ++c) absorb(c, values[c]);
}

void ClassBox::absorb(std::size_t c, std::int32_t value) {
    Part& part = parts_[c];
    const std::int32_t more = growth(c, value);
    const State state = value == missing ? State::missing : State::known;
    if (part.state == State::empty) {
        part.state = state;
        part.lowest = part.highest = value;
    } else if (part.state != state) {
        part.state = State::mixed;
    }
    part.loss += more;
    loss_ += more;
    if (value == missing) return;
    part.lowest = std::min(part.lowest, value);
    part.highest = std::max(part.highest, value);
    if (columns_[c].kind == Kind::bag) {
        part.buckets |= bucket_of(columns_[c], value);
        class_of_code_[c][static_cast<std::size_t>(value)] = n_classes_[c];
    }
}

std::int32_t ClassBox::growth(std::size_t c, std::int32_t value) const {
    const Part& part = parts_[c];
    const Column& column = columns_[c];
    switch (part.state) {
        case State::empty:
            return column.kind == Kind::tree && value != missing ? column.tree.loss[column.tree.at(0, value)] : 0;
        case State::mixed: return 0;
        case State::missing: return value == missing ? 0 : column.full;
        case State::known: break;
    }
    return value == missing ? column.full - part.loss : extended_loss(c, value) - part.loss;
}

std::int32_t ClassBox::extended_loss(std::size_t c, std::int32_t value) const {
    const Part& part = parts_[c];
    const Column& column = columns_[c];
    switch (column.kind) {
        case Kind::line: return std::max(part.highest, value) - std::min(part.lowest, value);
        case Kind::bag: return part.loss + (has_code(c, value) ? 0 : column.unit);
        case Kind::tree: {
            const std::int32_t lowest = std::min(part.lowest, value), highest = std::max(part.highest, value);
            return column.tree.loss[column.tree.at(column.tree.common_level(lowest, highest), lowest)];
        }
    }
    return 0;
}

std::int32_t loss_among(const Column& column, const std::int32_t* values, const std::vector<std::int32_t>& among,
                        ClassBox& box, std::size_t c) {
    if (column.kind == Kind::bag || column.has_missing) {
        std::uint64_t codes = 0;
        std::int32_t highest = 0;
        for (const std::int32_t i : among) {
            highest |= values[i];
            codes |= std::uint64_t{1} << (static_cast<unsigned>(values[i]) & 63U);
        }
        if (column.kind == Kind::bag && highest >= 0 && highest < 64) return (std::popcount(codes) - 1) * column.unit;
        box.clear(c);
        for (const std::int32_t i : among) box.absorb(c, values[i]);
        return box.part(c).loss;
    }
    std::int32_t lowest = values[among[0]], highest = lowest;
    for (const std::int32_t i : among) {
        lowest = std::min(lowest, values[i]);
        highest = std::max(highest, values[i]);
    }
    if (column.kind == Kind::line) return highest - lowest;
    return column.tree.loss[column.tree.at(column.tree.common_level(lowest, highest), lowest)];
}

}  // namespace celosia
