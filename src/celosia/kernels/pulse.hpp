// How far a running kernel has come, and the way to stop it from another thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace celosia {

class Interrupted : public std::exception {
   public:
    const char* what() const noexcept override { return "the kernel was stopped"; }
};

// Relaxed order suffices: the numbers are only shown, and a stop that is seen a moment later is still a stop.
class Pulse {
   public:
    std::int64_t done() const { return done_.load(std::memory_order_relaxed); }
    std::int64_t total() const { return total_.load(std::memory_order_relaxed); }
    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    void stop() { stopped_.store(true, std::memory_order_relaxed); }

    void begin(std::int64_t total) {
        restart(total);
        check();
    }
    void restart(std::int64_t total) {
        done_.store(0, std::memory_order_relaxed);
        total_.store(total, std::memory_order_relaxed);
    }
    // The least loss found so far, a fraction; negative while there is none.
    double loss() const { return loss_.load(std::memory_order_relaxed); }
    void found(double loss) { loss_.store(loss, std::memory_order_relaxed); }
    // For work that cannot count its steps.
    void reach(std::int64_t done) { done_.store(done, std::memory_order_relaxed); }
    void advance(std::int64_t steps) { done_.fetch_add(steps, std::memory_order_relaxed); }
    void check() const {
        if (stopped()) throw Interrupted();
    }

   private:
    std::atomic<std::int64_t> done_{0};
    std::atomic<std::int64_t> total_{0};
    std::atomic<double> loss_{-1.0};
    std::atomic<bool> stopped_{false};
};

}  // namespace celosia
