#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/simulation/schedule.hpp"
#include "groundswell/simulation/streams/output_streams.hpp"

namespace groundswell::simulation {

/// Figures that the output library does not know itself.
struct OutputContext {
    double phase_seconds =
        0.0;  ///< of the phase `output` of this rank, which blocked, finish and preparing make up
    double blocked_before = 0.0;  ///< s that output calls took of the set-up
    std::string folder;           ///< in which the files are
};

/// The part `output` of run.json. Collective.
nlohmann::json output_json(MPI_Comm comm, const Schedule& schedule, const OutputStreams& outputs,
                           const OutputContext& about);

}  // namespace groundswell::simulation
