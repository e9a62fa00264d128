// Where threads find parts to cut up, and where they leave new ones.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "splitter.hpp"

namespace celosia {

// Large parts wait here for any thread; small ones stay with the thread that made them.
class Yard {
   public:
    explicit Yard(Part whole) : waiting_{whole} {}

    // Nothing when all work is done or a thread has failed.
    std::optional<Part> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !waiting_.empty() || n_taken_ == 0 || failure_; });
        if (waiting_.empty() || failure_) return std::nullopt;
        const Part part = waiting_.back();
        waiting_.pop_back();
        ++n_taken_;
        return part;
    }
    void put(Part part) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(part);
        changed_.notify_one();
    }
    void finish() {
        const std::lock_guard lock(mutex_);
        if (--n_taken_ == 0) changed_.notify_all();
    }
    void fail(std::exception_ptr failure) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::move(failure);
        changed_.notify_all();
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Part> waiting_;
    int n_taken_ = 0;
    std::exception_ptr failure_;
};

}  // namespace celosia
