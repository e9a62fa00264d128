#include "joining.hpp"

#include <cstddef>

#include "permutation.hpp"

namespace celosia {

std::vector<std::int32_t> join_neighbours(const Demands& demands, const std::int32_t* labels,
                                          const std::int32_t* order) {
    const std::int32_t n = demands.n_rows();
    check_permutation(order, n);
    Judge judge(demands);
    std::vector<std::int32_t> result(static_cast<std::size_t>(n));
    std::int32_t n_closed = 0, begin = 0;  // of the rows gathered
    for (std::int32_t i = 0; i < n; ++i) {
        judge.add(order[i]);
        result[static_cast<std::size_t>(order[i])] = n_closed;
        const bool is_end = i + 1 == n || labels[order[i + 1]] != labels[order[i]];
        if (!is_end || !judge.satisfied()) continue;
        judge.clear();
        ++n_closed;
        begin = i + 1;
    }
    if (n_closed == 0) return result;
    for (; begin < n; ++begin) result[static_cast<std::size_t>(order[begin])] = n_closed - 1;
    return result;
}

}  // namespace celosia
