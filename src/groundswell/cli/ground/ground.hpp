#pragma once

#include <mpi.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/mesh/steps.hpp"
#include "groundswell/quake/rock/options.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/run/command_line.hpp"

/// Meshes of tetrahedra as commands take them: by a file, or by a case of the earthquake model.
namespace groundswell::cli {

/// Options of the command line; 0 and empty: as the case has it.
struct GroundOptions {
    std::string mesh, case_file, precision, scale, step_rule;
    std::vector<std::string> settings;  ///< KEY=VALUE in place of what the case says
    int order = 0, rate = 0;
    double vp = 6000.0, vs = 3464.0, density = 2700.0, courant = 0.0;
    std::optional<double> usual_scale;  ///< without a case; empty: the best
};

/// Options that are for meshes of one kind alone: those of them that the command line has.
class GivenOptions {
public:
    /// Takes note of an option that stands in the line.
    simulation::Option watch(simulation::Option option, const std::string& name);
    /// Refuses the first one. `cure`: what stands in their place.
    void refuse(const std::string& cure) const;

private:
    std::shared_ptr<std::vector<std::pair<std::string, std::string>>> given_ =
        std::make_shared<std::vector<std::pair<std::string, std::string>>>();
};

/// All but the mesh and the precision.
void add_ground_options(simulation::Command& command, GroundOptions& options, GivenOptions& given);
void add_precision_option(simulation::Command& command, GroundOptions& options, GivenOptions& given);

/// Value by the command line, or the case, or the model where neither states one.
struct GroundRequest {
    std::string file;                      ///< of the mesh
    double join = 0.0;                     ///< of vertices, m
    std::optional<tetra::BoxOptions> box;  ///< in its place
    std::optional<quake::RockOptions> rock;
    quake::Material uniform;  ///< without rock
    int order = 4;
    std::string precision;
    double fault_face_cost = 0.0;  ///< in updates of a cell
    quake::StepLimit step;
    quake::ClusterOptions clusters;  ///< scale 0: the best
    double longest_step = std::numeric_limits<double>::infinity();

    std::string mesh_name() const { return box ? "mesh.box" : file; }  ///< for people
};

/// `kinds`: the models of the program. base::Refusal for what makes no sense. Not collective.
GroundRequest request_of(const GroundOptions& options, const std::vector<simulation::ModelKind>& kinds);

/// A rank's block of the mesh, and what waves need to know of it.
struct Ground {
    tetra::Slab slab;
    std::vector<std::array<tetra::Across, 4>> neighbours;
    std::vector<quake::Material> material;
    std::vector<double> step;       ///< longest of each cell, s
    std::vector<double> frequency;  ///< highest that each cell carries, Hz
};

/// Collective.
Ground read_ground(MPI_Comm comm, parallel::SparseExchange& exchange, const GroundRequest& request);

}  // namespace groundswell::cli
