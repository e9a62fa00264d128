// The Python face of the kernels behind the lower bound of the loss.
#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_lower_bound(nanobind::module_& m);

}  // namespace celosia
