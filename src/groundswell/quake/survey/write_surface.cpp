#include <numeric>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/survey/survey.hpp"
#include "groundswell/simulation/build_report.hpp"

namespace groundswell::quake {

void write_surface(MPI_Comm comm, const tetra::Slab& slab,
                   std::span<const std::array<tetra::Across, 4>> neighbours, const Survey& survey,
                   const std::string& path, bool overwrite) {
    std::vector<double> place, step, quality;
    std::vector<std::int32_t> boundary, cluster;
    std::vector<std::int64_t> group;
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        const tetra::Tetrahedron& cell = slab.cell[c];
        for (int f = 0; f < 4; ++f) {
            const std::int64_t across = neighbours[c][f].cell;
            const bool is_mine = across < slab.blocks.begin() + static_cast<std::int64_t>(c);
            if (cell.boundary[f] == tetra::Boundary::none || !is_mine)
                continue;  // of a fault's two sides one
            for (const int corner : tetra::face_corners[f])
                place.insert(place.end(), cell.place[corner].begin(), cell.place[corner].end());
            boundary.push_back(tetra::tag_of(cell.boundary[f]));
            cluster.push_back(survey.clusters.of[c]);
            group.push_back(slab.group[c]);
            step.push_back(survey.step[c]);
            quality.push_back(tetra::radius_ratio(cell.place));
        }
    }
    const auto mine = static_cast<std::int64_t>(boundary.size());
    std::vector<std::int64_t> rows(boundary.size());
    std::iota(rows.begin(), rows.end(), parallel::sum_before(comm, mine));
    const output::Decomposition decomposition(comm, parallel::sum(comm, mine), rows);

    using output::Type;
    output::Schema schema;
    schema.dimensions = {{"face", decomposition.rows()}, {"corner", 3}, {"axis", 3}};
    schema.variables = {
        {"place", Type::float64, {"face", "corner", "axis"}, {{"units", "m"}}},
        {"boundary",
         Type::int32,
         {"face"},
         {{"comment", "1: free, 2: sea, 5: absorbing, 3 or above 64: a fault"}}},
        {"cluster", Type::int32, {"face"}, {{"long_name", "cluster of the cell behind the face"}}},
        {"group", Type::int64, {"face"}, {{"long_name", "group of that cell"}}},
        {"step", Type::float64, {"face"}, {{"units", "s"}, {"long_name", "longest step of that cell"}}},
        {"quality",
         Type::float64,
         {"face"},
         {{"long_name", "three times the inscribed over the circumscribed radius of that cell"}}}};
    schema.attributes = {{"title", "boundaries and faults of a mesh of tetrahedra"},
                         {simulation::build_attribute, simulation::build_text()}};
    output::FileOptions options;
    options.overwrite = overwrite;
    output::File file = output::File::create(comm, path, schema, options);
    const auto write = [&]<class T>(const char* name, const std::vector<T>& values) {
        file.write_fixed(output::distributed<T>(name, decomposition, values));
    };
    write("place", place);
    write("boundary", boundary);
    write("cluster", cluster);
    write("group", group);
    write("step", step);
    write("quality", quality);
    file.close();
}

}  // namespace groundswell::quake
