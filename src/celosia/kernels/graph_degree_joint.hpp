// The degrees out and in that an anonymous directed graph should have so that few edits lead there.
#pragma once

#include "graph_degree_targets.hpp"
#include "pulse.hpp"

namespace celosia {

// Every vertex has two nodes: v for its arcs out, n + v for its arcs in. At least k vertices of a group share both degrees.
DegreeTargets joint_degree_targets(const DegreeAim& aim, Pulse& pulse);

}  // namespace celosia
