#pragma once

#include <mpi.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "groundswell/output/file.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/communicator.hpp"

/// A small dataset with every kind of variable, whose values follow from their place, and its way into a
/// file.
namespace dataset {

using namespace groundswell::output;

constexpr std::int64_t faces = 101;  // a prime: never divides evenly among ranks
constexpr std::int64_t corners = 3, bins = 5;

inline double time_of(std::int64_t record) {
    return 3600.0 * static_cast<double>(record);
}
inline float hs(std::int64_t record, std::int64_t face) {
    return 0.25f + static_cast<float>(1000 * record + face);
}
inline float energy(std::int64_t record, std::int64_t face, std::int64_t bin) {
    return static_cast<float>(record) + 0.5f * static_cast<float>(face * bins + bin);
}
inline std::int64_t id(std::int64_t face) {
    return (std::int64_t{1} << 40) + face;
}
inline std::int32_t node(std::int64_t face, std::int64_t corner) {
    return static_cast<std::int32_t>(10 * face + corner);
}

inline Schema schema() {
    Schema result;
    result.dimensions = {{"time", 0, true}, {"nFace", faces}, {"nMaxFaceNodes", corners}, {"bin", bins}};
    result.variables = {
        {"time", Type::float64, {"time"}, {{"units", "seconds since 2024-09-03T00:00:00Z"}}},
        {"mesh", Type::int32, {}, {{"cf_role", "mesh_topology"}, {"topology_dimension", 2}}},
        {"mesh_face_nodes",
         Type::int32,
         {"nFace", "nMaxFaceNodes"},
         {{"_FillValue", -1}, {"start_index", 0}}},
        {"mesh_cell", Type::int64, {"nFace"}, {}},
        {"hs", Type::float32, {"time", "nFace"}, {{"units", "m"}, {"_FillValue", 9.96921e36f}}},
        {"energy", Type::float32, {"time", "nFace", "bin"}, {{"valid_min", 0.0}}},
    };
    result.attributes = {
        {"title", "a dataset for tests"}, {"history", "made now"}, {"scales", std::vector<double>{1.0, 2.5}}};
    return result;
}

inline int world_rank() {
    return groundswell::parallel::rank_of(MPI_COMM_WORLD);
}

/// Who owns a row: scattered, and the second of three or more ranks has nothing.
inline int owner_of(std::int64_t row, int ranks) {
    const auto mixed = static_cast<std::uint64_t>(row) * 2654435761u >> 7;
    const int owner = static_cast<int>(mixed % static_cast<std::uint64_t>(ranks));
    return ranks > 2 && owner == 1 ? 0 : owner;
}

/// The rows of one rank, listed backwards, so that no order is taken for granted.
struct OwnedRows {
    std::vector<std::int64_t> owned;
    Decomposition decomposition;

    OwnedRows(MPI_Comm comm, std::int64_t rows) : owned(list(comm, rows)), decomposition(comm, rows, owned) {}

    static std::vector<std::int64_t> list(MPI_Comm comm, std::int64_t rows) {
        const int rank = groundswell::parallel::rank_of(comm), ranks = groundswell::parallel::size_of(comm);
        std::vector<std::int64_t> result;
        for (std::int64_t row = rows - 1; row >= 0; --row)
            if (owner_of(row, ranks) == rank) result.push_back(row);
        return result;
    }
};

/// One rank's part of the dataset.
struct Part : OwnedRows {
    explicit Part(MPI_Comm comm) : OwnedRows(comm, faces) {}

    /// `Target`: File or Dataset.
    template <class Target>
    void write_fixed(Target& file) const {
        std::vector<std::int32_t> nodes;
        std::vector<std::int64_t> ids;
        for (const std::int64_t face : owned) {
            for (std::int64_t corner = 0; corner < corners; ++corner) nodes.push_back(node(face, corner));
            ids.push_back(id(face));
        }
        const std::int32_t mesh = 7;
        file.write_fixed(replicated<std::int32_t>("mesh", std::span(&mesh, 1)));
        file.write_fixed(distributed<std::int32_t>("mesh_face_nodes", decomposition, nodes));
        file.write_fixed(distributed<std::int64_t>("mesh_cell", decomposition, ids));
    }

