#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_subsets(nanobind::module_& m);

}  // namespace celosia
