#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_graph_twins(nanobind::module_& m);

}  // namespace celosia
