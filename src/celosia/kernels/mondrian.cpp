#include "mondrian.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "splitter.hpp"
#include "team.hpp"
#include "yard.hpp"

namespace celosia {

namespace {

constexpr std::size_t n_rows_worth_sharing = 4096;

class Worker {
   public:
    Worker(const MondrianTask& task, Splitter& splitter, Yard& yard, std::vector<std::uint8_t>& starts)
        : task_(task), splitter_(splitter), yard_(yard), starts_(starts) {}

    void run() noexcept {
        try {
            Desk desk = splitter_.make_desk();
            while (const auto part = yard_.take()) {
                cut_up(*part, desk);
                yard_.finish();
            }
        } catch (...) {
            yard_.fail(std::current_exception());
        }
    }

   private:
    void cut_up(const Part& whole, Desk& desk) {
        mine_.assign(1, whole);
        while (!mine_.empty()) {
            const Part part = mine_.back();
            mine_.pop_back();
            const auto place = splitter_.split(part, desk);
            if (!place) {
                starts_[part.begin] = 1;
                task_.pulse.advance(static_cast<std::int64_t>(part.size()));
                continue;
            }
            hand_on({part.begin, *place});
            hand_on({*place, part.end});
        }
    }
    void hand_on(Part part) {
        if (part.size() >= n_rows_worth_sharing) {
            yard_.put(part);
        } else {
            mine_.push_back(part);
        }
    }

    const MondrianTask& task_;
    Splitter& splitter_;
    Yard& yard_;
    std::vector<std::uint8_t>& starts_;
    std::vector<Part> mine_;
};

}  // namespace

std::vector<std::int32_t> mondrian(const MondrianTask& task) {
    if (task.columns.n_rows() != task.demands.n_rows())
        throw std::invalid_argument("the demands are about " + std::to_string(task.demands.n_rows()) +
                                    " rows; the table has " + std::to_string(task.columns.n_rows()));
    const auto n = static_cast<std::size_t>(task.columns.n_rows());
    task.pulse.begin(task.columns.n_rows());
    Splitter splitter(task);
    Yard yard({0, n});
    std::vector<std::uint8_t> starts(n, 0);
    const auto work = [&] { Worker(task, splitter, yard, starts).run(); };
    std::vector<std::thread> helpers;
    const int n_threads = std::min(count_threads(task.n_threads), static_cast<int>(n / n_rows_worth_sharing) + 1);
    helpers.reserve(static_cast<std::size_t>(n_threads));
    try {
        for (int i = 1; i < n_threads; ++i) helpers.emplace_back(work);
    } catch (const std::system_error&) {
        // The system gives no more threads: those that exist do all the work.
    }
    work();
    for (auto& helper : helpers) helper.join();
    yard.rethrow();
    std::vector<std::int32_t> labels(n);
    std::int32_t label = -1;
    for (std::size_t place = 0; place < n; ++place) {
        label += starts[place];
        labels[static_cast<std::size_t>(splitter.row_at(place))] = label;
    }
    return labels;
}

}  // namespace celosia
