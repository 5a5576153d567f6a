#include "groundswell/quake/mesh/options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "groundswell/quake/values/places.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

tetra::Boundary read_boundary(const Section& section, const char* key, const char* usual,
                              std::string_view meaning) {
    using tetra::Boundary;
    return section.choice<Boundary>(
        key, usual, {{"free", Boundary::free}, {"absorbing", Boundary::absorbing}, {"sea", Boundary::sea}},
        {meaning});
}

tetra::BoxOptions read_box(const Section& section) {
    tetra::BoxOptions box;
    const auto cubes = three(section, "cubes",
                             {"cubes along x, y and z, each cut into five tetrahedra; even, and at least 4, "
                              "where periodic"});
    const auto length = three(section, "length", {"length along x, y and z", "m"});
    if (!section.describing()) {
        if (!cubes) section.refuse("cubes", "a list of 3 numbers");
        if (!length) section.refuse("length", "a list of 3 numbers");
        for (int axis = 0; axis < 3; ++axis) {
            const double count = (*cubes)[axis];
            if (!(count >= 1.0 && count <= 1e5 && count == std::floor(count)))
                section.refuse("cubes", "whole numbers from 1 to 100000");
            if (!((*length)[axis] > 0.0)) section.refuse("length", "lengths above 0");
            box.cubes[axis] = static_cast<std::int64_t>(count);
            box.length[axis] = (*length)[axis];
        }
    }
    if (const auto origin = three(section, "origin",
                                  {"the lowest corner; if not given, the middle of the top "
                                   "is at 0",
                                   "m"}))
        box.origin = *origin;
    else
        box.origin = {-0.5 * box.length[0], -0.5 * box.length[1], -box.length[2]};
    for (const std::string& axis :
         section.words("periodic", {}, {"x", "y", "z"}, {"axes along which the box is periodic"}))
        box.periodic[axis[0] - 'x'] = true;
    box.jitter =
        section.number("jitter", 0.0, {0.0, 0.2},
                       {"how far vertices are moved at random, as a fraction of a cube's edge", "1"});
    const tetra::Boundary lateral =
        read_boundary(section, "lateral", "absorbing", "the sides, where not periodic");
    const tetra::Boundary bottom =
        read_boundary(section, "bottom", "absorbing", "the bottom, where not periodic");
    const tetra::Boundary top =
        read_boundary(section, "top", "free", "the top, where not periodic; sea: water under gravity");
    box.boundary = {{{lateral, lateral}, {lateral, lateral}, {bottom, top}}};
    return box;
}

}  // namespace

MeshSection read_mesh(const Section& section) {
    MeshSection mesh;
    const bool has_box = section.has("box"), has_file = section.has("file");
    if (!section.describing() && has_box == has_file)
        section.refuse("", "either the key file or the section [mesh.box]");
    if (has_file || section.describing()) {
        mesh.file = section.path(
            "file", {}, {"mesh of tetrahedra: Gmsh's format 4.1 or 2.2, or PUML (HDF5) as SeisSol reads it"});
        mesh.join =
            section.number("join", 0.0, {0.0, 1e6},
                           {"vertices of the file that lie no farther apart become one; 0: none do", "m"});
    }
    if (has_box || section.describing()) mesh.box = read_box(section.section("box"));
    mesh.unusual = section.boolean("unusual", false,
                                   {"true: a mesh of a size that no earthquake needs is meant; else what is "
                                    "out by a thousand is refused"});
    return mesh;
}

std::optional<tetra::Projection> read_projection(const Section& section) {
    const bool by_words = section.has("proj");
    if (by_words || section.describing()) {
        const std::string words = section.text("proj", "",
                                               {"in place of longitude and latitude: the projection that the "
                                                "mesh is in, as the PROJ library has it "
                                                "(+proj=utm +zone=11 +datum=WGS84) or by its EPSG number "
                                                "(EPSG:32611). UTM and transverse Mercator always "
                                                "work, others where the program was built with PROJ"});
        if (!section.describing()) {
            if (section.has("longitude") || section.has("latitude"))
                section.refuse("proj", "either proj, or longitude and latitude");
            return tetra::Projection::from_words(words, section.place("proj"), "projection.proj");
        }
    }
    if (!section.has("longitude") && !section.has("latitude") && !section.describing()) return std::nullopt;
    const double longitude =
        section.number("longitude", std::nullopt, {-360.0, 360.0},
                       {"longitude of the place at x = 0, y = 0, about which the ground is projected",
                        "degree", "Karney 2011, doi:10.1007/s00190-011-0445-3"});
    const double latitude = section.number(
        "latitude", std::nullopt, {-90.0, 90.0},
        {"latitude of the same place; both are those of the mesh, if it tells them", "degree"});
    return tetra::Projection(longitude, latitude);
}

SolverSection read_solver(const Section& section) {
    SolverSection solver;
    solver.order = section.integer(
        "order", 4, {2, 7}, {"order of the scheme in space and time; its polynomials have one degree less"});
    solver.precision =
        section.choice("precision", "double", {"float", "double"},
                       {"precision of the unknowns: float takes half the memory and is about twice as fast"});
    solver.step.rule = section.choice<StepRule>(
        "step_rule", "stable", {{"stable", StepRule::stable}, {"own", StepRule::own}},
        {"longest step of an element, as a fraction of its width over vp (2 order - 1): what is "
         "stable at this order on any mesh, or, of the diameter of the inscribed sphere, all of "
         "it, as in other programs",
         "", "theory, equation (20); Dumbser, Käser & Toro 2007, section 2.3"});
    solver.step.courant = section.number(
        "courant", usual_courant(solver.step.rule), {0.01, 1.0},
        {"fraction of that step that is used; 0.5 if not given with step_rule = \"own\"", "1"});
    solver.rate = section.integer("cluster_rate", 2, {1, 3},
                                  {"how many times as long the steps of a cluster of elements are as those "
                                   "of the next finer one; 1: one step for all",
                                   "", "Breuer, Heinecke & Bader 2016, doi:10.1109/IPDPS.2016.109"});
    solver.clusters = section.integer("clusters", 64, {1, 64}, {"largest number of clusters"});
    const std::string scale = section.text_or_number(
        "scale", solver.step.rule == StepRule::own ? "1" : "auto",
        {"the finest cluster's step as a fraction of the longest possible one: above "
         "1/cluster_rate, at most 1; \"auto\": whatever makes the run cheapest; 1 if not given with "
         "step_rule = \"own\"",
         "1", "Breuer & Heinecke 2022, IPDPS"});
    if (scale != "auto") {
        char* end = nullptr;
        const double value = std::strtod(scale.c_str(), &end);
        const double least = solver.rate == 1 ? 0.0 : 1.0 / solver.rate;
        if (end == scale.c_str() || *end != '\0' || !(value > least && value <= 1.0))
            section.refuse("scale", fmt::format("\"auto\" or a number above {:.4g} and at most 1", least));
        solver.scale = value;
    }
    return solver;
}

}  // namespace groundswell::quake
