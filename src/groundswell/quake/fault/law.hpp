#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Friction laws as the case file knows them: names, and the numbers that each asks for at a place of the fault.
namespace groundswell::quake {

/// A number of a friction law, given at each place of a fault.
struct LawParameter {
    std::string_view name;        ///< key of the case file
    std::string_view meaning;     ///< one line
    std::string_view unit;        ///< "1" if it has none
    std::optional<double> usual;  ///< where nobody says it; none: must be said
    double least, most;           ///< allowed
};

/// One law: its name, the source of its formulas, what it asks for at each place and for the whole fault.
struct LawDescription {
    std::string_view name;
    std::string_view meaning;
    std::string_view source;
    std::vector<LawParameter> at_places;  ///< in the order that the law's kernel reads them
    std::vector<LawParameter> of_fault;   ///< one number for the whole fault, in [fault]
    /// What a face costs, in updates of an element: about what `groundswell proxy --model quake` finds at order 4. Ranks share
    /// out the work by it.
    double cost;
    std::string_view state_unit = "";  ///< of its state variable; "": it has none
    /// Which of the law's own states is the strength, where that is not what pressure and friction of now make; -1: none.
    int delayed_strength = -1;
};

/// All that can be chosen, one line of registration each.
std::span<const LawDescription> friction_laws();
/// The law of this name; none if there is no such law.
const LawDescription* find_law(std::string_view name);

}  // namespace groundswell::quake
