#include "grouping.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace celosia {

Grouping::Grouping(const Columns& columns, const Partition& classes, std::size_t n_most_classes, Random random)
    : n_most_classes_(n_most_classes), random_(random), order_(classes.n_classes()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t c = 0; c < columns.size(); ++c) place(columns, classes, c);
    cut(0, order_.size());
}

// A place of every class: the value of one of its rows, the values of bags in a random order.
void Grouping::place(const Columns& columns, const Partition& classes, std::size_t c) {
    const Column& column = columns[c];
    const std::uint64_t salt = random_.next();
    const float scale = 1.0F / static_cast<float>(std::max(column.n_values, 1));
    std::vector<float> own(classes.n_classes());
    for (std::size_t x = 0; x < own.size(); ++x) {
        const std::size_t i = classes.begin(x) + random_.below(classes.ends[x] - classes.begin(x));
        const std::int32_t value = column.values[static_cast<std::size_t>(classes.rows[i])];
        own[x] = column.kind == Kind::bag ? Random(salt + static_cast<std::uint64_t>(value + 1)).real()
                                          : static_cast<float>(value) * scale;
    }
    is_bag_.push_back(column.kind == Kind::bag);
    places_.push_back(std::move(own));
}

// How much the classes of a group differ in a column, from a sample; roughly from 0 to 1.
float Grouping::spread(std::size_t c, std::size_t begin, std::size_t end) const {
    const std::size_t step = std::max<std::size_t>(1, (end - begin) / 64);
    const float first = places_[c][order_[begin]];
    float sum = 0.0F, squares = 0.0F, n = 0.0F, n_unlike = 0.0F;
    for (std::size_t i = begin; i < end; i += step, n += 1.0F) {
        const float place = places_[c][order_[i]];
        sum += place;
        squares += place * place;
        if (place != first) n_unlike += 1.0F;
    }
    if (is_bag_[c]) return std::min(0.5F, n_unlike / n);
    const float mean = sum / n;
    return 3.0F * std::sqrt(std::max(0.0F, squares / n - mean * mean));
}

void Grouping::cut(std::size_t begin, std::size_t end) {
    if (end - begin <= n_most_classes_ || places_.empty()) {
        ends_.push_back(end);
        return;
    }
    float widest = -1.0F;
    std::size_t chosen = 0;
    for (std::size_t c = 0; c < places_.size(); ++c) {
        const float own = spread(c, begin, end) * (0.2F + random_.real());
        if (own <= widest) continue;
        widest = own;
        chosen = c;
    }
    const float share = 0.35F + 0.3F * random_.real();
    const std::size_t middle = begin + static_cast<std::size_t>(share * static_cast<float>(end - begin));
    const auto at = [this](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto& place = places_[chosen];
    std::nth_element(at(begin), at(middle), at(end), [&place](std::size_t x, std::size_t y) {
        return place[x] < place[y] || (place[x] == place[y] && x < y);
    });
    cut(begin, middle);
    cut(middle, end);
}

}  // namespace celosia
