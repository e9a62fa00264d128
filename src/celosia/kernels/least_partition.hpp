// The least cost of any partition of a few rows into classes: by states, with prices that leave few classes to try.
#pragma once

#include <cstdint>
#include <optional>

#include "columns.hpp"
#include "pulse.hpp"

namespace celosia {

inline constexpr std::int32_t most_rows_to_partition = 20;

struct PartitionTask {
    const Columns& columns;
    std::int32_t k;
    const double* prices;  // per row: no class costs less than the prices of its rows
    double cost;           // of some partition
    bool may_suppress;     // a row alone, at greatest_loss
    std::int64_t n_steps;  // to be tried at most
    const Pulse& pulse;
};

// Size times loss, summed over the classes of the best partition; the given cost where there is none below it; nothing
// if the steps do not suffice.
std::optional<double> least_partition(const PartitionTask& task);

}  // namespace celosia
