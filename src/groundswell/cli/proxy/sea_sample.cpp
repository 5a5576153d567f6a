#include "groundswell/cli/proxy/sea_sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"
#include "groundswell/sea/mesh/load_mesh.hpp"

namespace groundswell::cli {

namespace {

// Sea and land: three continents that begin with a shelf, the rest as deep as an ocean, with rises and valleys.
double depth_of_globe(double lon, double lat) {
    const double land = std::sin(1.5 * lon + 0.4) * std::cos(lat) + 0.25 * std::sin(5.0 * lon + 3.0 * lat);
    const double slope = 12e3 * (0.75 - land);
    return std::min(slope, 4000.0 + 800.0 * std::sin(9.0 * lon) * std::sin(7.0 * lat));
}
constexpr double sea_share = 0.86;  // of the cells of that globe

// So many cells of the sea. They are of the size that a run's cells have, with as many of them near a pole: of a globe whose
// cells are 120 km apart those nearest to a place off a coast, and above that a whole one with finer cells.
voronoi::GlobalMesh part_of_globe(int cells) {
    constexpr int usual = 64;
    const int k = std::max(usual, static_cast<int>(std::ceil(std::sqrt(cells / (10.0 * sea_share)))));
    voronoi::GlobalMesh mesh = voronoi::icosahedral(k, depth_of_globe);
    const voronoi::Vector3 centre = voronoi::point_at(40.0 * base::degree, 38.0 * base::degree);
    std::vector<std::pair<double, std::int32_t>> wet;
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        if (mesh.depth[c] > 0.0)
            wet.emplace_back(voronoi::arc(centre, voronoi::point_at(mesh.lon[c], mesh.lat[c])), c);
    }
    std::ranges::sort(wet);
    for (std::size_t i = static_cast<std::size_t>(cells); i < wet.size(); ++i)
        mesh.depth[wet[i].second] = 0.0;
    return mesh;
}

}  // namespace

std::string_view name_of(sea::PropagationScheme scheme) {
    return scheme == sea::PropagationScheme::upwind ? "upwind" : "second-order";
}

std::shared_ptr<const sea::Case> usual_case(const SeaVariant& variant, const std::string& mesh) {
    auto run = std::make_shared<sea::Case>();
    run->model = "sea";
    run->file = "groundswell proxy";
    run->time.start = *base::parse_instant("2024-01-01T00:00:00Z");
    run->time.end = *base::parse_instant("2024-12-01T00:00:00Z");
    run->mesh.file = mesh;
    run->spectrum = {variant.directions, variant.frequencies, 0.04177, 1.1};
    run->forcing = {{&sea::wind_kind(), {std::make_shared<sea::UniformEntry>(std::vector{10.0, 6.0})}}};
    run->initial.fetch = 200e3;
    run->propagation.scheme = variant.scheme;
    run->courant = 0.9;
    run->threads = exec::threads();
    return run;
}

voronoi::LoadedMesh load_sea(MPI_Comm comm, const sea::Case& run, int cells) {
    if (!run.mesh.file.empty()) return sea::load_mesh(comm, run);
    return voronoi::load_mesh(
        comm, [&] { return part_of_globe(cells); }, sea::load_options(run));
}

}  // namespace groundswell::cli
