#include "class_set.hpp"

#include <algorithm>
#include <limits>

#include "dispatch.hpp"

namespace celosia {

namespace {

constexpr std::int32_t few_codes = 64;

CELOSIA_INLINE int add_beyond(const std::int32_t* CELOSIA_RESTRICT lowest, const std::int32_t* CELOSIA_RESTRICT highest,
                              std::int32_t first, std::int32_t last, std::int32_t* CELOSIA_RESTRICT growth,
                              std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        growth[i] += std::max(lowest[i] - first, 0) + std::max(last - highest[i], 0);
    return 0;
}

CELOSIA_INLINE int add_unit(const std::uint8_t* CELOSIA_RESTRICT has, std::int32_t unit,
                            std::int32_t* CELOSIA_RESTRICT growth, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) growth[i] += unit & -static_cast<std::int32_t>(has[i] == 0);
    return 0;
}

// growth[i] += (own[i] & plain[i]) + unknown[i]
CELOSIA_INLINE int add_masked(const std::int32_t* CELOSIA_RESTRICT own, const std::int32_t* CELOSIA_RESTRICT plain,
                              const std::int32_t* CELOSIA_RESTRICT unknown, std::int32_t* CELOSIA_RESTRICT growth,
                              std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) growth[i] += (own[i] & plain[i]) + unknown[i];
    return 0;
}

CELOSIA_INLINE int line_without(const std::int32_t* CELOSIA_RESTRICT cells, ClassSet::Ends ends,
                                std::int32_t* CELOSIA_RESTRICT loss, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t low = cells[i] == ends.lowest ? ends.second_lowest : ends.lowest;
        const std::int32_t high = cells[i] == ends.highest ? ends.second_highest : ends.highest;
        loss[i] += high - low;
    }
    return 0;
}

// loss_x: of first..last with cells[i]; loss_y: of the ends without cells[i], with `incoming`.
CELOSIA_INLINE int line_swapped(const std::int32_t* CELOSIA_RESTRICT cells, ClassSet::Ends ends, std::int32_t incoming,
                                std::int32_t first, std::int32_t last, std::int32_t* CELOSIA_RESTRICT loss_x,
                                std::int32_t* CELOSIA_RESTRICT loss_y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t cell = cells[i];
        const std::int32_t low = cell == ends.lowest ? ends.second_lowest : ends.lowest;
        const std::int32_t high = cell == ends.highest ? ends.second_highest : ends.highest;
        loss_y[i] += std::max(high, incoming) - std::min(low, incoming);
        loss_x[i] += std::max(last, cell) - std::min(first, cell);
    }
    return 0;
}

CELOSIA_INLINE int bag_without(const std::int32_t* CELOSIA_RESTRICT alone, std::int32_t now, std::int32_t unit,
                               std::int32_t* CELOSIA_RESTRICT loss, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) loss[i] += now - (unit & alone[i]);
    return 0;
}

// codes: of x without its outgoing row. without_x: its loss then. with_y: the loss of y with the incoming row.
CELOSIA_INLINE int bag_swapped(const std::int32_t* CELOSIA_RESTRICT cells, const std::int32_t* CELOSIA_RESTRICT alone,
                               std::uint64_t codes, std::int32_t without_x, std::int32_t incoming, std::int32_t with_y,
                               std::int32_t unit, std::int32_t* CELOSIA_RESTRICT loss_x,
                               std::int32_t* CELOSIA_RESTRICT loss_y, std::size_t n) {
    const auto low = static_cast<std::uint32_t>(codes), high = static_cast<std::uint32_t>(codes >> 32);
    for (std::size_t i = 0; i < n; ++i) {
        const auto code = static_cast<std::uint32_t>(cells[i]);
        const std::uint32_t half = code < 32 ? low : high;
        const auto has = static_cast<std::int32_t>((half >> (code & 31)) & 1U);
        loss_x[i] += without_x + (unit & (has - 1));
        const std::int32_t leaves = alone[i] & -static_cast<std::int32_t>(cells[i] != incoming);
        loss_y[i] += with_y - (unit & leaves);
    }
    return 0;
}

// One node over a value: the codes below it, and its loss.
struct Rung {
    std::int32_t first, last, loss;
};

