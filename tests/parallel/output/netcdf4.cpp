#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/foreign_format.hpp"
#include "groundswell/output/check/comparison.hpp"
#include "groundswell/output/check/verification.hpp"
#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"
#include "support/output_launch.hpp"

// netCDF-4 files hold what CDF-5 files hold, whoever writes them, compressed or not, and show whole records
// only.
namespace {

using namespace groundswell;
using namespace groundswell::output;
using dataset::Folder, dataset::world_rank;

// A record of energy takes two chunks when compressed, which end within the rows of a rank.
constexpr std::int64_t rows = 20011, bins = 7;

Schema schema() {
    Schema result;
    result.dimensions = {{"time", 0, true}, {"cell", rows}, {"bin", bins}, {"string8", 8}};
    result.variables = {
        {"time", Type::float64, {"time"}, {{"units", "seconds since 2024-09-03T00:00:00Z"}}},
        {"bin", Type::float32, {"bin"}, {{"units", "Hz"}}},
        {"mesh", Type::int32, {}, {{"cf_role", "mesh_topology"}, {"empty", ""}}},
        {"name", Type::character, {"string8"}, {}},
        {"id", Type::int64, {"cell"}, {}},
        {"hs", Type::float32, {"time", "cell"}, {{"units", "m"}, {"_FillValue", 9.96921e36f}}},
        {"count", Type::int32, {"time"}, {{"_FillValue", -1}}},
        {"energy", Type::float64, {"time", "cell", "bin"}, {{"valid_range", std::vector<double>{0.0, 1.0}}}},
    };
    result.attributes = {
        {"title", "values for tests"}, {"history", "made now"}, {"level", std::int64_t{1} << 40}};
    return result;
}

float hs(std::int64_t record, std::int64_t row) {
    return row % 17 == 3 ? NAN
                         : static_cast<float>(record) + 0.5f * std::sin(1e-3f * static_cast<float>(row));
}
double energy(std::int64_t record, std::int64_t row, std::int64_t bin) {
    return static_cast<double>(record) + std::floor(1e-2 * static_cast<double>(row)) +
           0.125 * static_cast<double>(bin);
}
double time_of(std::int64_t record) {
    return 600.0 * static_cast<double>(record);
}

struct Part : dataset::OwnedRows {
    explicit Part(MPI_Comm comm) : OwnedRows(comm, rows) {}

    template <class Target>
    void write_fixed(Target& file) const {
        const std::int32_t mesh = 7;
        const std::string name = "buoy   7";
        const std::vector<float> bin{1, 2, 3, 4, 5, 6, 7};
        std::vector<std::int64_t> ids;
        for (const std::int64_t row : owned) ids.push_back(row + (std::int64_t{1} << 40));
        file.write_fixed(replicated<std::int32_t>("mesh", std::span(&mesh, 1)));
        file.write_fixed(replicated<char>("name", std::span(name)));
        file.write_fixed(replicated<float>("bin", bin));
        file.write_fixed(distributed<std::int64_t>("id", decomposition, ids));
    }

    template <class Target>
    void append(Target& file, std::int64_t record) const {
        std::vector<float> heights;
        std::vector<double> energies;
        for (const std::int64_t row : owned) {
            heights.push_back(hs(record, row));
            for (std::int64_t bin = 0; bin < bins; ++bin) energies.push_back(energy(record, row, bin));
        }
        const auto count = static_cast<std::int32_t>(record);
        const std::vector<Values> values{distributed<double>("energy", decomposition, energies),
                                         replicated<std::int32_t>("count", std::span(&count, 1)),
                                         distributed<float>("hs", decomposition, heights)};
        file.append_record(time_of(record), values);
    }
};

FileOptions options(const std::string& mode, const Storage& storage, bool overwrite = false) {
    return {mode, overwrite, {}, storage};
}

void write(MPI_Comm comm, const std::string& path, const FileOptions& how, std::int64_t records) {
    const Part part(comm);
    File file = File::create(comm, path, schema(), how);
    part.write_fixed(file);
    for (std::int64_t record = 0; record < records; ++record) part.append(file, record);
    file.close();
}

/// Whether `groundswell compare` finds no difference; else the first of them.
std::string difference(const std::string& a, const std::string& b) {
    const Comparison found = compare(Reader(a), Reader(b), {});
    if (found.identical) return "";
    if (!found.differences.empty()) return found.differences.front();
    for (const VariableComparison& each : found.variables)
        if (!each.equal) return each.name;
    return "variables";
}

struct Kind {
    std::string mode;
    int compression;
    Storage storage() const { return {Format::netcdf4, compression}; }
    friend void PrintTo(const Kind& kind, std::ostream* stream) { *stream << kind.mode << kind.compression; }
};

class Netcdf4 : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Modes, Netcdf4,
                         testing::Values(Kind{"direct", 0}, Kind{"direct", 4}, Kind{"serial", 0},
                                         Kind{"serial", 4}),
                         [](const auto& each) {
                             return each.param.mode + std::to_string(each.param.compression);
                         });

