#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/mesh/tetra/fault_sides.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/quake/mesh/plausibility.hpp"
#include "groundswell/quake/mesh/resolution.hpp"
#include "groundswell/quake/mesh/steps.hpp"

namespace groundswell::quake {

/// One rank's part of the ground: its cells, what they are made of, and how they step.
struct Domain {
    tetra::LocalMesh mesh;
    std::vector<Material> material;  ///< [mesh.total]
    Clusters clusters;               ///< without `of`
    /// Factor by which a simulated second takes fewer updates than with the shortest step for all: if each cell had the
    /// step that it may take, and with the clusters there are.
    double gain_of_own_steps = 1.0, gain_of_clusters = 1.0;
    Extreme shortest;         ///< step that a cell may take, s
    parallel::ReadCost cost;  ///< of reading the mesh and dealing it out, to this rank
    Extreme coarsest;         ///< cell: the lowest of the highest frequencies that cells carry, Hz
    Interfaces interfaces;
    GroundRanges ranges;
    std::optional<tetra::Projection> projection;  ///< of the case
    double gravity = 0.0;                         ///< m s⁻², at sea surfaces
    bool has_sea = false;                         ///< on any rank

    /// Behind a message about a place so far outside, m: see quake::explain_distance().
    std::string explain_distance(double metres) const {
        return quake::explain_distance(ranges, projection, metres);
    }
    /// Length of the shortest waves that all cells carry, m.
    double shortest_wave() const { return ranges.slowest / coarsest.value; }

    /// Tells people. `longest`: step that any cell takes, s. Not collective.
    void announce(double longest) const;
    /// `elements`, `smallest_step_…`, `resolution`, `local_time_stepping` and the ranges. Not collective.
    void add_to(simulation::Report& report) const;
};

/// Ground of a case.
struct GroundOptions {
    const MeshSection& mesh;
    const std::optional<tetra::Projection>& projection;
    const RockOptions& rock;
    const SolverSection& solver;
    std::optional<base::Duration> longest_step;  ///< of any element
    const tetra::PlusSide* plus_side;            ///< of faults that may break; null: none may
    double fault_face_cost;                      ///< LawDescription::cost; 0: none may break
};

/// Reads or makes the mesh of a case, gives each cell its material, and deals the cells out by what they cost. base::Refusal
/// on all ranks for what is not sound. Collective.
Domain make_domain(MPI_Comm comm, const GroundOptions& options);

}  // namespace groundswell::quake