// own[i] = rung.loss where the node covers lowest[i]..highest[i]
CELOSIA_INLINE int cover(const std::int32_t* CELOSIA_RESTRICT lowest, const std::int32_t* CELOSIA_RESTRICT highest,
                         Rung rung, std::int32_t* CELOSIA_RESTRICT own, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        own[i] = lowest[i] >= rung.first && highest[i] <= rung.last ? rung.loss : own[i];
    return 0;
}

CELOSIA_INLINE int add_difference(const std::int32_t* CELOSIA_RESTRICT own, const std::int32_t* CELOSIA_RESTRICT loss,
                                  std::int32_t* CELOSIA_RESTRICT growth, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) growth[i] += own[i] - loss[i];
    return 0;
}

// What a tree loses without the row at the lowest end, at the highest, at both at once, and otherwise.
struct Without {
    std::int32_t lowest, highest, both, none;
};

CELOSIA_INLINE int tree_without(const std::int32_t* CELOSIA_RESTRICT cells, ClassSet::Ends ends, Without losses,
                                std::int32_t* CELOSIA_RESTRICT loss, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t if_lowest = cells[i] == ends.highest ? losses.both : losses.lowest;
        const std::int32_t if_not = cells[i] == ends.highest ? losses.highest : losses.none;
        loss[i] += cells[i] == ends.lowest ? if_lowest : if_not;
    }
    return 0;
}

// own[i] = rung.loss where the node covers the ends without cells[i]
CELOSIA_INLINE int cover_rest(const std::int32_t* CELOSIA_RESTRICT cells, ClassSet::Ends ends, Rung rung,
                              std::int32_t* CELOSIA_RESTRICT own, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t low = cells[i] == ends.lowest ? ends.second_lowest : ends.lowest;
        const std::int32_t high = cells[i] == ends.highest ? ends.second_highest : ends.highest;
        own[i] = low >= rung.first && high <= rung.last ? rung.loss : own[i];
    }
    return 0;
}

CELOSIA_INLINE int add_all(const std::int32_t* CELOSIA_RESTRICT own, std::int32_t* CELOSIA_RESTRICT loss,
                           std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) loss[i] += own[i];
    return 0;
}

Rung rung_of(const Tree& tree, std::size_t level, std::int32_t code) {
    const std::size_t at = tree.at(level, code);
    return {tree.first[at], tree.last[at], tree.loss[at]};
}

std::int32_t common_loss(const Tree& tree, std::int32_t lowest, std::int32_t highest) {
    return tree.loss[tree.at(tree.common_level(lowest, highest), lowest)];
}

}  // namespace

ClassSet::ClassSet(const Columns& columns)
    : columns_(columns),
      n_columns_(columns.size()),
      lanes_(columns.size()),
      number_of_code_(columns.size()),
      last_load_(columns.size()) {
    for (std::size_t c = 0; c < n_columns_; ++c) {
        if (columns[c].kind != Kind::bag) continue;
        number_of_code_[c].assign(static_cast<std::size_t>(columns[c].n_values), 0);
        last_load_[c].assign(static_cast<std::size_t>(columns[c].n_values), 0);
    }
}

void ClassSet::make_room(const std::vector<std::size_t>& ends, std::size_t n_spare) {
    begins_.assign(1, 0);
    largest_capacity_ = 0;
    const auto add = [&](std::size_t capacity) {
        begins_.push_back(begins_.back() + capacity);
        largest_capacity_ = std::max(largest_capacity_, capacity);
    };
    for (std::size_t x = 0; x < ends.size(); ++x) add(ends[x] - (x == 0 ? 0 : ends[x - 1]) + n_spare);
    for (std::size_t x = 0; x < ends.size(); ++x) add(2 * n_spare);
    sizes_.clear();
    rows_.resize(begins_.back());
    cells_.resize(begins_.back() * n_columns_);
    alone_.resize(begins_.back() * n_columns_);
    parts_.resize(n_most_classes() * n_columns_);
    own_.resize(std::max(n_most_classes(), largest_capacity_));
    known_.resize(n_most_classes());
    loss_.assign(n_most_classes(), 0);
    for (Lane& lane : lanes_) {
        for (auto* part : {&lane.lowest, &lane.highest, &lane.loss, &lane.plain, &lane.unknown})
            part->assign(n_most_classes(), 0);
    }
}

