#include "groundswell/quake/mesh/write_puml.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/disk/growing_name.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/row_blocks.hpp"
#include "groundswell/simulation/build_report.hpp"

namespace groundswell::quake {

namespace {

// The corners opposite to the faces as the file counts them.
constexpr std::array<int, 4> opposite{3, 2, 0, 1};

output::Schema schema_of(const tetra::Box& box) {
    using output::Type;
    output::Schema schema;
    schema.dimensions = {
        {"cells", box.cells()}, {"vertices", box.vertices()}, {"corners", 4}, {"coordinates", 3}};
    schema.variables = {{"geometry", Type::float64, {"vertices", "coordinates"}, {{"units", "m"}}},
                        {"connect", Type::int64, {"cells", "corners"}, {}},
                        {"group", Type::int32, {"cells"}, {}},
                        {"boundary", Type::int32, {"cells"}, {}}};
    if (box.is_periodic()) schema.variables.push_back({"identify", Type::int64, {"vertices"}, {}});
    schema.attributes = {{"title", "a box of cubes, each cut into five tetrahedra"},
                         {"boundary-format", "i32"},
                         {"topology-format", box.is_periodic() ? "identify-vertex" : "geometric"},
                         {simulation::build_attribute, simulation::build_text()}};
    return schema;
}

// This rank's block of rows.
output::Decomposition block_of(MPI_Comm comm, std::int64_t rows, std::vector<std::int64_t>& mine) {
    const parallel::RowBlocks blocks(rows, parallel::size_of(comm), parallel::rank_of(comm));
    mine.resize(blocks.mine());
    std::iota(mine.begin(), mine.end(), blocks.begin());
    return {comm, rows, mine};
}

template <class T>
void write(output::File& file, const char* name, const output::Decomposition& rows,
           const std::vector<T>& values) {
    file.write_fixed(output::distributed<T>(name, rows, values));
}

void write_cells(MPI_Comm comm, const tetra::Box& box, output::File& file) {
    std::vector<std::int64_t> mine;
    const auto rows = block_of(comm, box.cells(), mine);
    std::vector<std::int64_t> connect;
    std::vector<std::int32_t> boundary;
    for (const std::int64_t row : mine) {
        const tetra::Tetrahedron cell = box.unfolded_cell(row);
        std::array<int, 4> order{0, 1, 2, 3};
        if (tetra::is_inverted(cell)) std::swap(order[2], order[3]);
        std::int32_t tags = 0;
        for (int i = 0; i < 4; ++i) {
            connect.push_back(cell.vertex[order[i]]);
            // Face f of a cell lies opposite to corner 3 - f.
            tags |= tetra::tag_of(cell.boundary[3 - order[opposite[i]]]) << (8 * i);
        }
        boundary.push_back(tags);
    }
    write(file, "connect", rows, connect);
    write(file, "boundary", rows, boundary);
    write(file, "group", rows, std::vector<std::int32_t>(mine.size(), 0));
}

void write_vertices(MPI_Comm comm, const tetra::Box& box, output::File& file) {
    std::vector<std::int64_t> mine, identify;
    const auto rows = block_of(comm, box.vertices(), mine);
    std::vector<double> geometry;
    for (const std::int64_t row : mine) {
        const tetra::Box::Vertex vertex = box.vertex(row);
        geometry.insert(geometry.end(), vertex.place.begin(), vertex.place.end());
        identify.push_back(vertex.number);
    }
    write(file, "geometry", rows, geometry);
    if (box.is_periodic()) write(file, "identify", rows, identify);
}

}  // namespace

void write_puml(MPI_Comm comm, const tetra::Box& box, const std::string& path, bool overwrite) {
    // It gets its name when it is whole.
    const std::string file_path = parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) == 0) output::check_target(path, overwrite);
        return output::without_links(path);
    });
    const std::string part = file_path + ".part";
    output::GrowingFile growing(part);
    output::FileOptions options;
    options.overwrite = true;
    options.storage.format = output::Format::netcdf4;
    output::File file = output::File::create(comm, part, schema_of(box), options);
    write_vertices(comm, box, file);
    write_cells(comm, box, file);
    file.close();
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) == 0) growing.finish(file_path);
    });
}

}  // namespace groundswell::quake
