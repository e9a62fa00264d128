#include "subjects.hpp"

#include <stdexcept>
#include <string>

namespace celosia {

Subjects::Subjects(const std::int32_t* codes, std::int32_t n_rows) : codes_(codes), n_distinct_(n_rows) {
    if (codes == nullptr) return;
    n_distinct_ = 0;
    n_free_rows_.assign(static_cast<std::size_t>(n_rows), 0);
    for (std::int32_t row = 0; row < n_rows; ++row) {
        if (codes[row] < 0 || codes[row] >= n_rows)
            throw std::invalid_argument("the subject in row " + std::to_string(row) + " is outside 0..n_rows-1");
        n_distinct_ += n_free_rows_[static_cast<std::size_t>(codes[row])]++ == 0;
    }
}

std::int32_t Subjects::take(std::int32_t row) {
    const std::int32_t left = given() ? --n_free_rows_[static_cast<std::size_t>(codes_[row])] : 0;
    n_distinct_ -= left == 0;
    return left;
}

}  // namespace celosia
