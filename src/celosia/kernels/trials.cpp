// The parts of the search by pieces, one at a time: for tests against plain definitions.
#include "trials.hpp"

#include "class_set.hpp"
#include "pool.hpp"
#include "random.hpp"

namespace celosia {

ExchangeLosses exchange_losses(const Columns& columns, const std::vector<std::int32_t>& rows,
                               const std::vector<std::size_t>& ends, std::size_t x, std::size_t i, std::size_t y) {
    ClassSet classes(columns);
    classes.load(rows.data(), ends, rows.size());
    ExchangeLosses result;
    for (std::size_t z = 0; z < classes.n_classes(); ++z) result.loss.push_back(classes.loss(z));
    result.growth.resize(classes.n_classes());
    std::vector<std::int32_t> values;
    for (std::size_t c = 0; c < columns.size(); ++c) values.push_back(classes.lane(x, c)[i]);
    classes.growth_by_row(values.data(), result.growth.data());
    if (classes.size(x) < 2 || classes.size(y) < 2) return result;
    result.without.resize(classes.size(x));
    classes.losses_without(x, result.without.data());
    result.swapped_x.resize(classes.size(y));
    result.swapped_y.resize(classes.size(y));
    classes.losses_swapped(x, i, y, result.swapped_x.data(), result.swapped_y.data());
    return result;
}

RegroupTrial regroup_trial(const Columns& columns, const Demands& demands, const std::vector<std::int32_t>& rows,
                           const std::vector<std::size_t>& ends, int way, std::uint64_t seed) {
    ClassSet classes(columns);
    classes.load(rows.data(), ends, rows.size());
    Pool pool(columns, demands);
    std::vector<std::size_t> chosen;
    for (std::size_t x = 0; x < classes.n_classes(); ++x) {
        pool.add(classes, x);
        chosen.push_back(x);
    }
    Random random(seed);
    const std::int64_t limit = INT64_MAX / 4;
    RegroupTrial result;
    result.is_found = way == 3 ? pool.regrow(random.real(), limit, random)
                               : pool.regroup(chosen.size(), static_cast<Pool::Start>(way), limit, random);
    if (!result.is_found) return result;
    result.cost = pool.cost();
    result.is_found = pool.write_back(chosen, classes);
    for (std::size_t x = 0; x < classes.n_classes(); ++x) {
        result.classes.emplace_back(classes.rows(x), classes.rows(x) + classes.size(x));
        result.loss.push_back(classes.loss(x));
    }
    return result;
}

}  // namespace celosia
