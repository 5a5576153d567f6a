#include <fstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/formats/mesh_format.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace groundswell::voronoi::formats {

namespace {

/// A text of one line, "hexagons COLUMNS ROWS SPACING DEPTH": a sea of regular hexagons on the equator, SPACING m apart, DEPTH m
/// deep.
GlobalMesh read_hexagons(const std::string& path, const ReadOptions& options) {
    std::ifstream file(path);
    std::string word;
    int columns = 0, rows = 0;
    double spacing = 0.0, depth = 0.0;
    file >> word >> columns >> rows >> spacing >> depth;
    base::require(file && columns > 0 && rows > 0 && spacing > 0.0, path, "line 1", "",
                  "hexagons COLUMNS ROWS SPACING DEPTH, three of them above 0");
    GlobalMesh mesh = hexagonal_patch(columns, rows, spacing, 0.0, 0.0,
                                      [&](double, double) { return options.uniform_depth.value_or(depth); });
    mesh.source = path;
    return mesh;
}

}  // namespace

MeshFormat hexagons() {
    return {.begins = [](std::string_view beginning) { return beginning.starts_with("hexagons "); },
            .read = &read_hexagons};
}

}  // namespace groundswell::voronoi::formats
