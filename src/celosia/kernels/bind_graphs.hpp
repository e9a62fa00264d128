#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_graphs(nanobind::module_& m);

}  // namespace celosia
