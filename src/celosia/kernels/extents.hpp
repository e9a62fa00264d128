// The lowest and highest code of each class: all that the recoding of an ordered column has to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace celosia {

// Per class; both codes are -1 where a class has no known code. Negative codes are missing values, and rows labelled
// -1 are in no class.
struct Extents {
    std::vector<std::int32_t> lowest, highest, n_missing;
};

Extents class_extents(const std::int32_t* labels, const std::int32_t* codes, std::size_t n, std::size_t n_classes);

}  // namespace celosia
