#include "groundswell/mesh/voronoi/marked_land.hpp"

#include <algorithm>
#include <vector>

#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::voronoi {

namespace {

constexpr std::size_t piece = 1U << 20;  // cells

struct Mark {
    const char* name;
    std::int32_t land;
};
constexpr Mark marks[] = {{"cullCell", 1}, {"landMask", 1}, {"maxLevelCell", 0}};

}  // namespace

MarkedLand find_marked_land(const std::string& path) {
    if (has_other_format(path)) return {};  // marks are of MPAS meshes
    const netcdf::Reader file(path, "mesh");
    const auto* depth = file.find("bottomDepth");
    std::vector<std::pair<const netcdf::Reader::Variable*, std::int32_t>> present;
    const auto is_of_cells = [&](const netcdf::Reader::Variable* variable) {
        return variable != nullptr && variable->dimensions.size() == 1 &&
               variable->dimensions[0].name == "nCells" && variable->held == netcdf::Held::int32;
    };
    MarkedLand found;
    for (const Mark& mark : marks)
        if (const auto* variable = file.find(mark.name); is_of_cells(variable)) {
            present.emplace_back(variable, mark.land);
            found.marks += (found.marks.empty() ? "" : ", ") + std::string(mark.name);
        }
    if (present.empty()) return found;
    const std::size_t cells = present[0].first->dimensions[0].length;
    std::vector<std::int32_t> mark;
    std::vector<double> metres;
    for (std::size_t begin = 0; begin < cells; begin += piece) {
        const std::size_t count = std::min(piece, cells - begin);
        std::vector<char> land(count, 0);
        mark.resize(count);
        for (const auto& [variable, value] : present) {
            file.read(*variable, {begin}, {count}, mark.data());
            for (std::size_t i = 0; i < count; ++i) land[i] |= static_cast<char>(mark[i] == value);
        }
        metres.assign(count, 1.0);
        if (depth != nullptr) file.read(*depth, {begin}, {count}, metres.data());
        for (std::size_t i = 0; i < count; ++i) found.cells += land[i] != 0 && metres[i] > 0.0 ? 1 : 0;
    }
    return found;
}

}  // namespace groundswell::voronoi
