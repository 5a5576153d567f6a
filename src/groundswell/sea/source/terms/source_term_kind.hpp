#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

/// Source terms, each in a file of this folder: NAME.cpp defines a function `SourceTermKind NAME()` in this namespace, and the
/// build lists all of them (groundswell_list in cmake/GroundswellModules.cmake).
namespace groundswell::sea::terms {

struct SourceTermKind {
    std::string_view name;  ///< in the case file
    std::unique_ptr<SourceTerm> (*make)(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    bool meets_air;                         ///< is a WindTerm
    std::vector<Coefficient> coefficients;  ///< that it reads, but for those of every term
    /// In lists of names and of coefficients. Terms of one place, but for `usual_place`, stand for one process: a run has one.
    int place;
};

inline constexpr int usual_place = 100;

/// All that there are, by their places. Made once.
const std::vector<SourceTermKind>& by_place();

/// `coefficients`: of the term itself, and of each formula that it uses.
template <class Term>
SourceTermKind describe(std::string_view name,
                        std::initializer_list<std::span<const Coefficient>> coefficients,
                        int place = usual_place) {
    std::vector<Coefficient> all;
    for (const std::span<const Coefficient> some : coefficients)
        all.insert(all.end(), some.begin(), some.end());
    return {name,
            [](std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
                -> std::unique_ptr<SourceTerm> { return std::make_unique<Term>(std::move(grid), options); },
            std::is_base_of_v<WindTerm, Term>, std::move(all), place};
}

}  // namespace groundswell::sea::terms
