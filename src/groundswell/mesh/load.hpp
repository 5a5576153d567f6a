// From a mesh file to every rank's part, in one call.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "groundswell/mesh/culling.hpp"
#include "groundswell/mesh/local_mesh.hpp"
#include "groundswell/mesh/mesh_file.hpp"
#include "groundswell/mesh/partition.hpp"

namespace groundswell::mesh {

struct LoadOptions {
    ReadOptions read;  ///< of a file
    CullOptions cull;
    PartitionMethod method = PartitionMethod::two_level;
    double imbalance = 0.02;  ///< of the partition
    int layers = 1;           ///< rings of halo: 1 for first order, 2 for second
};

/// For the log and the run's report; the same on every rank.
struct LoadReport {
    CullReport cull;
    PartitionReport partition;
    double read_seconds = 0.0;   ///< reading and checking, or making
    double order_seconds = 0.0;  ///< culling and ordering
    double distribute_seconds = 0.0;
};

/// Rank 0 reads the file, culls, orders and cuts it; then every rank gets its part and no rank keeps anything
/// as long as the mesh. Ranks on one host are found by the MPI library (or GROUNDSWELL_TEST_HOSTS). Ids, and
/// all numbers of a cell, do not depend on the ranks. Throws base::Refusal on all ranks if the mesh is not
/// fit for use. Collective.
LocalMesh load_mesh(MPI_Comm comm, const std::string& path, const LoadOptions& options = {},
                    LoadReport* report = nullptr);

/// The same for a mesh that `make` returns; it is called on rank 0 alone. Collective.
LocalMesh load_mesh(MPI_Comm comm, const std::function<GlobalMesh()>& make, const LoadOptions& options = {},
                    LoadReport* report = nullptr);

}  // namespace groundswell::mesh
