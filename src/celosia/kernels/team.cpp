#include "team.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace celosia {

namespace {

constexpr int n_spins = 2000;
constexpr std::int64_t patience = 50'000;  // nanoseconds

void relax() {
#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

int count_threads(int wanted) {
    if (wanted > 0) return wanted;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Team::Team(int n_threads)
    : n_threads_(std::max(1, n_threads)),
      n_chunks_(n_threads_ * chunks_per_thread),
      claims_(std::make_unique<Claim[]>(static_cast<std::size_t>(n_chunks_))) {
    helpers_.reserve(static_cast<std::size_t>(n_threads_));
    try {
        for (int home = 1; home < n_threads_; ++home) helpers_.emplace_back([this, home] { help(home); });
    } catch (const std::system_error&) {
        // The system gives no more threads: those that exist take all chunks, which is slower and not wrong.
    }
}

Team::~Team() {
    leaving_.store(true);
    post(round_.load(std::memory_order_relaxed) + 1);
    for (auto& helper : helpers_) helper.join();
}

// Round and n_asleep are read and written in one total order (seq_cst): either the helper sees the new round before it
// sleeps, or it is counted here and woken.
void Team::post(std::uint32_t round) {
    round_.store(round);
    if (n_asleep_.load() > 0) round_.notify_all();
}

void Team::run_chunks() {
    const std::int64_t begin = now();
    n_finished_.store(0, std::memory_order_relaxed);
    const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
    post(round);
    work(round, 0);
    const std::int64_t worked = now();
    for (int spin = 0; n_finished_.load(std::memory_order_acquire) != n_chunks_; ++spin) {
        if (spin < n_spins) {
            relax();
        } else {
            std::this_thread::yield();
        }
    }
    const std::int64_t end = now(), waited = end - worked;
    if (waited > worked - begin + patience) alone_until_ = end + 20 * waited;
}

bool Team::alone() const { return alone_until_ > 0 && now() < alone_until_; }

// The loop's description may be read only after a claim: it cannot change before the claimed chunk is finished, while
// a helper that was asleep for a whole round finds nothing to claim.
void Team::work(std::uint32_t round, int home) {
    for (int i = 0; i < n_chunks_; ++i) {
        const int chunk = (home * chunks_per_thread + i) % n_chunks_;
        std::uint32_t before = round - 1;
        auto& claim = claims_[static_cast<std::size_t>(chunk)].round;
        if (claim.load(std::memory_order_relaxed) != before) continue;
        if (!claim.compare_exchange_strong(before, round, std::memory_order_acq_rel)) continue;
        call_(context_, n_items_ * chunk / n_chunks_, n_items_ * (chunk + 1) / n_chunks_);
        n_finished_.fetch_add(1, std::memory_order_release);
    }
}

void Team::help(int home) {
    std::uint32_t seen = 0;
    while (!leaving_.load(std::memory_order_relaxed)) {
        int spin = 0;
        while (round_.load(std::memory_order_relaxed) == seen && spin < n_spins) {
            relax();
            ++spin;
        }
        if (spin == n_spins) {
            n_asleep_.fetch_add(1);
            round_.wait(seen);
            n_asleep_.fetch_sub(1);
        }
        seen = round_.load(std::memory_order_acquire);
        if (!leaving_.load()) work(seen, home);
    }
}

}  // namespace celosia
