#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/ground/ground.hpp"
#include "groundswell/cli/report/bytes_text.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/quake/mesh/resolution.hpp"
#include "groundswell/quake/survey/survey.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

using nlohmann::json;
using quake::Survey;

constexpr int lowest_order = 2, highest_order = 7;

json to_json(const quake::Extreme& extreme) {
    return {{"value", extreme.value}, {"cell", extreme.cell}, {"place", extreme.centre}};
}

json to_json(const quake::Histogram& histogram) {
    return {{"edges", histogram.edges}, {"cells", histogram.cells}};
}

// Bytes of a cell, and of the whole mesh with what clusters add.
template <class Real>
json memory_json(int order, const Survey& survey, const GroundRequest& request) {
    const quake::Memory memory =
        quake::memory_of<Real>(order, survey.clusters.rate, request.rock ? request.rock->mechanisms() : 0);
    const double cells = memory.cell * static_cast<double>(survey.cells);
    const double clusters = memory.uneven_face * static_cast<double>(survey.clusters.uneven_sides);
    return {{"cell", memory.cell}, {"all", cells + clusters}, {"of_clusters", clusters}};
}

json quality_json(const Survey& survey) {
    json percentiles;
    for (const int percent : {1, 5, 25, 50, 75, 95})
        percentiles[std::to_string(percent)] = survey.quality.percentile(0.01 * percent);
    return {{"worst", to_json(survey.worst)},
            {"percentiles", percentiles},
            {"histogram", to_json(survey.quality)}};
}

std::string place_text(const tetra::Point& place) {
    return fmt::format("{:.1f} {:.1f} {:.1f}", place[0], place[1], place[2]);
}

void add(std::string& text, const std::string& name, const std::string& value) {
    text += fmt::format("{:<28}{}\n", name, value);
}

json to_json(const GroundRequest& request, const Survey& survey) {
    json groups = json::array(), memory = json::array();
    for (const auto& [group, cells] : survey.groups) groups.push_back({{"group", group}, {"cells", cells}});
    for (int order = lowest_order; order <= highest_order; ++order)
        memory.push_back({{"order", order},
                          {"float", memory_json<float>(order, survey, request)},
                          {"double", memory_json<double>(order, survey, request)}});
    return {
        {"mesh", request.mesh_name()},
        {"order", request.order},
        {"step_rule", request.step.rule == quake::StepRule::stable ? "stable" : "own"},
        {"courant", request.step.courant},
        {"cells", survey.cells},
        {"vertices", survey.vertices},
        {"extent", {{"low", survey.low}, {"high", survey.high}}},
        {"groups", groups},
        {"faces", {{"free", survey.free}, {"absorbing", survey.absorbing}, {"fault", survey.fault}}},
        {"quality", quality_json(survey)},
        {"edges", {{"min", survey.shortest_edge}, {"mean", survey.mean_edge}, {"max", survey.longest_edge}}},
        {"steps",
         {{"shortest", to_json(survey.shortest)},
          {"longest", to_json(survey.longest)},
          {"histogram", to_json(survey.steps)}}},
        {"resolution",
         {{"coarsest", to_json(survey.coarsest)},
          {"edges_per_wavelength", quake::edges_per_wavelength(request.order)}}},
        {"clusters",
         {{"rate", survey.clusters.rate},
          {"scale", survey.scale},
          {"best_scale", survey.best_scale},
          {"step", survey.clusters.step},
          {"before", survey.clusters.before},
          {"cells", survey.clusters.cells},
          {"uneven_faces", survey.clusters.uneven_sides}}},
        {"gain",
         {{"own_steps", survey.gain_of_own_steps},
          {"clusters", survey.gain_of_clusters},
          {"best_scale", survey.gain_of_best_scale}}},
        {"memory_bytes", memory}};
}

// A table for people.
std::string to_text(const GroundRequest& request, const Survey& survey) {
    std::string text;
    add(text, "cells", fmt::format("{}, {} vertices", survey.cells, survey.vertices));
    add(text, "from, m", place_text(survey.low));
    add(text, "to, m", place_text(survey.high));
    std::string groups;
    for (const auto& [group, cells] : survey.groups) {
        if (groups.size() > 200) {
            groups += fmt::format(", … {} groups in all", survey.groups.size());
            break;
        }
        groups += fmt::format("{}{}: {}", groups.empty() ? "" : ", ", group, cells);
    }
    add(text, "cells of groups", groups);
    add(text, "faces",
        fmt::format("{} at the free surface, {} absorbing, {} of faults", survey.free, survey.absorbing,
                    survey.fault));
    add(text, "edges, m",
        fmt::format("{:.4g} to {:.4g}, mean {:.4g}", survey.shortest_edge, survey.longest_edge,
                    survey.mean_edge));
    add(text, "quality (1: regular)",
        fmt::format("median {:.2f}, 1 % below {:.2f}, worst {:.3g}", survey.quality.percentile(0.5),
                    survey.quality.percentile(0.01), survey.worst.value));
    add(text, "  worst cell", fmt::format("{} at {}", survey.worst.cell, place_text(survey.worst.centre)));
    add(text, fmt::format("steps at order {}, s", request.order),
        fmt::format("{:.4g} to {:.4g}", survey.shortest.value, survey.longest.value));
    add(text, "  shortest in cell",
        fmt::format("{} at {}", survey.shortest.cell, place_text(survey.shortest.centre)));
    add(text, fmt::format("waves at order {}, Hz", request.order),
        fmt::format("up to {:.4g}: their length is {:.2f} times the longest edge of a cell",
                    survey.coarsest.value, quake::edges_per_wavelength(request.order)));
    add(text, "  coarsest in cell",
        fmt::format("{} at {}", survey.coarsest.cell, place_text(survey.coarsest.centre)));
    const auto& clusters = survey.clusters;
    add(text, fmt::format("clusters of rate {}", clusters.rate),
        fmt::format("{} cells; {} before the rule for neighbours", fmt::join(clusters.cells, " "),
                    fmt::join(clusters.before, " ")));
    add(text, "  step of the first, s",
        fmt::format("{:.4g} (scale {:.2f}; the best is {:.2f})", clusters.step, survey.scale,
                    survey.best_scale));
    add(text, "gain over one step for all",
        fmt::format("{:.3f} with these clusters, {:.3f} with the best scale, {:.3f} if each cell had its own",
                    survey.gain_of_clusters, survey.gain_of_best_scale, survey.gain_of_own_steps));
    text += fmt::format("\n{:<7}{:>15}{:>15}{:>15}{:>15}\n", "order", "float, a cell", "all cells",
                        "double, a cell", "all cells");
    for (int order = lowest_order; order <= highest_order; ++order) {
        const json single = memory_json<float>(order, survey, request),
                   twice = memory_json<double>(order, survey, request);
        text += fmt::format("{:<7}{:>15}{:>15}{:>15}{:>15}\n", order,
                            bytes_text(single["cell"].get<double>()), bytes_text(single["all"].get<double>()),
                            bytes_text(twice["cell"].get<double>()), bytes_text(twice["all"].get<double>()));
    }
    return text;
}

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
    const json report = simulation::json_report("clusters", comm, 1,
                                                environment.rank() == 0 ? to_json(request, survey) : json());
    if (environment.rank() != 0) return 0;
    if (command.json != "-") std::cout << to_text(request, survey) << std::flush;
    if (!command.json.empty()) simulation::write_json(command.json, report);
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
    return together([options](const auto& environment) { return run_clusters(environment, *options); });
}

}  // namespace groundswell::cli
