#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <string>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/quake/plasticity/plasticity.hpp"
#include "groundswell/quake/values/by_depth.hpp"

namespace groundswell::quake {

/// The section [plasticity] of a case: rock that yields.
struct PlasticityOptions {
    std::optional<ValueByDepth> cohesion, friction;  ///< Pa; the tangent of the angle of internal friction
    double relaxation_time = 0.0;                    ///< s
    bool by_element = false;                         ///< see PlasticityInput
    /// Initial stress xx yy zz xy yz xz, Pa; that of the fault where the case says none.
    std::array<std::optional<ValueByDepth>, 6> stress;
    std::string grid;       ///< NetCDF file of any of these numbers; empty: none
    std::string stated_at;  ///< in the case, FILE:LINE

    /// Whether it is not the fault's; with a grid it is not, and components that nobody states are 0.
    bool has_stress() const;
};

/// The section [plasticity], if the case has one. `has_fault`: whose stress may stand for that of the rock.
std::optional<PlasticityOptions> read_plasticity(const simulation::Section& section, bool has_fault);

/// Plastic rock of a case, for its kernels. `fault`: whose stress it is under where the options have none;
/// both outlive what is returned. base::Refusal on all ranks for a grid that cannot be read. Collective.
PlasticityInput plasticity_input(MPI_Comm comm, const PlasticityOptions& options, const FaultOptions* fault,
                                 const tetra::LocalMesh& mesh);

}  // namespace groundswell::quake
