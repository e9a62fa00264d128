// A few threads that share loops of a few microseconds.
//
// A mutex and a condition would cost more than such a loop. Each loop is cut into chunks; a thread claims the chunks
// that it had the last time (their rows are in its cache), then those that nobody has claimed yet, so that a helper
// that is late delays nobody. A helper that loses its core in the middle of a chunk does delay the others; on a busy
// machine that happens all the time, so after a long wait the caller works alone for twenty times as long.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace celosia {

// 0 means all cores.
int count_threads(int wanted);

class Team {
   public:
    explicit Team(int n_threads);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    // Calls body(begin, end) until 0..n_items is covered, and returns when all is done. The body must not throw.
    template <class Body>
    void run(std::int64_t n_items, Body&& body) {
        if (n_threads_ == 1 || alone()) {
            body(std::int64_t{0}, n_items);
            return;
        }
        n_items_ = n_items;
        context_ = &body;
        call_ = [](void* context, std::int64_t begin, std::int64_t end) {
            (*static_cast<std::remove_reference_t<Body>*>(context))(begin, end);
        };
        run_chunks();
    }

   private:
    // Padded, or two threads would fight for the line that holds their claims.
    struct alignas(64) Claim {
        std::atomic<std::uint32_t> round{0};
    };

    void run_chunks();
    void work(std::uint32_t round, int home);
    void help(int home);
    void post(std::uint32_t round);
    bool alone() const;

    static constexpr int chunks_per_thread = 4;
    const int n_threads_;
    const int n_chunks_;
    std::unique_ptr<Claim[]> claims_;
    std::int64_t n_items_ = 0;
    void* context_ = nullptr;
    void (*call_)(void*, std::int64_t, std::int64_t) = nullptr;
    std::int64_t alone_until_ = 0;  // nanoseconds
    alignas(64) std::atomic<std::uint32_t> round_{0};
    alignas(64) std::atomic<int> n_finished_{0};
    alignas(64) std::atomic<int> n_asleep_{0};
    std::atomic<bool> leaving_{false};
    std::vector<std::thread> helpers_;
};

}  // namespace celosia
