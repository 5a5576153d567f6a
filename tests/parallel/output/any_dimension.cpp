#include <gtest/gtest.h>
#include <mpi.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/check/comparison.hpp"
#include "groundswell/output/check/verification.hpp"
#include "groundswell/output/distributed_read.hpp"
#include "support/output_launch.hpp"

// Ranks own rows of any dimension: levels of an ocean or of the ground stand before the nodes, and an ensemble
// before both.
namespace {

using namespace groundswell;
using namespace groundswell::output;
using dataset::Folder;

// A record of velocity takes two chunks when compressed, which end within the rows of a rank.
constexpr std::int64_t members = 2, levels = 5, nodes = 20011, axes = 3, records = 3;

Schema schema() {
    Schema result;
    result.dimensions = {
        {"time", 0, true}, {"member", members}, {"level", levels}, {"node", nodes}, {"axis", axes}};
    result.variables = {
        {"time", Type::float64, {"time"}, {}},
        {"velocity", Type::float32, {"time", "level", "node", "axis"}, {{"units", "m s-1"}}, "node"},
        {"heat", Type::float64, {"time", "member", "level", "node"}, {}, "node"},
        {"bottom", Type::int32, {"level", "node"}, {}, "node"},
    };
    return result;
}

double value_of(const std::string& name, std::int64_t record, std::int64_t outer, std::int64_t node,
                std::int64_t axis = 0) {
    const auto base = static_cast<double>(name.size() + 10 * record + 100 * outer + 1000 * node);
    return base + 0.25 * static_cast<double>(axis);
}

struct Part : dataset::OwnedRows {
    explicit Part(MPI_Comm comm) : OwnedRows(comm, nodes) {}

    template <class T>
    std::vector<T> values(const std::string& name, std::int64_t first, std::int64_t count, std::int64_t outer,
                          std::int64_t width, std::int64_t padding = 0) const {
        std::vector<T> all;
        for (std::int64_t record = first; record < first + count; ++record)
            for (std::int64_t o = 0; o < outer; ++o)
                for (const std::int64_t node : owned) {
                    for (std::int64_t axis = 0; axis < width; ++axis)
                        all.push_back(static_cast<T>(value_of(name, record, o, node, axis)));
                    all.insert(all.end(), static_cast<std::size_t>(padding), T{-1});
                }
        return all;
    }

    void write(Dataset& file) const {
        const auto bottom = values<std::int32_t>("bottom", 0, 1, levels, 1);
        file.write_fixed(distributed<std::int32_t>("bottom", decomposition, bottom));
    }
    void append(Dataset& file, std::int64_t first, std::int64_t count) const {
        std::vector<double> times;
        for (std::int64_t i = 0; i < count; ++i) times.push_back(static_cast<double>(first + i));
        const auto velocity = values<float>("velocity", first, count, levels, axes, 1);
        const auto heat = values<double>("heat", first, count, members * levels, 1);
        const std::vector<Values> both{distributed<float>("velocity", decomposition, velocity, axes + 1),
                                       distributed<double>("heat", decomposition, heat)};
        file.append_records(times, both);
    }
};

class AnyDimension : public launch::OutputWays {};
INSTANTIATE_TEST_SUITE_P(Modes, AnyDimension, testing::ValuesIn(launch::ways()), launch::name_of);

std::vector<OutputOptions> storages() {
    std::vector<OutputOptions> all(3);
    all[0].checksums = all[2].checksums = true;
    all[1].storage = {Format::netcdf4, 0};
    all[2].storage = {Format::netcdf4, 4};
    return all;
}

/// What a reader finds that knows nothing of ranks.
void expect_values(const std::string& path) {
    const Reader reader(path);
    ASSERT_EQ(reader.records(), records);
    const auto bottom = reader.read_all<std::int32_t>("bottom");
    std::int64_t wrong = 0;
    for (std::int64_t level = 0; level < levels; ++level)
        for (std::int64_t node = 0; node < nodes; ++node)
            wrong +=
                bottom[static_cast<std::size_t>(level * nodes + node)] != value_of("bottom", 0, level, node);
    for (std::int64_t record = 0; record < records; ++record) {
        const auto velocity = reader.read_all<float>("velocity", record);
        const auto heat = reader.read_all<double>("heat", record);
        for (std::int64_t node = 0; node < nodes; ++node) {
            for (std::int64_t level = 0; level < levels; ++level)
                for (std::int64_t axis = 0; axis < axes; ++axis)
                    wrong += velocity[static_cast<std::size_t>((level * nodes + node) * axes + axis)] !=
                             static_cast<float>(value_of("velocity", record, level, node, axis));
            for (std::int64_t outer = 0; outer < members * levels; ++outer)
                wrong += heat[static_cast<std::size_t>(outer * nodes + node)] !=
                         value_of("heat", record, outer, node);
        }
    }
    EXPECT_EQ(wrong, 0);
}

TEST_P(AnyDimension, IsWrittenByItsOwnersAndReadBackByOthers) {
    for (const OutputOptions& options : storages()) {
        const Folder folder;
        const std::string path = folder / "file.nc";
        launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.create(path, schema());
            part.write(file);
            part.append(file, 0, 1);
            part.append(file, 1, 2);
        });
        MPI_Barrier(MPI_COMM_WORLD);
        expect_values(path);
        EXPECT_TRUE(verify_file(path).ok());

