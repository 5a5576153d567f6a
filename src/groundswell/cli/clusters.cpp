#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/ground/ground.hpp"
#include "groundswell/cli/models.hpp"
#include "groundswell/cli/report/survey_report.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

struct ClustersCommand {
    GroundOptions ground;
    GivenOptions given;
    std::string json, surface;
    bool overwrite = false;
};

int run_clusters(const parallel::Environment& environment, const ClustersCommand& command) {
    const MPI_Comm comm = environment.comm();
    const GroundRequest request = parallel::agree(comm, [&] {
        const GroundOptions& ground = command.ground;
        simulation::check_json_target(command.json, {ground.mesh, ground.case_file, command.surface});
        if (!command.surface.empty())
            output::check_target(command.surface, command.overwrite, {ground.mesh, ground.case_file});
        base::require(!ground.mesh.empty() || !ground.case_file.empty(), "command line", "clusters", "",
                      "a mesh file, or --case CASE.toml");
        return request_of(ground, models());
    });
    parallel::SparseExchange exchange(comm);
    const Ground ground = read_ground(comm, exchange, request);
    const quake::Survey survey = quake::survey(comm, exchange, ground.slab, ground.neighbours, ground.step,
                                               ground.frequency, request.clusters);
    if (!command.surface.empty())
        quake::write_surface(comm, ground.slab, ground.neighbours, survey, command.surface,
                             command.overwrite);
    const SurveyRequest asked{request.mesh_name(), request.order, request.step, request.clusters,
                              request.rock ? request.rock->mechanisms() : 0};
    const nlohmann::json json = simulation::json_report(
        "clusters", comm, 1, environment.rank() == 0 ? to_json(asked, survey) : nlohmann::json());
    if (environment.rank() != 0) return 0;
    if (command.json != "-") std::cout << to_text(asked, survey) << std::flush;
    if (!command.json.empty()) simulation::write_json(command.json, json);
    return 0;
}

}  // namespace

Action add_clusters(simulation::Command command) {
    auto options = std::make_shared<ClustersCommand>();
    options->ground.usual_scale = 1.0;
    command.footer(
        "Example: groundswell clusters mesh.h5 --order 5 --vp 6000\n"
        "         mpirun -n 4 groundswell clusters --case case.toml --json clusters.json\n"
        "An element may step by a fraction of its width over vp (2 order - 1): --step-rule.\n"
        "groundswell mesh info mesh.h5 --png mesh.png also draws the mesh.");
    command
        .option("mesh", options->ground.mesh,
                "mesh of tetrahedra: PUML (HDF5) or Gmsh (4.1, 2.2); default: that of the case")
        .type_name("MESH");
    add_ground_options(command, options->ground, options->given);
    command
        .option("--surface", options->surface,
                "also write the faces at boundaries and faults, with step and cluster")
        .type_name("FILE.nc");
    command.flag("--overwrite", options->overwrite, "replace the file if it exists");
    simulation::add_json_option(command, options->json);
    return [options] {
        const parallel::Environment environment;
        return parallel::run_to_exit_code(environment.comm(),
                                          [&] { return run_clusters(environment, *options); });
    };
}

}  // namespace groundswell::cli
