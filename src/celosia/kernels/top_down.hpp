// Top-down specialisation (Fung, Wang, Yu 2005): every column begins at its top node, and node after node is replaced
// by its children for as long as the demands hold.
//
// What a node's children would change is kept class by class. A step touches only the classes that hold its node, so
// that only these are looked at again (Fung's TIPS).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ladders.hpp"
#include "pulse.hpp"
#include "recoder.hpp"

namespace celosia {

// [column][code]: the level on which a value is published.
using Places = std::vector<std::vector<std::int32_t>>;

// Whether a recoding holds by a higher judge.
using Approve = std::function<bool(const Places& places)>;

struct TopDownTask {
    const Ladders& ladders;
    const Tuples& tuples;
    const Terms& terms;
    Recoder& recoder;
    const Approve& approve;  // may be empty
    Pulse& pulse;
};

struct Specialised {
    bool holds = false;
    Places places;
    std::int64_t cost = 0;
    std::int64_t n_judged = 0;
};

// The best of a few ways to choose the next step. Ends early, with what it has, when its pulse is stopped.
Specialised specialise(const TopDownTask& task);

}  // namespace celosia