void ClassSet::load(const std::int32_t* rows, const std::vector<std::size_t>& ends, std::size_t n_spare) {
    make_room(ends, n_spare);
    ++n_loads_;
    for (std::size_t c = 0; c < n_columns_; ++c) {
        Lane& lane = lanes_[c];
        if (columns_[c].kind == Kind::bag) number_codes(c, rows, ends.back());
        lane.has.assign(static_cast<std::size_t>(lane.n_codes) * n_most_classes(), 0);
        lane.is_simple = !columns_[c].has_missing && lane.n_codes <= few_codes;
    }
    std::size_t first = 0;
    for (const std::size_t end : ends) {
        const std::size_t x = add_class();
        copy_cells(x, rows + first, end - first);
        settle(x, end - first);
        first = end;
    }
}

void ClassSet::copy_cells(std::size_t x, const std::int32_t* rows, std::size_t n) {
    std::copy_n(rows, n, rows_.data() + begins_[x]);
    for (std::size_t c = 0; c < n_columns_; ++c) {
        std::int32_t* cells = cells_.data() + lane_begin(x, c);
        const Column& column = columns_[c];
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t value = column.values[static_cast<std::size_t>(rows[i])];
            const bool is_code = column.kind == Kind::bag && value != missing;
            cells[i] = is_code ? number_of_code_[c][static_cast<std::size_t>(value)] : value;
        }
    }
}

void ClassSet::number_codes(std::size_t c, const std::int32_t* rows, std::size_t n) {
    lanes_[c].n_codes = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t value = columns_[c].values[static_cast<std::size_t>(rows[i])];
        if (value == missing) continue;
        auto& last = last_load_[c][static_cast<std::size_t>(value)];
        if (last != n_loads_) number_of_code_[c][static_cast<std::size_t>(value)] = lanes_[c].n_codes++;
        last = n_loads_;
    }
}

std::size_t ClassSet::add_class() {
    sizes_.push_back(0);
    return sizes_.size() - 1;
}

void ClassSet::clear(std::size_t x) {
    for (std::size_t c = 0; c < n_columns_; ++c) {
        if (columns_[c].kind != Kind::bag) continue;
        const std::int32_t* codes = lane(x, c);
        for (std::size_t i = 0; i < sizes_[x]; ++i) {
            if (codes[i] != missing) lanes_[c].has[has_at(x, codes[i])] = 0;
        }
    }
    sizes_[x] = 0;
}

void ClassSet::remove(std::size_t x) {
    const std::size_t last = sizes_.size() - 1, n = sizes_[last];
    clear(x);
    if (x != last) {
        std::copy_n(rows(last), n, rows_.data() + begins_[x]);
        for (std::size_t c = 0; c < n_columns_; ++c) std::copy_n(lane(last, c), n, cells_.data() + lane_begin(x, c));
        clear(last);
        settle(x, n);
    }
    sizes_.pop_back();
}

void ClassSet::write(std::size_t x, std::size_t i, std::int32_t row, const std::int32_t* values) {
    rows_[begins_[x] + i] = row;
    for (std::size_t c = 0; c < n_columns_; ++c) cells_[lane_begin(x, c) + i] = values[c];
}

void ClassSet::settle(std::size_t x, std::size_t n_rows) {
    sizes_[x] = n_rows;
    loss_[x] = 0;
    for (std::size_t c = 0; c < n_columns_; ++c) {
        Part& own = part(x, c);
        if (columns_[c].kind == Kind::bag) {
            summarise_bag(x, c, n_rows);
        } else {
            summarise_line(x, c, n_rows);
        }
        own.loss = loss_of(c, own);
        loss_[x] += own.loss;
        Lane& lane = lanes_[c];
        // Without known values the ends are far apart the wrong way round: their distances would not fit.
        lane.lowest[x] = own.n_known == 0 ? 0 : own.lowest;
        lane.highest[x] = own.n_known == 0 ? 0 : own.highest;
        lane.loss[x] = own.loss;
        lane.plain[x] = own.n_missing == 0 ? -1 : 0;
        lane.unknown[x] = own.n_known == 0 ? columns_[c].full : 0;
    }
}

void ClassSet::summarise_line(std::size_t x, std::size_t c, std::size_t n) {
    const std::int32_t* cells = lane(x, c);
    std::int32_t low = INT32_MAX, second_low = INT32_MAX, high = -1, second_high = -1, n_missing = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t value = cells[i];
        if (value == missing) {
            ++n_missing;
            continue;
        }
        second_low = std::min(second_low, std::max(low, value));
        low = std::min(low, value);
        second_high = std::max(second_high, std::min(high, value));
        high = std::max(high, value);
    }
    Part& own = part(x, c);
    own.lowest = low;
    own.second_lowest = second_low;
    own.highest = high;
    own.second_highest = second_high;
    own.n_missing = n_missing;
    own.n_known = static_cast<std::int32_t>(n) - n_missing;
}

