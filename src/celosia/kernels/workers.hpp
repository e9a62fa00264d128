// Some threads that each do items 0, 1, ... of a list with a tool of their own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace celosia {

template <class Tool>
class Workers {
   public:
    // make() gives a std::unique_ptr<Tool>.
    template <class Make>
    Workers(int n_threads, const Make& make) {
        for (int i = 0; i < n_threads; ++i) tools_.push_back(make());
    }

    Tool& first() { return *tools_[0]; }

    // body(tool, item); what it throws is thrown here.
    template <class Body>
    void run(std::size_t n_items, const Body& body) {
        std::atomic<std::size_t> next{0};
        std::exception_ptr failure;
        std::mutex mutex;
        const auto work = [&](Tool& tool) {
            try {
                for (std::size_t item = next++; item < n_items; item = next++) body(tool, item);
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                next = n_items;
            }
        };
        std::vector<std::thread> helpers;
        try {
            for (std::size_t i = 1; i < std::min(tools_.size(), n_items); ++i)
                helpers.emplace_back([&work, tool = tools_[i].get()] { work(*tool); });
        } catch (const std::system_error&) {
            // The system gives no more threads: those that exist do all items, which is slower and not wrong.
        }
        work(first());
        for (auto& helper : helpers) helper.join();
        if (failure) std::rethrow_exception(failure);
    }

   private:
    std::vector<std::unique_ptr<Tool>> tools_;
};

}  // namespace celosia
