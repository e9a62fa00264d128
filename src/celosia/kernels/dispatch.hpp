// Hot loops compiled for several instruction sets, one of them chosen when the program starts.
//
// GCC's target_clones would do the same with less text, but it needs ifunc (absent on musl, macOS and with older clang)
// and offers no way to run the plain version on a modern machine, which the tests do to prove that all versions agree.
#pragma once

#include <atomic>

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define CELOSIA_X86_VERSIONS 1
#else
#define CELOSIA_X86_VERSIONS 0
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define CELOSIA_INLINE __forceinline
#define CELOSIA_RESTRICT __restrict
#else
#define CELOSIA_INLINE [[gnu::always_inline]] inline
#define CELOSIA_RESTRICT __restrict__
#endif

namespace celosia {

enum class InstructionSet { plain, avx2, avx512 };

inline InstructionSet best_instruction_set() {
#if CELOSIA_X86_VERSIONS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return InstructionSet::avx512;
    if (__builtin_cpu_supports("avx2")) return InstructionSet::avx2;
#endif
    return InstructionSet::plain;
}

inline std::atomic<InstructionSet> instruction_set{best_instruction_set()};

#if CELOSIA_X86_VERSIONS
// A template cannot be a clone of another function, but an always-inline body may be inlined into a function whose
// target has more instructions than its own; flatten makes sure that nothing of the loop stays outside.
template <auto Body, class... Arguments>
[[gnu::target("avx2"), gnu::flatten, gnu::noinline]] auto run_avx2(Arguments... arguments) {
    return Body(arguments...);
}

template <auto Body, class... Arguments>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq"), gnu::flatten, gnu::noinline]] auto run_avx512(
    Arguments... arguments) {
    return Body(arguments...);
}
#endif

// Calls Body (a CELOSIA_INLINE function) in the version of the chosen instruction set.
template <auto Body, class... Arguments>
inline auto dispatch(Arguments... arguments) {
#if CELOSIA_X86_VERSIONS
    switch (instruction_set.load(std::memory_order_relaxed)) {
        case InstructionSet::avx512: return run_avx512<Body>(arguments...);
        case InstructionSet::avx2: return run_avx2<Body>(arguments...);
        case InstructionSet::plain: break;
    }
#endif
    return Body(arguments...);
}

}  // namespace celosia
