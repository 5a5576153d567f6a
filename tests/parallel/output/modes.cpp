#include <gtest/gtest.h>
#include <mpi.h>

#include <filesystem>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/checksum.hpp"
#include "groundswell/output/formats/classic_header.hpp"
#include "support/output_launch.hpp"

// Who writes, and when, leaves no trace in the files.
namespace {

using namespace groundswell;
using namespace dataset;
using launch::OutputWays;

INSTANTIATE_TEST_SUITE_P(Modes, OutputWays, testing::ValuesIn(launch::ways()), launch::name_of);

/// What one rank alone writes without any Output, as the bytes of a file.
std::string reference(std::int64_t records) {
    const Folder folder;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::string path = folder / ("reference" + std::to_string(rank));
    write(MPI_COMM_SELF, path, "auto", records);
    return bytes_of(path);
}

TEST_P(OutputWays, GiveTheSameBytes) {
    const Folder folder;
    const std::string many = reference(5), few = reference(2), none = reference(0);
    launch::run(GetParam(), {}, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset hourly = output.create(folder / "hourly.nc", schema());
        Dataset daily = output.create(folder / "daily.nc", schema());
        part.write_fixed(hourly);
        part.write_fixed(daily);
        for (std::int64_t record = 0; record < 5; ++record) {
            part.append(hourly, record);
            if (record % 3 == 0) part.append(daily, record / 3);
            if (record != 2) continue;
            Dataset restart = output.replace(folder / "restart.nc", schema());
            part.write_fixed(restart);
            restart.close();
        }
        hourly.close();
    });
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(bytes_of(folder / "hourly.nc") == many);
    EXPECT_TRUE(bytes_of(folder / "daily.nc") == few);
    EXPECT_TRUE(bytes_of(folder / "restart.nc") == none);
    EXPECT_FALSE(std::filesystem::exists(folder / "restart.nc.part"));
}

TEST_P(OutputWays, MayBeChangedBetweenTwoPartsOfARun) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    const std::string whole = reference(5);
    write(MPI_COMM_WORLD, path, "auto", 4);
    launch::run(GetParam(), {}, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset file = output.reopen(path, schema(), time_of(2));
        for (std::int64_t record = 3; record < 5; ++record) part.append(file, record);
    });
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(bytes_of(path) == whole);
}

TEST_P(OutputWays, StoreTheSameChecksums) {
    const Folder folder;
    OutputOptions options;
    options.checksums = true;
    const auto write_at = [&](const std::string& path) {
        return [&, path](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.create(path, schema());
            part.write_fixed(file);
            for (std::int64_t record = 0; record < 2; ++record) part.append(file, record);
        };
    };
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::string alone = folder / ("alone" + std::to_string(rank));
    {
        OutputOptions direct = options;
        direct.mode = available_modes().front();
        Output output(MPI_COMM_SELF, direct);
        write_at(alone)(MPI_COMM_SELF, output);
        output.finish();
    }
    launch::run(GetParam(), options, write_at(folder / "file.nc"));
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(bytes_of(folder / "file.nc") == bytes_of(alone));
    EXPECT_EQ(wrong_values(folder / "file.nc", 2), 0);
    std::vector<float> heights;
    for (std::int64_t face = 0; face < faces; ++face) heights.push_back(hs(1, face));
    EXPECT_EQ(
        static_cast<std::uint64_t>(Reader(folder / "file.nc").read_all<std::int64_t>("hs_checksum", 1)[0]),
        rows_checksum(0, std::as_bytes(std::span(heights)), 4));
}

TEST_P(OutputWays, CountWhatTheyWrote) {
    const Folder folder;
    launch::run(GetParam(), {}, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset file = output.create(folder / "file.nc", schema());
        part.write_fixed(file);
        for (std::int64_t record = 0; record < 3; ++record) part.append(file, record);
        output.settle();
        const OutputReport report = output.report();
        EXPECT_EQ(report.records, 3);
        EXPECT_EQ(report.bytes, 3 * (8 + 4 * faces * (1 + bins)) + 4 + faces * (8 + 4 * corners));
        EXPECT_GT(report.writing_seconds, report.setup_seconds);
        EXPECT_GT(report.setup_seconds, 0.0);
        EXPECT_EQ(read_record_count(folder / "file.nc"), 3);  // settled: on the disk
    });
}

// Open MPI's own words would be about a file; these are about what the user asked for.
TEST_P(OutputWays, TellAtOnceWhenAskedWhatCannotBeOpened) {
    const Folder folder;
    launch::run(
        GetParam(), {},
        [&](MPI_Comm, Output& output) {
            std::string message = "no error";
            try {
                output.create(folder / "nowhere/file.nc", schema());
                output.settle();
            } catch (const base::Refusal& refusal) {
                message = refusal.what();
            }
            EXPECT_NE(message.find("nowhere: expected a folder that exists"), std::string::npos) << message;
            EXPECT_THROW(output.finish(), base::Refusal);
        },
        nullptr, false);
}

}  // namespace
