// Memory that was freed, given back to the system.
#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace celosia {

// The GNU library keeps all that lies below anything in use, which after some large arrays can be as much again. Other
// systems give large arrays back by themselves.
inline void release_freed_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace celosia
