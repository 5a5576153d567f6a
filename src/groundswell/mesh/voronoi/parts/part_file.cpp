#include "groundswell/mesh/voronoi/parts/part_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/hash.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/base/words.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::voronoi {
namespace {

constexpr auto way_out = "groundswell partition MESH --parts N --keep cuts the mesh again";

std::int32_t require_part(const std::string& path, const std::string& where, std::int64_t part, int parts,
                          std::int64_t least) {
    base::require(part >= least && part < parts, path, where, fmt::to_string(part),
                  fmt::format("a part from 0 to {}: the run has {} rank{}; {}", parts - 1, parts,
                              parts == 1 ? "" : "s", way_out));
    return static_cast<std::int32_t>(part);
}

void require_rows(const std::string& path, std::int64_t found, std::int64_t rows) {
    base::require(found == rows, path, "", fmt::format("parts of {} cells", found),
                  fmt::format("those of the {} cells of the mesh; {}", rows, way_out));
}

std::vector<std::int32_t> read_netcdf(MPI_Comm comm, const std::string& path, Slab& slab, int parts) {
    const std::uint64_t mine = sum_of_graph(slab.mesh, slab.cells.begin());
    std::uint64_t sum = 0;
    parallel::check(MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, comm), "sum up the mesh's graph");
    return parallel::agree(comm, [&] {
        const netcdf::Reader file(path, "NetCDF file of parts");
        const auto* part = file.find("part");
        base::require(part != nullptr && part->dimensions.size() == 1, path, "part", "",
                      "a variable of this name with one number for each cell of the mesh");
        require_rows(path, static_cast<std::int64_t>(part->dimensions[0].length), slab.cells.rows);
        const auto cut = file.number("parts");
        base::require(!cut || *cut == parts, path, "parts", fmt::format("{}", cut.value_or(0.0)),
                      fmt::format("{}, one for each rank; {}", parts, way_out));
        const std::string graph = file.text("graph"), expected = fmt::format("{:016x}", sum);
        base::require(
            graph.empty() || graph == expected, path, "graph", graph,
            fmt::format("{}, that of the mesh: these are parts of another one with as many cells; {}",
                        expected, way_out));
        std::vector<std::int32_t> found(slab.cells.mine());
        slab.bytes_read += 4 * slab.cells.mine();
        if (!found.empty())
            file.read(*part, {static_cast<std::size_t>(slab.cells.begin())}, {found.size()}, found.data());
        for (std::size_t c = 0; c < found.size(); ++c)
            require_part(
                path, fmt::format("part of cell {}", slab.cells.begin() + static_cast<std::int64_t>(c) + 1),
                found[c], parts, -1);
        return found;
    });
}

/// The lines of a text that begin in this rank's share of its bytes.
std::vector<std::string> read_lines(const std::string& path, int rank, int ranks) {
    std::ifstream file(path, std::ios::binary);
    base::require(file.good(), path, "", "cannot be read", "a text with the part of each cell, one a line");
    file.seekg(0, std::ios::end);
    const auto bytes = static_cast<std::int64_t>(file.tellg());
    const std::int64_t begin = bytes * rank / ranks, end = bytes * (rank + 1) / ranks;
    std::string line;
    std::int64_t at = std::max<std::int64_t>(begin - 1, 0);
    file.seekg(at);
    if (begin > 0) {  // of the line that holds the byte before, the rank before takes care
        std::getline(file, line);
        at += static_cast<std::int64_t>(line.size()) + 1;
    }
    std::vector<std::string> lines;
    while (at < end && std::getline(file, line)) {
        at += static_cast<std::int64_t>(line.size()) + 1;
        lines.push_back(line);
    }
    return lines;
}

std::int64_t number_of(const std::string& path, std::int64_t line, std::string_view text) {
    text = base::trimmed(text);
    const auto value = base::parse_number<std::int64_t>(text);
    base::require(value.has_value(), path, fmt::format("line {}", line),
                  fmt::format("\"{}\"", text.substr(0, 40)), "the number of a part, and nothing else");
    return *value;
}

struct RowPart {
    std::int32_t row, part;
};

std::vector<std::int32_t> read_text(MPI_Comm comm, parallel::SparseExchange& exchange,
                                    const std::string& path, Slab& slab, int parts) {
    const parallel::RowBlocks& blocks = slab.cells;
    const std::vector<std::string> lines = parallel::agree(
        comm, [&] { return read_lines(path, parallel::rank_of(comm), parallel::size_of(comm)); });
    const auto count = static_cast<std::int64_t>(lines.size());
    const std::int64_t first = parallel::sum_before(comm, count), all = parallel::sum(comm, count);
    std::vector<RowPart> found = parallel::agree(comm, [&] {
        require_rows(path, all, blocks.rows);
        std::vector<RowPart> mine;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t line = first + i + 1, part = number_of(path, line, lines[i]);
            slab.bytes_read += static_cast<std::int64_t>(lines[i].size()) + 1;
            mine.push_back({static_cast<std::int32_t>(first + i),
                            require_part(path, fmt::format("line {}", line), part, parts, 0)});
        }
        return mine;
    });
    std::vector<std::int32_t> part(blocks.mine(), -1);
    for (const RowPart& one : parallel::send_to_owners(
             exchange, std::move(found), [&](const RowPart& each) { return blocks.owner(each.row); }))
        part[one.row - blocks.begin()] = one.part;
    return part;
}

}  // namespace

std::vector<std::string> part_file_names(const std::string& mesh, int parts) {
    const std::filesystem::path path(mesh), stem = path.stem();
    std::vector<std::string> names{fmt::format("{}.part.{}.nc", stem.string(), parts),
                                   fmt::format("{}.graph.info.part.{}", stem.string(), parts)};
    if (stem.has_extension())
        names.push_back(fmt::format("{}.graph.info.part.{}", stem.stem().string(), parts));
    names.push_back(fmt::format("graph.info.part.{}", parts));
    for (std::string& name : names) name = (path.parent_path() / name).string();
    return names;
}

std::string find_part_file(const std::string& mesh, int parts) {
    for (const std::string& name : part_file_names(mesh, parts)) {
        std::error_code error;
        if (std::filesystem::exists(name, error)) return name;
    }
    return "";
}

bool is_netcdf_part_file(const std::string& path) {
    return path.ends_with(".nc");
}

std::uint64_t sum_of_graph(const GlobalMesh& cells, std::int64_t first_row) {
    std::uint64_t sum = 0;
    for (std::int32_t c = 0; c < cells.cells(); ++c) {
        base::Hash hash;
        hash << first_row + c;
        for (std::int64_t j = cells.offset[c]; j < cells.offset[c + 1]; ++j)
            hash << std::int64_t{cells.neighbour[j]};
        sum += hash.value();
    }
    return sum;
}

std::vector<std::int32_t> read_parts(MPI_Comm comm, parallel::SparseExchange& exchange,
                                     const std::string& path, Slab& slab, int parts) {
    return is_netcdf_part_file(path) ? read_netcdf(comm, path, slab, parts)
                                     : read_text(comm, exchange, path, slab, parts);
}

}  // namespace groundswell::voronoi
