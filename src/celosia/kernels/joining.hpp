// Classes that follow each other in an order are joined until all demands are met.
#pragma once

#include <cstdint>
#include <vector>

#include "demands.hpp"

namespace celosia {

// Each class must be a stretch of the order. Walking along it, classes are put together until what was gathered meets
// all demands; what is left at the end joins the last one. So one class may still break a demand.
std::vector<std::int32_t> join_neighbours(const Demands& demands, const std::int32_t* labels,
                                          const std::int32_t* order);

}  // namespace celosia
