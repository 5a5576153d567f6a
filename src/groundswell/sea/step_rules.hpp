#pragma once

#include "groundswell/sea/case.hpp"
#include "groundswell/simulation/schedule.hpp"

namespace groundswell::sea {

/// Longest source step chosen by itself: WAM and its offspring use 5 to 15 minutes at these resolutions; the
/// growth limiter's influence falls with the step.
inline constexpr base::Duration longest_automatic_source_step = base::seconds(300);

/// The steps of a case on a mesh whose longest stable propagation step is `longest_step` seconds (may be
/// infinite). A cycle is a source step.
inline simulation::StepRules step_rules(const Case& run, double longest_step) {
    simulation::StepRules rules;
    rules.longest_step = longest_step;
    rules.share = run.courant;
    rules.shortest_step = 1e-4;
    rules.what = "this mesh and spectrum";
    rules.cycle_key = "source_step";
    rules.cycle_name = "source step";
    rules.cycle = run.source_step;
    rules.longest_cycle = longest_automatic_source_step;
    return rules;
}

}  // namespace groundswell::sea