    /// Rows of `energy` carry two values of padding.
    template <class Target>
    void append(Target& file, std::int64_t record) const {
        append(file, record, 1);
    }

    /// Records [first, first + count) by one call.
    template <class Target>
    void append(Target& file, std::int64_t first, std::int64_t count) const {
        std::vector<double> times;
        std::vector<float> heights, energies;
        for (std::int64_t record = first; record < first + count; ++record) {
            times.push_back(time_of(record));
            for (const std::int64_t face : owned) {
                heights.push_back(hs(record, face));
                for (std::int64_t bin = 0; bin < bins; ++bin) energies.push_back(energy(record, face, bin));
                energies.insert(energies.end(), 2, -1.0f);
            }
        }
        const std::vector<Values> values{distributed<float>("energy", decomposition, energies, bins + 2),
                                         distributed<float>("hs", decomposition, heights)};
        if (count == 1) {
            file.append_record(times.front(), values);
        } else {
            file.append_records(times, values);
        }
    }
};

/// A folder that is made by rank 0 for one test and removed after it.
class Folder {
public:
    Folder() {
        char name[] = "/tmp/groundswell-output-XXXXXX";
        if (world_rank() == 0 && ::mkdtemp(name) == nullptr) MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
        path_ = name;
    }
    ~Folder() {
        MPI_Barrier(MPI_COMM_WORLD);
        std::error_code ignored;
        if (world_rank() == 0) std::filesystem::remove_all(path_, ignored);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// Sets an environment variable for the life of the object.
class Environment {
public:
    Environment(const char* name, const std::string& value) : name_(name) {
        ::setenv(name, value.c_str(), 1);
    }
    ~Environment() { ::unsetenv(name_); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const char* name_;
};

/// The whole dataset with `records` records.
inline void write(MPI_Comm comm, const std::string& path, const std::string& mode, std::int64_t records) {
    const Part part(comm);
    File file = File::create(comm, path, schema(), {mode, false, {}});
    part.write_fixed(file);
    for (std::int64_t record = 0; record < records; ++record) part.append(file, record);
    file.close();
}

inline std::string bytes_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Values that are not what the dataset says they are, in `records` records and the fixed part; -1 when the
/// file shows another number of records.
inline std::int64_t wrong_values(const std::string& path, std::int64_t records) {
    const Reader reader(path);
    if (reader.records() != records) return -1;
    std::int64_t wrong = 0;
    const auto nodes = reader.read_all<std::int32_t>("mesh_face_nodes");
    const auto ids = reader.read_all<std::int64_t>("mesh_cell");
    wrong += reader.read_all<std::int32_t>("mesh")[0] != 7;
    for (std::int64_t face = 0; face < faces; ++face) {
        wrong += ids[static_cast<std::size_t>(face)] != id(face);
        for (std::int64_t corner = 0; corner < corners; ++corner) {
            wrong += nodes[static_cast<std::size_t>(face * corners + corner)] != node(face, corner);
        }
    }
    for (std::int64_t record = 0; record < records; ++record) {
        wrong += reader.read_all<double>("time", record)[0] != time_of(record);
        const auto heights = reader.read_all<float>("hs", record);
        const auto energies = reader.read_all<float>("energy", record);
        for (std::int64_t face = 0; face < faces; ++face) {
            wrong += heights[static_cast<std::size_t>(face)] != hs(record, face);
            for (std::int64_t bin = 0; bin < bins; ++bin) {
                wrong += energies[static_cast<std::size_t>(face * bins + bin)] != energy(record, face, bin);
            }
        }
    }
    return wrong;
}

}  // namespace dataset
