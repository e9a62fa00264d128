#include "pieces.hpp"

namespace celosia {

namespace {

bool alike(const Columns& columns, const Subjects& subjects, std::int32_t row, std::int32_t other) {
    const auto a = static_cast<std::size_t>(row), b = static_cast<std::size_t>(other);
    if (subjects.codes()[a] != subjects.codes()[b]) return false;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].values[a] != columns[c].values[b]) return false;
    }
    return true;
}

}  // namespace

Pieces::Pieces(const Columns& columns, const std::int32_t* order, const Subjects& subjects, std::int32_t k) {
    const std::int32_t n = columns.n_rows();
    const bool join = subjects.given() && k > 1;
    rows_.reserve(static_cast<std::size_t>(n));
    places_.reserve(static_cast<std::size_t>(n) + 1);
    bool like_last = false;
    std::int32_t n_alike = 0;  // rows on end up to this one
    for (std::int32_t place = 0; place < n; ++place) {
        const bool like_next = join && place + 1 < n && alike(columns, subjects, order[place], order[place + 1]);
        n_alike = like_last ? n_alike + 1 : 1;
        if (n_alike < 3 || !like_next) {
            rows_.push_back(order[place]);
            places_.push_back(place);
        }
        like_last = like_next;
    }
    places_.push_back(n);
}

}  // namespace celosia
