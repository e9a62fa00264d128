#include "growth.hpp"

#include <algorithm>

#include "growing_class.hpp"
#include "left_overs.hpp"
#include "subjects.hpp"
#include "team.hpp"

namespace celosia {

namespace {

// More threads than this would wait for each other longer than they work.
constexpr int n_rows_per_thread = 8192;

}  // namespace

std::vector<std::int32_t> grow(const GrowthTask& task, std::int32_t first_row, const Seeder& seeder) {
    const std::int32_t n = task.columns.n_rows();
    Subjects subjects(task.subjects, n);
    subjects.check(task.k);
    task.pulse.begin(n);
    Team team(std::min(count_threads(task.n_threads), n / n_rows_per_thread + 1));
    FreeRows free(task.columns, subjects, team);
    GrowingClass growing(task.columns);
    std::vector<std::int32_t> labels(static_cast<std::size_t>(n), -1);
    std::vector<Step> steps;
    std::vector<std::int32_t> values(task.columns.size());
    std::int32_t n_classes = 0, row = first_row;
    for (; subjects.n_distinct() >= task.k; ++n_classes) {
        row = seeder(free, row);
        growing.clear();
        free.forget_costs();
        for (std::int32_t size = 0;;) {
            labels[static_cast<std::size_t>(row)] = n_classes;
            free.remove(row);
            const bool more_of_subject = subjects.take(row) > 0;
            task.pulse.advance(1);
            task.pulse.check();
            if (++size == task.k) break;
            steps.clear();
            for (std::size_t c = 0; c < values.size(); ++c)
                values[c] = task.columns[c].values[static_cast<std::size_t>(row)];
            growing.absorb(values.data(), steps);
            if (more_of_subject)
                steps.push_back({Step::Shape::bar, free.subject_lane(),
                                 subjects.codes()[static_cast<std::size_t>(row)], 0, 0, 0});
            free.apply(steps);
            row = free.cheapest();
        }
    }
    place_left_overs(task.columns, free.rows(), n_classes, labels, task.pulse, team);
    return labels;
}

}  // namespace celosia
