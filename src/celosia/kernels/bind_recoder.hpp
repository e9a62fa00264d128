#pragma once

#include <nanobind/nanobind.h>

namespace celosia {

void bind_recoder(nanobind::module_& m);

}  // namespace celosia
