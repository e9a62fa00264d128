// What a recoding of whole columns comes to: its classes, which of them must be suppressed, and what it costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "demands.hpp"
#include "histogram.hpp"
#include "ladders.hpp"
#include "pulse.hpp"
#include "refining.hpp"

namespace celosia {

enum class Objective {
    cells,           // the sum of what all rows' cells cost
    discernibility,  // the sum of squared class sizes; a suppressed row costs as much as there are rows
    class_size       // rows minus classes: the least for the least mean class size
};

// What is asked of a recoding. Classes that break a demand are suppressed; what is left is judged again, by the rows
// that are left, until nothing breaks.
struct Terms {
    Terms(const Demands& lasting, const Demands& others, std::int64_t n_spare, bool sees_all);

    std::int64_t n_least_rows;
    // The first ones last when classes are united: classes that are united break them only if one of the parts did.
    std::vector<std::shared_ptr<const Demand>> demands;
    std::size_t n_lasting;
    std::vector<Overall> overall;
    bool overall_lasts;
    std::int64_t n_spare;
    // Whether these are all the demands there are, as they are. If not, only what the first round suppresses is certain:
    // the rows that later rounds refer to are not known.
    bool sees_all;

    // Whatever counts codes: the demands, then the people of the overall demands.
    std::vector<const Demand*> counted() const;
};

// How one column is published.
struct Step {
    const std::int32_t* groups;
    std::size_t n_groups;
    const std::int64_t* costs;
};
using Scheme = std::vector<Step>;

struct Outcome {
    bool holds = false;
    std::int64_t cost = 0;
    std::int64_t n_suppressed = 0;
};

// Rows that are lost for certain while columns are still being added, and what that costs.
struct Tab {
    std::int64_t kept = 0;  // of the tuples that are not lost
    std::int64_t lost = 0;
    std::int64_t n_lost = 0;
};

// Classes of several recodings.
struct Swept {
    std::vector<std::int32_t> labels;     // per row; -1: left over
    std::vector<std::int32_t> scheme_of;  // per class: which recoding publishes it
};

class Recoder {
   public:
    Recoder(const Ladders& ladders, const Tuples& tuples, const Terms& terms, Objective objective);

    Outcome evaluate(const Scheme& scheme);
    // A class label per row; -1: suppressed. Empty if the scheme does not hold.
    std::vector<std::int32_t> labels(const Scheme& scheme);

    // Recodes what the recodings before left over, one after another: each publishes the classes that hold, as long as
    // the last one can then publish what is left over, but for rows that may be suppressed. Where the seconds (0: no
    // limit) will not do for all, some are passed over.
    Swept sweep(const std::vector<Scheme>& schemes, double seconds, Pulse& pulse);

    // The classes of all columns are there, but for those lost for certain. What costs more than `most` need not hold.
    Outcome settle(const Partition& classes, const Scheme& scheme, Tab tab,
                   std::int64_t most = std::numeric_limits<std::int64_t>::max());
    // Whether a demand that lasts is broken by one of the classes.
    bool breaks_lasting(const Partition& classes);
    std::int64_t cost_of(const Scheme& scheme, std::int32_t tuple) const;
    std::int64_t cost_of_all_lost() const;
    std::int64_t cost_if_lost(std::int32_t tuple) const { return lost_[static_cast<std::size_t>(tuple)]; }
    std::int64_t cost_of_classes(const Partition& classes, const std::vector<std::uint8_t>& is_gone,
                                 std::int64_t n_suppressed) const;
    // Below it a class is lost whatever else happens. With demands on all classes it must still be counted.
    std::int64_t n_least_kept() const { return terms_.overall.empty() ? terms_.n_least_rows : 0; }

    const Tuples& tuples() const { return tuples_; }
    const Terms& terms() const { return terms_; }
    Objective objective() const { return objective_; }

   private:
    const Histogram& counts(std::size_t demand, const Partition& classes, std::size_t one);
    bool holds(const Partition& classes, std::size_t one);
    bool can_follow(const Partition& rest, const Scheme& last);
    void publish(std::size_t scheme, const Scheme& last, std::vector<std::int32_t>& label_of, Swept& swept);
    bool refine_all(const Scheme& scheme, Tab& tab);
    bool judge(const Partition& classes, bool is_first, std::vector<std::size_t>& broken);
    void judge_overall(const Partition& classes, const Overall& overall, std::size_t counted);
    const Histogram& remembered_counts(std::size_t demand, std::size_t one);
    void remember(const Partition& classes);
    void refer_to_kept(const std::vector<std::size_t>& newly_gone);
    void lose(const Partition& classes, std::size_t one, const Scheme& scheme, Tab& tab) const;

    const Ladders& ladders_;
    const Tuples& tuples_;
    const Terms& terms_;
    Objective objective_;
    std::vector<std::int64_t> lost_;  // per tuple
    Refiner refiner_;
    Partition now_, next_;
    std::vector<Histogram> histograms_;                      // per demand that counts
    // Of demands that refer to the rows that are left: the demand as measured against them, how often each code stands
    // there, and in every class.
    std::vector<std::shared_ptr<const Demand>> referring_;
    std::vector<std::uint8_t> refers_;
    std::vector<std::vector<std::int64_t>> kept_;
    std::vector<Counted> remembered_;
    std::vector<std::uint8_t> is_gone_, is_broken_;          // per class
    std::vector<std::int32_t> n_people_;                     // per class
};

}  // namespace celosia
