#pragma once

#include <string>
#include <vector>

#include "groundswell/lab/simulation.h"
#include "groundswell/output/file.hpp"
#include "groundswell/simulation/state.hpp"

namespace groundswell::lab {

/// A variable of this rank, and the texts that it points to.
struct Described {
    std::string name, units, long_name, standard_name, dimensions, distributed;
    gs_variable value{};  ///< without the texts

    /// With the texts where they are now.
    gs_variable view() const;
};

/// All variables of a state.
std::vector<Described> describe(const simulation::State& state);
/// Those of a record of a file; without what another rank alone has.
std::vector<Described> describe(const output::Schema& schema, const std::vector<output::Values>& record);

}  // namespace groundswell::lab
