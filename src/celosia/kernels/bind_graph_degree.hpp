#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_graph_degree(nanobind::module_& m);

}  // namespace celosia