        // Several pieces a rank, and room behind each row of velocity that nothing may be written to.
        const Reader reader(path);
        const Part part(MPI_COMM_WORLD);
        Rearranger rearranger(1999 * members * levels * 8);
        std::vector<float> velocity(part.owned.size() * levels * (axes + 1), -1.0f);
        read_distributed<float>(reader, "velocity", part.decomposition, rearranger, velocity, axes + 1, 2,
                                "node");
        EXPECT_EQ(velocity, part.values<float>("velocity", 2, 1, levels, axes, 1));
        std::vector<double> heat(part.owned.size() * members * levels);
        read_distributed<double>(reader, "heat", part.decomposition, rearranger, heat, 1, 1, "node");
        EXPECT_EQ(heat, part.values<double>("heat", 1, 1, members * levels, 1));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST_P(AnyDimension, ContinuesAfterARestart) {
    for (const OutputOptions& options : storages()) {
        const Folder folder;
        const std::string path = folder / "file.nc";
        launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.create(path, schema());
            part.write(file);
            part.append(file, 0, 2);
        });
        MPI_Barrier(MPI_COMM_WORLD);
        launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.reopen(path, schema(), 0.5);
            part.append(file, 1, 2);
        });
        MPI_Barrier(MPI_COMM_WORLD);
        expect_values(path);
        EXPECT_TRUE(verify_file(path).ok());
    }
}

TEST(AnyDimensionSchema, RefusesRowsAlongTimeOrWhatTheVariableHasNot) {
    for (const char* name : {"time", "member", "nowhere"}) {
        Schema wrong = schema();
        wrong.variables[1].distributed = name;
        EXPECT_THROW(wrong.validate("file.nc"), base::Refusal) << name;
    }
}

TEST(AnyDimensionReading, RefusesRowsAlongWhatTheVariableHasNot) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    OutputOptions options;
    options.mode = "serial";
    launch::run({"serial", 0}, options, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset file = output.create(path, schema());
        part.write(file);
    });
    MPI_Barrier(MPI_COMM_WORLD);
    const Reader reader(path);
    const Part part(MPI_COMM_WORLD);
    Rearranger rearranger;
    std::vector<std::int32_t> values(part.owned.size() * levels);
    const auto refusal = [&](std::string_view dimension) {
        try {
            read_distributed<std::int32_t>(reader, "bottom", part.decomposition, rearranger, values, 1, 0,
                                           dimension);
        } catch (const base::Refusal& refused) {
            return std::string(refused.what());
        }
        return std::string();
    };
    EXPECT_EQ(refusal("axis"), path + ": bottom = (level, node): expected rows along axis");
    EXPECT_EQ(refusal("level"),
              path + ": bottom = 5 rows of 20011 values: expected 20011 rows of 1 values at most");
    EXPECT_EQ(refusal("node"), "");
    EXPECT_EQ(values, part.values<std::int32_t>("bottom", 0, 1, levels, 1));
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
