#include "extents.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace celosia {

Extents class_extents(const std::int32_t* labels, const std::int32_t* codes, std::size_t n, std::size_t n_classes) {
    constexpr std::int32_t nothing = std::numeric_limits<std::int32_t>::max();
    Extents result{std::vector<std::int32_t>(n_classes, nothing), std::vector<std::int32_t>(n_classes, -1),
                   std::vector<std::int32_t>(n_classes, 0)};
    for (std::size_t row = 0; row < n; ++row) {
        if (labels[row] < -1 || labels[row] >= static_cast<std::int64_t>(n_classes))
            throw std::invalid_argument("the label in row " + std::to_string(row) + " is outside -1..n_classes-1");
        if (labels[row] < 0) continue;
        const auto label = static_cast<std::size_t>(labels[row]);
        if (codes[row] < 0) {
            ++result.n_missing[label];
        } else {
            result.lowest[label] = std::min(result.lowest[label], codes[row]);
            result.highest[label] = std::max(result.highest[label], codes[row]);
        }
    }
    for (std::size_t label = 0; label < n_classes; ++label) {
        if (result.highest[label] < 0) result.lowest[label] = -1;
    }
    return result;
}

}  // namespace celosia
