#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

/// The source terms as their formulas read, in double precision and bin by bin, and the integration of their sum: what the
/// fast forms are held against. Sources of the formulas stand at the fast forms.
namespace groundswell::sea {

/// Contribution of a term.
struct PlainSum {
    std::vector<double> source;  ///< [f·directions + θ] S, m² rad⁻¹
    std::vector<double> decay;   ///< [f] s⁻¹
};

/// Contribution of the term `name` in a cell of which the wind input has found friction velocity, roughness and cutoff, which are taken
/// from there. None for a term that has no plain form.
std::optional<PlainSum> plain_term(std::string_view name, const LaneGrid& grid, const PhysicsOptions& options,
                                   const SeaCell& sea);

/// The spectrum [f·directions + θ] (m² s rad⁻¹) at the end of the step, up to the cutoff; beyond it 0. `sum`, `sea`: of the whole
/// package.
std::vector<double> plain_step(const LaneGrid& grid, const PhysicsOptions& options, const SeaCell& sea,
                               const SourceSum& sum);

}  // namespace groundswell::sea
