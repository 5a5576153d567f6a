#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/models.hpp"
#include "groundswell/cli/report/survey_report.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/quake/case.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/run/read_case.hpp"

namespace groundswell::cli {

namespace {

struct ClustersCommand {
    std::string mesh, case_file, json, surface, scale, step_rule;
    int order = 0, rate = 0;  // 0: as the case has it
    double vp = 6000.0, vs = 3464.0, density = 2700.0, courant = 0.0;
    bool overwrite = false;
};

double scale_of(const std::string& text, int rate) {
    if (text == "auto") return 0.0;
    char* end = nullptr;
    const double scale = std::strtod(text.c_str(), &end);
    base::require(
        end != text.c_str() && *end == '\0' && scale * rate > (rate == 1 ? 0.0 : 1.0) && scale <= 1.0,
        "command line", "--scale", text, "auto, or a number above 1/rate and at most 1");
    return scale;
}

// What the command line says, or the case, or the model where neither does.
struct Question {
    SurveyRequest request;
    quake::MeshSection mesh;
    quake::RockOptions rock;
};

Question question_of(const ClustersCommand& command) {
    base::require(!command.mesh.empty() || !command.case_file.empty(), "command line", "clusters", "",
                  "a mesh file, or --case CASE.toml");
    Question question;
    quake::SolverSection solver;
    solver.scale = 1.0;
    if (!command.case_file.empty()) {
        const auto read = simulation::read_case(command.case_file, {}, models());
        const auto* run = dynamic_cast<const quake::Case*>(read.run.get());
        base::require(run != nullptr, command.case_file, "model", read.kind->name,
                      "quake: only earthquake cases have clusters");
        solver = run->solver;
        question.mesh = run->mesh;
        question.rock = run->rock;
    }
    if (!command.mesh.empty()) question.mesh = {command.mesh, {}};
    SurveyRequest& request = question.request;
    request.mesh = question.mesh.name();
    request.order = command.order > 0 ? command.order : solver.order;
    request.step = solver.step;
    if (!command.step_rule.empty()) {
        request.step.rule =
            command.step_rule == "stable" ? quake::StepRule::stable : quake::StepRule::insphere;
        request.step.courant = quake::usual_courant(request.step.rule);
    }
    if (command.courant > 0.0) request.step.courant = command.courant;
    request.options.rate = command.rate > 0 ? command.rate : solver.rate;
    request.options.most = solver.clusters;
    request.options.scale =
        command.scale.empty() ? solver.scale.value_or(0.0) : scale_of(command.scale, request.options.rate);
    if (request.options.scale * request.options.rate <= 1.0 && request.options.rate > 1)
        request.options.scale = 0.0;
    return question;
}

int run_clusters(const parallel::Environment& environment, const ClustersCommand& command) {
    const MPI_Comm comm = environment.comm();
    const Question question = parallel::agree(comm, [&] {
        simulation::check_json_target(command.json, {command.mesh, command.case_file, command.surface});
        if (!command.surface.empty())
            output::check_target(command.surface, command.overwrite, {command.mesh, command.case_file});
        return question_of(command);
    });
    const SurveyRequest& request = question.request;
    parallel::SparseExchange exchange(comm);
    const tetra::Slab slab = question.mesh.box ? tetra::slab_of(comm, tetra::Box(*question.mesh.box))
                                               : tetra::read_mesh(comm, exchange, question.mesh.file);
    const auto neighbours = tetra::find_neighbours(comm, exchange, slab, request.mesh);
    const quake::Material uniform{command.density,
                                  command.density * (command.vp * command.vp - 2.0 * command.vs * command.vs),
                                  command.density * command.vs * command.vs};
    std::optional<quake::Rock> rock;
    if (!command.case_file.empty()) rock.emplace(comm, question.rock, slab.cell, slab.group);
    const quake::MaterialOf material = [&](const tetra::Tetrahedron& cell, std::int64_t group) {
        return rock ? rock->of(cell, group) : uniform;
    };
    const quake::Survey survey = quake::survey(comm, exchange, slab, neighbours, material, request.order,
                                               request.step, request.options);
    if (!command.surface.empty())
        quake::write_surface(comm, slab, neighbours, survey, command.surface, command.overwrite);
    const nlohmann::json json = simulation::json_report(
        "clusters", comm, 1, environment.rank() == 0 ? to_json(request, survey) : nlohmann::json());
    if (environment.rank() != 0) return 0;
    if (command.json != "-") std::cout << to_text(request, survey) << std::flush;
    if (!command.json.empty()) simulation::write_json(command.json, json);
    return 0;
}

}  // namespace

Action add_clusters(simulation::Command& program) {
    auto options = std::make_shared<ClustersCommand>();
    simulation::Command command = program.add_command(
        "clusters", "show what an earthquake run makes of a mesh: quality, steps, clusters, memory");
    command.footer(
        "Example: groundswell clusters mesh.h5 --order 5 --vp 6000\n"
        "         mpirun -n 4 groundswell clusters --case case.toml --json clusters.json\n"
        "An element may step by a fraction of the diameter of its inscribed sphere over vp (2 order - 1).\n"
        "groundswell mesh info mesh.h5 --png mesh.png also draws the mesh.");
    command
        .option("mesh", options->mesh,
                "mesh of tetrahedra: PUML (HDF5) or Gmsh 4.1; default: that of the case")
        .type_name("MESH");
    command.option("--case", options->case_file, "material, order and clusters of this case")
        .type_name("CASE.toml");
    command.option("--order", options->order, "order of the scheme (default 4)").within(2, 7);
    command
        .option("--step-rule", options->step_rule,
                "longest step: what is stable at this order (default), or that whole fraction, as in SeisSol")
        .one_of({"stable", "insphere"});
    command
        .option("--courant", options->courant,
                "fraction of the longest step (default 0.9, with insphere 0.5)")
        .above_zero();
    command.option("--vp", options->vp, "speed of P waves without a case, m/s").above_zero().shows_default();
    command.option("--vs", options->vs, "speed of S waves without a case, m/s")
        .not_below_zero()
        .shows_default();
    command.option("--density", options->density, "density without a case, kg/m3")
        .above_zero()
        .shows_default();
    command.option("--rate", options->rate, "ratio of the steps of neighbouring clusters (default 2)")
        .within(1, 3);
    command.option(
        "--scale", options->scale,
        "step of the first cluster over the shortest step: auto, or above 1/rate and at most 1 (default 1)");
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