void ClassSet::summarise_bag(std::size_t x, std::size_t c, std::size_t n) {
    const std::int32_t* cells = lane(x, c);
    std::int32_t* alone = alone_.data() + lane_begin(x, c);
    auto& has = lanes_[c].has;
    Part own;
    for (std::size_t i = 0; i < n; ++i) {
        if (cells[i] == missing) {
            ++own.n_missing;
            continue;
        }
        std::uint8_t& count = has[has_at(x, cells[i])];
        own.n_distinct += count == 0;
        count = static_cast<std::uint8_t>(std::min(count + 1, 2));
        if (cells[i] < few_codes) own.codes |= std::uint64_t{1} << static_cast<unsigned>(cells[i]);
    }
    for (std::size_t i = 0; i < n; ++i)
        alone[i] = cells[i] != missing && has[has_at(x, cells[i])] == 1 ? -1 : 0;
    own.n_known = static_cast<std::int32_t>(n) - own.n_missing;
    part(x, c) = own;
}

std::int32_t ClassSet::loss_of(std::size_t c, const Part& part) const {
    const Column& column = columns_[c];
    if (part.n_known == 0) return 0;
    if (part.n_missing > 0) return column.full;
    switch (column.kind) {
        case Kind::line: return part.highest - part.lowest;
        case Kind::bag: return (part.n_distinct - 1) * column.unit;
        case Kind::tree: return common_loss(column.tree, part.lowest, part.highest);
    }
    return 0;
}

// The class in one column without the row of value *out and with one of value *in (null: none). Seconds are not kept.
ClassSet::Part ClassSet::changed(std::size_t x, std::size_t c, const std::int32_t* out, const std::int32_t* in) const {
    Part result = part(x, c);
    const bool is_bag = columns_[c].kind == Kind::bag;
    const auto& has = lanes_[c].has;
    if (out != nullptr && *out == missing) --result.n_missing;
    if (out != nullptr && *out != missing) {
        --result.n_known;
        if (is_bag) {
            result.n_distinct -= has[has_at(x, *out)] == 1;
        } else {
            if (*out == result.lowest) result.lowest = result.second_lowest;
            if (*out == result.highest) result.highest = result.second_highest;
        }
    }
    if (in != nullptr && *in == missing) ++result.n_missing;
    if (in != nullptr && *in != missing) {
        ++result.n_known;
        if (is_bag) {
            const int left = has[has_at(x, *in)] - (out != nullptr && *out == *in ? 1 : 0);
            result.n_distinct += left == 0;
        } else {
            result.lowest = std::min(result.lowest, *in);
            result.highest = std::max(result.highest, *in);
        }
    }
    return result;
}

void ClassSet::losses_without(std::size_t x, std::int32_t* loss) const {
    const std::size_t n = sizes_[x];
    std::fill_n(loss, n, 0);
    for (std::size_t c = 0; c < n_columns_; ++c) {
        const Part& own = part(x, c);
        if (!lanes_[c].is_simple) {
            for (std::size_t i = 0; i < n; ++i) loss[i] += loss_of(c, changed(x, c, lane(x, c) + i, nullptr));
        } else if (columns_[c].kind == Kind::bag) {
            dispatch<bag_without>(alone(x, c), own.loss, columns_[c].unit, loss, n);
        } else if (columns_[c].kind == Kind::tree) {
            const Tree& tree = columns_[c].tree;
            const Without losses{common_loss(tree, own.second_lowest, own.highest),
                                 common_loss(tree, own.lowest, own.second_highest),
                                 common_loss(tree, own.second_lowest, own.second_highest), own.loss};
            dispatch<tree_without>(lane(x, c), own.ends(), losses, loss, n);
        } else {
            dispatch<line_without>(lane(x, c), own.ends(), loss, n);
        }
    }
}

