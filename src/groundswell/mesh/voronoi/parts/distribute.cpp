#include "groundswell/mesh/voronoi/parts/distribute.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::voronoi {
namespace {

constexpr int message_tag = 1701;
constexpr std::int64_t longest_message = std::int64_t{1} << 30;  // bytes; an MPI count is an int

/// The fields of a local mesh, for packing and unpacking alike.
template <class Mesh>
auto numbers_of(Mesh& m) {
    return std::tie(m.global_cells, m.global_nodes, m.max_edges, m.radius, m.smallest_spacing, m.identity,
                    m.layers, m.owned, m.total);
}
template <class Mesh>
auto arrays_of(Mesh& m) {
    return std::tie(m.groups, m.id, m.mesh_cell, m.face, m.owner, m.lon, m.lat, m.depth, m.area,
                    m.edge_offset, m.neighbour, m.edge_length, m.edge_distance, m.edge_bearing, m.edge_lon,
                    m.edge_lat, m.corner_offset, m.corner_node, m.corner_lon, m.corner_lat, m.node_id,
                    m.node_lon, m.node_lat);
}

std::vector<std::byte> pack(const LocalMesh& local) {
    std::vector<std::byte> bytes;
    const auto put = [&](const void* data, std::size_t size) {
        const auto* begin = static_cast<const std::byte*>(data);
        bytes.insert(bytes.end(), begin, begin + size);
    };
    std::apply([&](const auto&... number) { (put(&number, sizeof(number)), ...); }, numbers_of(local));
    const auto put_array = [&](const auto& values) {
        const std::uint64_t size = values.size();
        put(&size, sizeof(size));
        put(values.data(), size * sizeof(values[0]));
    };
    std::apply([&](const auto&... array) { (put_array(array), ...); }, arrays_of(local));
    return bytes;
}

LocalMesh unpack(const std::vector<std::byte>& bytes) {
    LocalMesh local;
    std::size_t place = 0;
    const auto get = [&](void* data, std::size_t size) {
        GS_ASSERT(place + size <= bytes.size());
        if (size > 0) std::memcpy(data, bytes.data() + place, size);
        place += size;
    };
    std::apply([&](auto&... number) { (get(&number, sizeof(number)), ...); }, numbers_of(local));
    const auto get_array = [&](auto& values) {
        std::uint64_t size = 0;
        get(&size, sizeof(size));
        values.resize(size);
        get(values.data(), size * sizeof(values[0]));
    };
    std::apply([&](auto&... array) { (get_array(array), ...); }, arrays_of(local));
    GS_ASSERT(place == bytes.size());
    return local;
}

void send(MPI_Comm comm, int rank, const std::vector<std::byte>& bytes) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    parallel::check(MPI_Send(&size, 1, MPI_INT64_T, rank, message_tag, comm), "sending a part of the mesh");
    for (std::int64_t sent = 0; sent < size; sent += longest_message) {
        const int count = static_cast<int>(std::min(longest_message, size - sent));
        parallel::check(MPI_Send(bytes.data() + sent, count, MPI_BYTE, rank, message_tag, comm),
                        "sending a part of the mesh");
    }
}

std::vector<std::byte> receive(MPI_Comm comm, int root) {
    std::int64_t size = 0;
    parallel::check(MPI_Recv(&size, 1, MPI_INT64_T, root, message_tag, comm, MPI_STATUS_IGNORE),
                    "receiving a part of the mesh");
    std::vector<std::byte> bytes(size);
    for (std::int64_t got = 0; got < size; got += longest_message) {
        const int count = static_cast<int>(std::min(longest_message, size - got));
        parallel::check(
            MPI_Recv(bytes.data() + got, count, MPI_BYTE, root, message_tag, comm, MPI_STATUS_IGNORE),
            "receiving a part of the mesh");
    }
    return bytes;
}

}  // namespace

LocalMesh distribute(MPI_Comm comm, const GlobalMesh& mesh, std::span<const int> part, int layers, int root,
                     std::span<const std::int32_t> group, int groups) {
    const int rank = parallel::rank_of(comm), size = parallel::size_of(comm);
    if (rank != root) return unpack(receive(comm, root));
    const Extractor extractor(mesh, part, size, layers, group, groups);
    for (int other = 0; other < size; ++other) {
        if (other != root) send(comm, other, pack(extractor.local_mesh(other)));
    }
    return extractor.local_mesh(root);
}

}  // namespace groundswell::voronoi
