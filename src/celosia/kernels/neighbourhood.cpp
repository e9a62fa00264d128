#include "neighbourhood.hpp"

#include <algorithm>
#include <cstdlib>

#include "dispatch.hpp"

namespace celosia {

namespace {

CELOSIA_INLINE void add_ways_on_line(const std::int32_t* CELOSIA_RESTRICT values, std::size_t n, std::int32_t own,
                                     std::int32_t* CELOSIA_RESTRICT loss) {
    for (std::size_t row = 0; row < n; ++row) loss[row] += std::max(values[row] - own, own - values[row]);
}

CELOSIA_INLINE void add_difference(const std::int32_t* CELOSIA_RESTRICT values, std::size_t n, std::int32_t own,
                                   std::int32_t cost, std::int32_t* CELOSIA_RESTRICT loss) {
    for (std::size_t row = 0; row < n; ++row) loss[row] += cost & -static_cast<std::int32_t>(values[row] != own);
}

// The loss of two rows in a column, one of them given by its value.
std::int32_t pair_loss(const Column& column, std::int32_t own, std::int32_t value) {
    if (own == missing || value == missing) return own == value ? 0 : column.full;
    if (column.kind == Kind::line) return std::abs(value - own);
    if (column.kind == Kind::bag) return value == own ? 0 : column.unit;
    const Tree& tree = column.tree;
    return tree.loss[tree.at(tree.common_level(std::min(own, value), std::max(own, value)), own)];
}

void add_pair_losses(const Column& column, std::int32_t own, std::vector<std::int32_t>& loss) {
    const std::size_t n = column.values.size();
    const std::int32_t* values = column.values.data();
    if (column.kind == Kind::line && !column.has_missing) {
        dispatch<add_ways_on_line>(values, n, own, loss.data());
    } else if (column.kind == Kind::bag && !column.has_missing) {
        dispatch<add_difference>(values, n, own, column.unit, loss.data());
    } else {
        for (std::size_t row = 0; row < n; ++row) loss[row] += pair_loss(column, own, values[row]);
    }
}

}  // namespace

Neighbourhood::Neighbourhood(const Columns& columns)
    : columns_(columns), scales_(columns.size()), parts_(columns.size()) {}

void Neighbourhood::measure_pairs(std::int32_t row, std::vector<std::int32_t>& loss) const {
    loss.assign(static_cast<std::size_t>(columns_.n_rows()), 0);
    for (std::size_t c = 0; c < columns_.size(); ++c)
        add_pair_losses(columns_[c], columns_[c].values[static_cast<std::size_t>(row)], loss);
}

void Neighbourhood::settle(std::int32_t row, const std::vector<std::int32_t>& others) {
    centre_ = row;
    rows_ = others;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const Column& column = columns_[c];
        Scale& scale = scales_[c];
        scale.full = column.full;
        scale.unit = column.unit;
        scale.has_missing = false;
        scale.own = column.values[static_cast<std::size_t>(row)];
        scale.cells.resize(others.size());
        if (scale.own == missing || column.kind == Kind::tree)
            settle_chain(c);
        else if (column.kind == Kind::line)
            settle_line(c);
        else
            settle_bag(c);
    }
    std::int32_t n_ways = 0;
    for (Scale& scale : scales_) {
        scale.first_way = n_ways;
        n_ways += scale.shape == Shape::bag ? static_cast<std::int32_t>(scale.codes.size()) : 2;
    }
    clear();
}

void Neighbourhood::settle_line(std::size_t c) {
    Scale& scale = scales_[c];
    scale.shape = Shape::line;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        scale.cells[j] = columns_[c].values[static_cast<std::size_t>(rows_[j])];
        scale.has_missing |= scale.cells[j] == missing;
    }
}

void Neighbourhood::settle_bag(std::size_t c) {
    Scale& scale = scales_[c];
    scale.shape = Shape::bag;
    local_of_code_.assign(static_cast<std::size_t>(columns_[c].n_values), -1);
    scale.codes.assign(1, scale.own);
    local_of_code_[static_cast<std::size_t>(scale.own)] = 0;
    scale.own = 0;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        const std::int32_t code = columns_[c].values[static_cast<std::size_t>(rows_[j])];
        scale.cells[j] = missing;
        scale.has_missing |= code == missing;
        if (code == missing) continue;
        std::int32_t& local = local_of_code_[static_cast<std::size_t>(code)];
        if (local < 0) {
            local = static_cast<std::int32_t>(scale.codes.size());
            scale.codes.push_back(code);
        }
        scale.cells[j] = local;
    }
}

