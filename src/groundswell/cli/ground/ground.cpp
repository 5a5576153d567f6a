#include "groundswell/cli/ground/ground.hpp"

#include <algorithm>
#include <cstdlib>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/quake/case.hpp"
#include "groundswell/quake/mesh/resolution.hpp"
#include "groundswell/quake/rock/rock.hpp"
#include "groundswell/simulation/run/read_case.hpp"

namespace groundswell::cli {

namespace {

double scale_of(const std::string& text, int rate) {
    if (text == "auto") return 0.0;
    char* end = nullptr;
    const double scale = std::strtod(text.c_str(), &end);
    base::require(
        end != text.c_str() && *end == '\0' && scale * rate > (rate == 1 ? 0.0 : 1.0) && scale <= 1.0,
        "command line", "--scale", text, "auto, or a number above 1/rate and at most 1");
    return scale;
}

}  // namespace

simulation::Option GivenOptions::watch(simulation::Option option, const std::string& name) {
    return option.replace([given = given_, name](const std::string& value) {
        given->emplace_back(name, value);
        return value;
    });
}

void GivenOptions::refuse(const std::string& cure) const {
    if (!given_->empty()) base::refuse("command line", given_->front().first, given_->front().second, cure);
}

void add_ground_options(simulation::Command& command, GroundOptions& options, GivenOptions& given) {
    const auto add = [&](const char* name, auto& target, const std::string& help) {
        return given.watch(command.option(name, target, help), name);
    };
    add("--case", options.case_file, "mesh, material, order and clusters of this case")
        .type_name("CASE.toml");
    add("--set", options.settings, "use this value of a key in place of the case file's; may be repeated")
        .type_name("KEY=VALUE")
        .one_at_a_time();
    add("--order", options.order, "order of the scheme (default 4)").within(2, 7);
    add("--step-rule", options.step_rule,
        "longest step: what is stable at this order (default), or the diameter of the inscribed sphere over "
        "vp (2 order - 1), as in SeisSol")
        .one_of({"stable", "own"});
    add("--courant", options.courant, "fraction of the longest step (default 0.95, with own 0.5)")
        .above_zero();
    add("--vp", options.vp, "speed of P waves without a case, m/s").above_zero().shows_default();
    add("--vs", options.vs, "speed of S waves without a case, m/s").not_below_zero().shows_default();
    add("--density", options.density, "density without a case, kg/m3").above_zero().shows_default();
    add("--rate", options.rate, "ratio of the steps of neighbouring clusters (default 2)").within(1, 3);
    add("--scale", options.scale,
        std::string("step of the first cluster over the shortest step: auto, or above 1/rate and at most 1 "
                    "(default ") +
            (options.usual_scale ? "1)" : "auto)"));
}

void add_precision_option(simulation::Command& command, GroundOptions& options, GivenOptions& given) {
    given
        .watch(command.option("--precision", options.precision, "float or double (default double)"),
               "--precision")
        .one_of({"float", "double"});
}

GroundRequest request_of(const GroundOptions& options, const std::vector<simulation::ModelKind>& kinds) {
    GroundRequest request;
    quake::SolverSection solver;
    solver.scale = options.usual_scale;
    if (!options.case_file.empty()) {
        const auto read = simulation::read_case(options.case_file, {options.settings, ""}, kinds);
        const auto* run = dynamic_cast<const quake::Case*>(read.run.get());
        base::require(run != nullptr, options.case_file, "model", read.kind->name,
                      "quake: only earthquake cases have clusters");
        solver = run->solver;
        request.file = run->mesh.file;
        request.box = run->mesh.box;
        request.join = run->mesh.join;
        request.rock = run->rock;
        if (run->fault) request.fault_face_cost = quake::find_law(run->fault->law)->cost;
        if (run->time.step) request.longest_step = run->time.step->seconds();
        if (run->rock.attenuation)
            request.longest_step = std::min(request.longest_step, run->rock.attenuation->longest_step());
    }
    if (!options.mesh.empty()) {
        request.file = options.mesh;
        request.box.reset();
    }
    const double mu = options.density * options.vs * options.vs;
    request.uniform = {options.density, options.density * options.vp * options.vp - 2.0 * mu, mu};
    request.order = options.order > 0 ? options.order : solver.order;
    request.precision = options.precision.empty() ? solver.precision : options.precision;
    request.step = solver.step;
    if (!options.step_rule.empty()) {
        request.step.rule = options.step_rule == "stable" ? quake::StepRule::stable : quake::StepRule::own;
        request.step.courant = quake::usual_courant(request.step.rule);
    }
    if (options.courant > 0.0) request.step.courant = options.courant;
    quake::ClusterOptions& clusters = request.clusters;
    clusters.rate = options.rate > 0 ? options.rate : solver.rate;
    clusters.most = solver.clusters;
    clusters.scale =
        options.scale.empty() ? solver.scale.value_or(0.0) : scale_of(options.scale, clusters.rate);
    if (clusters.scale * clusters.rate <= 1.0 && clusters.rate > 1) clusters.scale = 0.0;
    return request;
}

Ground read_ground(MPI_Comm comm, parallel::SparseExchange& exchange, const GroundRequest& request) {
    Ground ground;
    ground.slab = request.box
                      ? parallel::agree(comm, [&] { return tetra::slab_of(comm, tetra::Box(*request.box)); })
                      : tetra::read_mesh(comm, exchange, request.file, request.join);
    ground.neighbours = tetra::find_neighbours(comm, exchange, ground.slab, request.mesh_name());
    ground.material = request.rock
                          ? quake::materials_of(comm, *request.rock, ground.slab.cell, ground.slab.group)
                          : std::vector<quake::Material>(ground.slab.cell.size(), request.uniform);
    ground.step = quake::longest_steps(exchange, ground.slab, ground.neighbours, ground.material,
                                       request.order, request.step, request.longest_step);
    for (std::size_t c = 0; c < ground.material.size(); ++c)
        ground.frequency.push_back(
            quake::highest_frequency(ground.slab.cell[c].place, ground.material[c], request.order));
    return ground;
}

}  // namespace groundswell::cli
