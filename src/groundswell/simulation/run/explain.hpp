#pragma once

#include <mpi.h>

#include <string>

#include "groundswell/simulation/run/read_case.hpp"

namespace groundswell::simulation {

/// `run --explain`: every parameter with value, unit, default and source, for people on standard output, and as
/// JSON where `json` names a file ("-": alone on standard output). Collective over `comm`.
void explain_case(MPI_Comm comm, const ReadCase& read, const std::string& json);

}  // namespace groundswell::simulation