void Neighbourhood::settle_chain(std::size_t c) {
    const Column& column = columns_[c];
    const Tree& tree = column.tree;
    Scale& scale = scales_[c];
    const std::int32_t own = scale.own;
    scale.shape = Shape::chain;
    scale.own = 0;
    scale.loss.clear();
    if (own == missing) {
        scale.loss.push_back(0);
    } else {
        for (std::size_t level = 0; level < tree.n_levels; ++level) scale.loss.push_back(tree.loss[tree.at(level, own)]);
    }
    scale.loss.push_back(column.full);
    const auto mixed = static_cast<std::int32_t>(scale.loss.size() - 1);
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        const std::int32_t value = column.values[static_cast<std::size_t>(rows_[j])];
        if ((value == missing) != (own == missing))
            scale.cells[j] = mixed;
        else if (own == missing)
            scale.cells[j] = 0;
        else
            scale.cells[j] = static_cast<std::int32_t>(tree.common_level(std::min(own, value), std::max(own, value)));
    }
}

void Neighbourhood::clear() {
    loss_ = 0;
    for (std::size_t c = 0; c < parts_.size(); ++c) clear_part(c);
}

void Neighbourhood::clear_part(std::size_t c) {
    const Scale& scale = scales_[c];
    Part& part = parts_[c];
    part.lowest = part.highest = scale.own;
    part.floor = 0;
    part.ceiling = INT32_MAX;
    part.is_mixed = part.bars_missing = false;
    part.loss = scale.shape == Shape::chain ? scale.loss[0] : 0;
    loss_ += part.loss;
    if (scale.shape != Shape::bag) return;
    part.state.assign(scale.codes.size(), open);
    part.state[0] = held;
}

void Neighbourhood::raise(Part& part, std::int32_t loss) {
    loss_ += loss - part.loss;
    part.loss = loss;
}

void Neighbourhood::demand(const Reach& reach) {
    const auto c = static_cast<std::size_t>(reach.column);
    absorb(c, reach.side == Reach::Side::unknown ? missing : reach.value);
}

void Neighbourhood::take(std::int32_t other) {
    for (std::size_t c = 0; c < scales_.size(); ++c) absorb(c, scales_[c].cells[static_cast<std::size_t>(other)]);
}

void Neighbourhood::absorb(std::size_t c, std::int32_t cell) {
    const Scale& scale = scales_[c];
    Part& part = parts_[c];
    if (cell == missing) {
        part.is_mixed = true;
        raise(part, scale.full);
        return;
    }
    raise(part, part.loss + growth(scale, part, cell));
    part.lowest = std::min(part.lowest, cell);
    part.highest = std::max(part.highest, cell);
    if (scale.shape == Shape::bag) part.state[static_cast<std::size_t>(cell)] = held;
}

void Neighbourhood::forbid(const Reach& reach) {
    Part& part = parts_[static_cast<std::size_t>(reach.column)];
    switch (reach.side) {
        case Reach::Side::up: part.ceiling = std::min(part.ceiling, reach.value - 1); break;
        case Reach::Side::down: part.floor = std::max(part.floor, reach.value + 1); break;
        case Reach::Side::code: part.state[static_cast<std::size_t>(reach.value)] = closed; break;
        case Reach::Side::unknown: part.bars_missing = true; break;
    }
}

// Of a cell that is not forbidden.
std::int32_t Neighbourhood::growth(const Scale& scale, const Part& part, std::int32_t cell) const {
    if (part.is_mixed) return 0;
    if (cell == missing) return scale.full - part.loss;
    switch (scale.shape) {
        case Shape::line: return std::max(0, cell - part.highest) + std::max(0, part.lowest - cell);
        case Shape::chain: return std::max(0, scale.loss[static_cast<std::size_t>(cell)] - part.loss);
        case Shape::bag: return part.state[static_cast<std::size_t>(cell)] == held ? 0 : scale.unit;
    }
    return 0;
}

void Neighbourhood::measure_growth(const std::vector<std::int32_t>& others, std::vector<std::int32_t>& growth) {
    growth.assign(others.size(), 0);
    for (std::size_t c = 0; c < scales_.size(); ++c) {
        if (scales_[c].shape == Shape::line)
            add_growth_on_line(c, others, growth);
        else
            add_growth_by_step(c, others, growth);
    }
}

