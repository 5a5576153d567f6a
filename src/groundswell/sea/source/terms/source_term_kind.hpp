#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

/// Source terms, each in a file of this folder: NAME.cpp defines a function `SourceTermKind NAME()` in this namespace, and the
/// build lists all of them (groundswell_list in cmake/GroundswellModules.cmake).
namespace groundswell::sea::terms {

struct SourceTermKind {
    std::string_view name;  ///< in the case file
    std::unique_ptr<SourceTerm> (*make)(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    int place = 100;  ///< in lists of names
};

template <class Term>
std::unique_ptr<SourceTerm> make(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options) {
    return std::make_unique<Term>(std::move(grid), options);
}

}  // namespace groundswell::sea::terms