TEST_P(Netcdf4, HoldsWhatACdf5FileHolds) {
    const Folder folder;
    write(MPI_COMM_WORLD, folder / "new.nc", options(GetParam().mode, GetParam().storage()), 3);
    write(MPI_COMM_WORLD, folder / "classic.nc", options("auto", {}), 3);
    EXPECT_TRUE(netcdf::is_hdf5(folder / "new.nc"));
    EXPECT_EQ(difference(folder / "new.nc", folder / "classic.nc"), "");
    const auto other = first_difference(Reader(folder / "new.nc").schema(), schema());
    EXPECT_FALSE(other.has_value()) << other->key << ": " << other->found;
    const FileReport report = verify_file(folder / "new.nc");
    EXPECT_TRUE(report.ok()) << report.problems.front();
    EXPECT_EQ(report.records, 3);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(Netcdf4, HasTheSameBytesForAnyNumberOfRanksAndEitherMode) {
    const Folder folder;
    write(MPI_COMM_WORLD, folder / "many.nc", options(GetParam().mode, GetParam().storage()), 3);
    if (world_rank() == 0) {
        write(MPI_COMM_SELF, folder / "one.nc", options("serial", GetParam().storage()), 3);
        EXPECT_TRUE(dataset::bytes_of(folder / "many.nc") == dataset::bytes_of(folder / "one.nc"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(Netcdf4, ContinuesAfterARestartAsIfThereHadBeenNone) {
    const Folder folder;
    const FileOptions how = options(GetParam().mode, GetParam().storage());
    const Part part(MPI_COMM_WORLD);
    write(MPI_COMM_WORLD, folder / "whole.nc", how, 5);
    write(MPI_COMM_WORLD, folder / "cut.nc", how, 4);
    const auto size = std::filesystem::file_size(folder / "cut.nc");
    MPI_Barrier(MPI_COMM_WORLD);
    for (int again = 0; again < 3; ++again) {  // what is dropped gives its place to what comes
        File file = File::reopen(MPI_COMM_WORLD, folder / "cut.nc", schema(), time_of(1), how);
        EXPECT_EQ(file.records(), 2);
        EXPECT_EQ(Reader(folder / "cut.nc").records(), 2);
        MPI_Barrier(MPI_COMM_WORLD);
        for (std::int64_t record = 2; record < 5; ++record) part.append(file, record);
        file.close();
    }
    EXPECT_EQ(difference(folder / "cut.nc", folder / "whole.nc"), "");
    EXPECT_TRUE(verify_file(folder / "cut.nc").ok());
    EXPECT_LT(std::filesystem::file_size(folder / "cut.nc"), 2 * size);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(Netcdf4, IsNotContinuedInAnotherForm) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    write(MPI_COMM_WORLD, path, options(GetParam().mode, GetParam().storage()), 1);
    const auto message = [&](const Storage& storage, const Schema& wanted) -> std::string {
        try {
            File::reopen(MPI_COMM_WORLD, path, wanted, 1e9, options("auto", storage));
            return "";
        } catch (const base::Refusal& refusal) {
            return refusal.what();
        }
    };
    Schema renamed = schema();
    renamed.variables[5].attributes[0] = {"units", "cm"};
    EXPECT_EQ(message({}, schema()),
              path + ": format = netcdf4: expected cdf5, to be continued after a restart");
    EXPECT_EQ(message(GetParam().storage(), renamed),
              path + ": hs:units = \"m\": expected \"cm\", to be continued after a restart");
    const int other = GetParam().compression == 0 ? 4 : 0;
    EXPECT_NE(message({Format::netcdf4, other}, schema()).find("is the compression another?"),
              std::string::npos);
    EXPECT_EQ(verify_file(path).complete_records, 1);
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Any one write call that fails, or that writes nothing or half and reports success: of rank 0, which also
/// writes the header, or of the last rank.
TEST_P(Netcdf4, ShowsWholeRecordsOnlyWhicheverWriteFails) {
    const Folder folder;
    const FileOptions how = options(GetParam().mode, GetParam().storage(), true);
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int last = GetParam().mode == "direct" ? ranks - 1 : 0;
    const Part part(MPI_COMM_WORLD);
    int failures = 0;
    for (const auto& [victim, call] :
         {std::pair{0, 7}, {0, 8}, {0, 10}, {0, 13}, {0, 14}, {last, last > 0 ? 2 : 15}, {0, 16}}) {
        const std::string path =
            folder / ("file" + std::to_string(call) + "_" + std::to_string(victim) + ".nc");
        // One rank: the first header is calls 1 and 2, the next 7 and 8, that of a record 13 and 14.
        const char* kind = call < 7 ? "short" : call < 15 ? "silent" : "EIO";
        std::int64_t whole = -1;
        {
            const dataset::Environment fault(
                "GROUNDSWELL_TEST_FAIL",
                std::string("write:") + kind + ":" + std::to_string(call) + ":" + std::to_string(victim));
            File file = File::create(MPI_COMM_WORLD, path, schema(), how);
            try {
                part.write_fixed(file);
                EXPECT_EQ(Reader(path).records(), 0);  // what a call returned for is there
                for (whole = 0; whole < 2;) {
                    part.append(file, whole);
                    EXPECT_EQ(Reader(path).records(), ++whole);
                }
                file.close();
            } catch (const base::RunFailure& failure) {
                ++failures;
                EXPECT_EQ(std::string(failure.what()).find(path + ": "), 0u) << failure.what();
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
        EXPECT_EQ(Reader(path).records(), std::max<std::int64_t>(whole, 0)) << kind << " at call " << call;
        MPI_Barrier(MPI_COMM_WORLD);
        if (whole < 1) continue;
        File file = File::reopen(MPI_COMM_WORLD, path, schema(), 1e9, how);
        for (; whole < 2; ++whole) part.append(file, whole);
        file.close();
        const FileReport report = verify_file(path);
        EXPECT_TRUE(report.ok() && report.records == 2) << kind << " at call " << call;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT_GT(failures, 0);
}

/// on_error = retry repeats the very call: the second attempt leaves nothing of the first.
TEST_P(Netcdf4, TakesARecordThatFailedOnce) {
    const Folder folder;
    const FileOptions how = options(GetParam().mode, GetParam().storage());
    const Part part(MPI_COMM_WORLD);
    write(MPI_COMM_WORLD, folder / "whole.nc", how, 3);
    File file = File::create(MPI_COMM_WORLD, folder / "file.nc", schema(), how);
    part.write_fixed(file);
    part.append(file, 0);
    file.close();
    const dataset::Environment fault("GROUNDSWELL_TEST_FAIL", "write:ENOSPC:5:0");
    file = File::reopen(MPI_COMM_WORLD, folder / "file.nc", schema(), 1e9, how);
    int failed = 0;
    for (std::int64_t record = 1; record < 3;) {
        try {
            part.append(file, record);
            ++record;
        } catch (const base::RunFailure&) {
            ++failed;
            file.forget_failure();
        }
    }
    file.close();
    EXPECT_EQ(failed, 1);
    EXPECT_EQ(difference(folder / "file.nc", folder / "whole.nc"), "");
    EXPECT_TRUE(verify_file(folder / "file.nc").ok());
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Netcdf4Storage, CompressionMakesTheFileSmaller) {
    const Folder folder;
    write(MPI_COMM_WORLD, folder / "plain.nc", options("auto", {Format::netcdf4, 0}), 2);
    write(MPI_COMM_WORLD, folder / "small.nc", options("auto", {Format::netcdf4, 4}), 2);
    EXPECT_LT(3 * std::filesystem::file_size(folder / "small.nc"),
              std::filesystem::file_size(folder / "plain.nc"));
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Netcdf4Storage, CompressionOfCdf5IsRefused) {
    const Folder folder;
    try {
        write(MPI_COMM_WORLD, folder / "file.nc", options("auto", {Format::cdf5, 4}), 1);
        FAIL() << "not refused";
    } catch (const base::Refusal& refusal) {
        EXPECT_EQ(std::string(refusal.what()),
                  folder / "file.nc" +
                      ": compression = 4: expected 0, or format = \"netcdf4\" with it: CDF-5 files "
                      "cannot be compressed");
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "file.nc"));
}

// Small records share chunks, and the metadata of so many take no more than their share of the
// disk.
TEST(Netcdf4Storage, SmallRecordsTakeLittleRoom) {
    const Folder folder;
    const std::string path = folder / "series.nc";
    Schema small;
    small.dimensions = {{"time", 0, true}, {"station", 5}};
    small.variables = {{"time", Type::float64, {"time"}, {}}, {"hs", Type::float32, {"time", "station"}, {}}};
    const Decomposition stations(
        MPI_COMM_WORLD, 5,
        world_rank() == 0 ? std::vector<std::int64_t>{0, 1, 2, 3, 4} : std::vector<std::int64_t>{});
    File file = File::create(MPI_COMM_WORLD, path, small, options("auto", {Format::netcdf4, 0}));
    for (int record = 0; record < 600; ++record) {
        std::vector<float> values;
        for (int station = 0; world_rank() == 0 && station < 5; ++station)
            values.push_back(static_cast<float>(10 * record + station));
        const Values hs_values = distributed<float>("hs", stations, values);
        file.append_record(record, {&hs_values, 1});
    }
    file.close();
    const Reader reader(path);
    ASSERT_EQ(reader.records(), 600);
    for (int record = 0; record < 600; ++record) {
        EXPECT_EQ(reader.read_all<double>("time", record)[0], record);
        EXPECT_EQ(reader.read_all<float>("hs", record)[4], static_cast<float>(10 * record + 4));
    }
    EXPECT_LT(std::filesystem::file_size(path), std::size_t{5} << 20);
    MPI_Barrier(MPI_COMM_WORLD);
}

class Netcdf4Ways : public launch::OutputWays {};
INSTANTIATE_TEST_SUITE_P(Modes, Netcdf4Ways, testing::ValuesIn(launch::ways()), launch::name_of);

TEST_P(Netcdf4Ways, GiveTheSameBytesCompressedOrNot) {
    const Folder folder;
    for (const int compression : {0, 4}) {
        const std::string path = folder / ("file" + std::to_string(compression) + ".nc");
        OutputOptions how;
        how.storage = {Format::netcdf4, compression};
        launch::run(GetParam(), how, [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.create(path, schema());
            part.write_fixed(file);
            for (std::int64_t record = 0; record < 3; ++record) part.append(file, record);
            Dataset restart = output.replace(folder / "restart.nc", schema());
            part.write_fixed(restart);
            restart.close();
        });
        MPI_Barrier(MPI_COMM_WORLD);
        const std::string alone = folder / ("alone" + std::to_string(world_rank()) + ".nc");
        write(MPI_COMM_SELF, alone, options("serial", how.storage, true), 3);
        EXPECT_TRUE(dataset::bytes_of(path) == dataset::bytes_of(alone)) << compression;
        EXPECT_FALSE(netcdf::is_hdf5(folder / "restart.nc"));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

}  // namespace