void ClassSet::losses_swapped(std::size_t x, std::size_t i, std::size_t y, std::int32_t* loss_x,
                              std::int32_t* loss_y) const {
    const std::size_t n = sizes_[y];
    std::fill_n(loss_x, n, 0);
    std::fill_n(loss_y, n, 0);
    for (std::size_t c = 0; c < n_columns_; ++c) {
        const Part &of_x = part(x, c), &of_y = part(y, c);
        const std::int32_t* cells = lane(y, c);
        const std::int32_t outgoing = lane(x, c)[i];
        if (!lanes_[c].is_simple) {
            for (std::size_t j = 0; j < n; ++j) {
                loss_x[j] += loss_of(c, changed(x, c, &outgoing, cells + j));
                loss_y[j] += loss_of(c, changed(y, c, cells + j, &outgoing));
            }
        } else if (columns_[c].kind == Kind::bag) {
            const std::int32_t unit = columns_[c].unit;
            const bool leaves = alone(x, c)[i] != 0;
            const std::uint64_t own = std::uint64_t{1} << static_cast<unsigned>(outgoing);
            dispatch<bag_swapped>(cells, alone(y, c), leaves ? of_x.codes & ~own : of_x.codes,
                                  of_x.loss - (leaves ? unit : 0), outgoing,
                                  of_y.loss + ((of_y.codes & own) == 0 ? unit : 0), unit, loss_x, loss_y, n);
        } else {
            const std::int32_t first = outgoing == of_x.lowest ? of_x.second_lowest : of_x.lowest;
            const std::int32_t last = outgoing == of_x.highest ? of_x.second_highest : of_x.highest;
            if (columns_[c].kind == Kind::tree) {
                trees_swapped(c, cells, of_y.ends(), outgoing, first, last, loss_x, loss_y, n);
            } else {
                dispatch<line_swapped>(cells, of_y.ends(), outgoing, first, last, loss_x, loss_y, n);
            }
        }
    }
}

// As line_swapped: a tree's nodes over a value cover more and more, so that the last one that covers the rest decides.
void ClassSet::trees_swapped(std::size_t c, const std::int32_t* cells, Ends ends, std::int32_t incoming,
                             std::int32_t first, std::int32_t last, std::int32_t* loss_x, std::int32_t* loss_y,
                             std::size_t n) const {
    const Tree& tree = columns_[c].tree;
    std::int32_t* own = own_.data();
    for (std::size_t level = tree.n_levels; level-- > tree.common_level(first, last);)
        dispatch<cover>(cells, cells, rung_of(tree, level, first), own, n);
    dispatch<add_all>(own, loss_x, n);
    for (std::size_t level = tree.n_levels; level-- > 0;)
        dispatch<cover_rest>(cells, ends, rung_of(tree, level, incoming), own, n);
    dispatch<add_all>(own, loss_y, n);
}

// What a known value would cost, adding to `growth`; right only for classes of known values.
void ClassSet::known_growth(std::size_t c, std::int32_t value, std::int32_t* growth) const {
    const Lane& lane = lanes_[c];
    const std::size_t n = sizes_.size();
    switch (columns_[c].kind) {
        case Kind::line:
            dispatch<add_beyond>(lane.lowest.data(), lane.highest.data(), value, value, growth, n);
            break;
        case Kind::bag:
            dispatch<add_unit>(lane.has.data() + has_at(0, value), columns_[c].unit, growth, n);
            break;
        case Kind::tree:
            for (std::size_t level = columns_[c].tree.n_levels; level-- > 0;)
                dispatch<cover>(lane.lowest.data(), lane.highest.data(), rung_of(columns_[c].tree, level, value),
                                own_.data(), n);
            dispatch<add_difference>(own_.data(), lane.loss.data(), growth, n);
            break;
    }
}

void ClassSet::growth_by_row(const std::int32_t* values, std::int32_t* growth) {
    const std::size_t n = sizes_.size();
    std::fill_n(growth, n, 0);
    for (std::size_t c = 0; c < n_columns_; ++c) {
        const Lane& lane = lanes_[c];
        if (!columns_[c].has_missing) {
            known_growth(c, values[c], growth);
        } else if (values[c] == missing) {
            for (std::size_t y = 0; y < n; ++y) growth[y] += (columns_[c].full - lane.loss[y]) & lane.plain[y];
        } else {
            std::fill_n(known_.data(), n, 0);
            known_growth(c, values[c], known_.data());
            dispatch<add_masked>(known_.data(), lane.plain.data(), lane.unknown.data(), growth, n);
        }
    }
}

}  // namespace celosia