void Neighbourhood::add_growth_on_line(std::size_t c, const std::vector<std::int32_t>& others,
                                       std::vector<std::int32_t>& growth) const {
    const Part& part = parts_[c];
    const std::int32_t* cells = scales_[c].cells.data();
    const std::int32_t of_missing = part.bars_missing ? barred : part.is_mixed ? 0 : scales_[c].full - part.loss;
    const std::int32_t lowest = part.is_mixed ? 0 : part.lowest, highest = part.is_mixed ? INT32_MAX : part.highest;
    for (std::size_t j = 0; j < others.size(); ++j) {
        const std::int32_t cell = cells[others[j]];
        std::int32_t more = std::max(0, cell - highest) + std::max(0, lowest - cell);
        more = cell < part.floor || cell > part.ceiling ? barred : more;
        more = cell == missing ? of_missing : more;
        growth[j] = more == barred || growth[j] == barred ? barred : growth[j] + more;
    }
}

// Chains and bags: few levels or codes, many rows.
void Neighbourhood::add_growth_by_step(std::size_t c, const std::vector<std::int32_t>& others,
                                       std::vector<std::int32_t>& growth) {
    const Scale& scale = scales_[c];
    const Part& part = parts_[c];
    const std::size_t n_steps = scale.shape == Shape::bag ? scale.codes.size() : scale.loss.size();
    growth_of_step_.resize(n_steps + 1);
    growth_of_step_[0] = part.bars_missing ? barred : part.is_mixed ? 0 : scale.full - part.loss;
    for (std::size_t step = 0; step < n_steps; ++step) {
        const auto cell = static_cast<std::int32_t>(step);
        const bool is_out = scale.shape == Shape::bag ? part.state[step] == closed : cell > part.ceiling;
        growth_of_step_[step + 1] = is_out ? barred : this->growth(scale, part, cell);
    }
    const std::int32_t* of_cell = growth_of_step_.data() + 1;  // missing is -1
    const std::int32_t* cells = scale.cells.data();
    for (std::size_t j = 0; j < others.size(); ++j) {
        const std::int32_t more = of_cell[cells[others[j]]];
        growth[j] = more == barred || growth[j] == barred ? barred : growth[j] + more;
    }
}

// A column where known and missing values meet is one way: its loss is then full, and no sum of several.
void Neighbourhood::stretches_of(std::int32_t other, std::vector<Stretch>& stretches) const {
    for (std::size_t c = 0; c < scales_.size(); ++c) {
        const Scale& scale = scales_[c];
        const std::int32_t cell = scale.cells[static_cast<std::size_t>(other)];
        const std::int32_t more = growth(scale, parts_[c], cell);
        if (more == 0) continue;
        std::int32_t way = scale.first_way;
        if (scale.shape == Shape::bag && !scale.has_missing) way += cell;
        if (scale.shape == Shape::line && !scale.has_missing && cell < parts_[c].lowest) ++way;
        stretches.push_back({way, more});
    }
}

std::int32_t Neighbourhood::loss_of(const std::vector<std::int32_t>& others) {
    clear();
    for (const std::int32_t other : others) take(other);
    return loss_;
}

Reach Neighbourhood::reach_of(std::size_t c, std::int32_t cell) const {
    const Scale& scale = scales_[c];
    const Part& part = parts_[c];
    Reach reach{static_cast<std::int32_t>(c), Reach::Side::up, cell, growth(scale, part, cell)};
    if (cell == missing)
        reach.side = Reach::Side::unknown;
    else if (scale.shape == Shape::bag)
        reach.side = Reach::Side::code;
    else if (scale.shape == Shape::line && cell < part.lowest)
        reach.side = Reach::Side::down;
    return reach;
}

Reach Neighbourhood::best_cut(const std::vector<std::int32_t>& others) {
    Reach best;
    double highest = 0;
    for (std::size_t c = 0; c < scales_.size(); ++c) {
        reaches_.clear();
        for (const std::int32_t j : others) {
            const Reach reach = reach_of(c, scales_[c].cells[static_cast<std::size_t>(j)]);
            if (reach.cost > 0) reaches_.push_back(reach);
        }
        for (const Reach& reach : reaches_) {
            std::int32_t n_reaching = 0;
            for (const Reach& its : reaches_) {
                const bool is_as_far = reach.side == Reach::Side::code ? its.value == reach.value : its.cost >= reach.cost;
                n_reaching += its.side == reach.side && is_as_far ? 1 : 0;
            }
            const double score = static_cast<double>(reach.cost) * reach.cost * n_reaching;
            if (score > highest) best = reach, highest = score;
        }
    }
    return best;
}

}  // namespace celosia
