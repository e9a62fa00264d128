#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_graph_edits(nanobind::module_& m);

}  // namespace celosia
