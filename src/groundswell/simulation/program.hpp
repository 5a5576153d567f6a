#pragma once

#include <vector>

#include "groundswell/simulation/model.hpp"

namespace groundswell::simulation {

/// The whole of a program that runs models: `int main(int argc, char** argv) { return run_program(argc, argv,
/// {kind}); }`. Its arguments are those of `groundswell run`: a case file, --set, --restart, --check, --explain and
/// so on. A case without the key `model` is one of the first kind. Starts and ends MPI. Returns the exit code:
/// 0 done, 2 refused, 3 failed during the run, 4 our own defect.
int run_program(int argc, char** argv, const std::vector<ModelKind>& kinds);

}  // namespace groundswell::simulation
