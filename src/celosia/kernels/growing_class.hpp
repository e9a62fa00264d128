// The class that is being grown, and the steps by which a new member changes the costs of the free rows.
#pragma once

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "steps.hpp"

namespace celosia {

// Stored in place of a missing position: above every position, so that a ramp upwards treats it as the furthest.
inline constexpr std::int32_t unknown_position = greatest_loss + 1;

// What stands in the lanes of the free rows: a missing value is the code after the last, or unknown_position.
inline std::int32_t lane_value(const Column& column, std::int32_t value) {
    if (value != missing) return value;
    return column.kind == Kind::line ? unknown_position : column.n_values;
}

class GrowingClass {
   public:
    explicit GrowingClass(const Columns& columns);

    void clear();

    // Adds a row, given by its value in every column, and appends what this does to the costs.
    void absorb(const std::int32_t* values, std::vector<Step>& steps);
    // Appends what turns costs of zero into the costs for the class as it stands.
    void describe(std::vector<Step>& steps) const;

   private:
    enum class State : std::uint8_t { empty, known, missing, mixed };
    struct Part {
        State state = State::empty;
        std::int32_t lowest = 0, highest = 0;      // tree: lowest is any member, whose ancestors are followed
        std::size_t level = 0;                     // tree: of the lowest common ancestor
        std::vector<std::int32_t> codes;           // bag: the distinct codes of the class
        std::vector<std::uint32_t> class_of_code;  // bag: the last class that held the code
    };

    class Writer;
    void start(const Column& column, Part& part, std::int32_t value, Writer& writer);
    void describe(const Column& column, const Part& part, Writer& writer) const;
    void extend(const Column& column, Part& part, std::int32_t value, Writer& writer);
    void blend(const Column& column, Part& part, Writer& writer);
    bool insert(Part& part, std::int32_t code) const;

    const Columns& columns_;
    std::vector<Part> parts_;
    std::uint32_t n_classes_ = 1;
};

}  // namespace celosia
