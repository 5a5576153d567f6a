#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <string_view>

#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/sea/case.hpp"

/// Seas whose kernels are timed where no case says which.
namespace groundswell::cli {

struct SeaVariant {
    int directions, frequencies;
    sea::PropagationScheme scheme;
};

std::string_view name_of(sea::PropagationScheme scheme);

/// The case of a globe that is not in a file, or of a mesh.
std::shared_ptr<const sea::Case> usual_case(const SeaVariant& variant, const std::string& mesh);

/// The mesh of a case, or without one a globe of so many cells of the sea. Collective.
voronoi::LoadedMesh load_sea(MPI_Comm comm, const sea::Case& run, int cells);

}  // namespace groundswell::cli
