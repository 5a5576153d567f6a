#include "groundswell/mesh/tetra/join.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::tetra {

namespace {

using Cube = std::array<std::int64_t, 3>;

// A vertex as one of the cubes that it may have neighbours in knows it; `from` and `index` say whose it is.
struct Entry {
    Cube cube;
    JoinedVertex now;  // what it has become
    Point place;       // where it lies in the file
    std::int32_t from, index;
};

struct Answer {
    JoinedVertex lowest;
    std::int32_t index;
};

int owner_of(const Cube& cube, int ranks) {
    std::uint64_t hash = 0;
    for (const std::int64_t side : cube)
        hash = (hash ^ static_cast<std::uint64_t>(side)) * 0x9E3779B97F4A7C15u + (hash >> 29);
    return static_cast<int>((hash >> 17) % static_cast<std::uint64_t>(ranks));
}

bool are_near(const Point& a, const Point& b, double distance) {
    double square = 0.0;
    for (int j = 0; j < 3; ++j) square += (a[j] - b[j]) * (a[j] - b[j]);
    return square <= distance * distance;
}

// The cubes, a few distances wide, that are within the distance of a place: one, and up to eight.
std::vector<Cube> cubes_around(const Point& place, double distance) {
    const double width = 4.0 * distance;
    std::array<std::array<std::int64_t, 2>, 3> side{};
    for (int j = 0; j < 3; ++j) {
        side[j] = {static_cast<std::int64_t>(std::floor((place[j] - distance) / width)),
                   static_cast<std::int64_t>(std::floor((place[j] + distance) / width))};
    }
    std::vector<Cube> cubes;
    for (std::int64_t x = side[0][0]; x <= side[0][1]; ++x)
        for (std::int64_t y = side[1][0]; y <= side[1][1]; ++y)
            for (std::int64_t z = side[2][0]; z <= side[2][1]; ++z) cubes.push_back({x, y, z});
    return cubes;
}

// What the lowest number is that each entry of a cube is near to.
void answer(std::span<const Entry> cube, double distance, std::vector<std::vector<Answer>>& answers) {
    for (const Entry& one : cube) {
        JoinedVertex lowest = one.now;
        for (const Entry& other : cube)
            if (other.now.number < lowest.number && are_near(one.place, other.place, distance))
                lowest = other.now;
        if (lowest.number < one.now.number) answers[one.from].push_back({lowest, one.index});
    }
}

}  // namespace

void join_vertices(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path,
                   std::span<JoinedVertex> vertices, double distance) {
    const int ranks = parallel::size_of(comm), rank = parallel::rank_of(comm);
    std::vector<Point> place;
    for (const JoinedVertex& vertex : vertices) place.push_back(vertex.place);
    // Once more as long as a chain goes on.
    bool any = false;
    for (std::int64_t changed = 1; changed > 0; any = any || changed > 0) {
        std::vector<Entry> entries;
        for (std::size_t v = 0; v < vertices.size(); ++v)
            for (const Cube& cube : cubes_around(place[v], distance))
                entries.push_back({cube, vertices[v], place[v], rank, static_cast<std::int32_t>(v)});
        entries = parallel::send_to_owners(exchange, std::move(entries),
                                           [&](const Entry& entry) { return owner_of(entry.cube, ranks); });
        std::ranges::sort(entries, {}, [](const Entry& e) { return std::tuple(e.cube, e.from, e.index); });
        std::vector<std::vector<Answer>> answers(static_cast<std::size_t>(ranks));
        for (auto begin = entries.begin(); begin != entries.end();) {
            const auto end =
                std::find_if(begin, entries.end(), [&](const Entry& e) { return e.cube != begin->cube; });
            answer({begin, end}, distance, answers);
            begin = end;
        }
        std::vector<parallel::Parcel> outgoing;
        for (int to = 0; to < ranks; ++to)
            if (!answers[to].empty()) outgoing.push_back(parallel::pack_parcel<Answer>(to, answers[to]));
        std::int64_t mine = 0;
        for (const auto& parcel : exchange(outgoing)) {
            for (const Answer& found : parallel::unpack_parcel<Answer>(parcel)) {
                JoinedVertex& vertex = vertices[static_cast<std::size_t>(found.index)];
                if (found.lowest.number >= vertex.number) continue;
                vertex = found.lowest;
                ++mine;
            }
        }
        changed = parallel::sum(comm, mine);
    }
    if (!any && rank == 0)
        base::log_warning("{}: mesh.join = {:g}: no two vertices are so near each other", path, distance);
}

}  // namespace groundswell::tetra
