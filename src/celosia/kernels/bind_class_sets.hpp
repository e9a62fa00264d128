#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_class_sets(nanobind::module_& m);

}  // namespace celosia
