#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <netcdf.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/output/check/comparison.hpp"
#include "groundswell/output/check/verification.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/disk/folder_lock.hpp"
#include "groundswell/output/formats/classic_header.hpp"
#include "support/output_dataset.hpp"

// What is wrong with a file is found and named; what is right is not complained of. One run a folder.
namespace {

using namespace groundswell;
using namespace groundswell::output;

void write_file(const std::string& path, bool checksums) {
    OutputOptions options;
    options.mode = available_modes().front();
    options.checksums = checksums;
    Output output(MPI_COMM_SELF, options);
    const dataset::Part part(MPI_COMM_SELF);
    Dataset file = output.create(path, dataset::schema());
    part.write_fixed(file);
    for (std::int64_t record = 0; record < 3; ++record) part.append(file, record);
    output.finish();
}

void flip_byte(const std::string& path, std::int64_t at) {
    std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(at);
    const char byte = static_cast<char>(stream.get() ^ 1);
    stream.seekp(at);
    stream.put(byte);
}

TEST(OutputVerification, FindsNothingInSoundFiles) {
    const dataset::Folder folder;
    write_file(folder / "plain.nc", false);
    write_file(folder / "checked.nc", true);
    const FileReport plain = verify_file(folder / "plain.nc"), checked = verify_file(folder / "checked.nc");
    EXPECT_TRUE(plain.ok());
    EXPECT_EQ(plain.records, 3);
    EXPECT_EQ(plain.complete_records, 3);
    EXPECT_EQ(plain.checksums, 0);
    EXPECT_TRUE(checked.ok());
    EXPECT_EQ(checked.checksums, 3 * 3 + 3);  // time, hs, energy in three records, and three fixed ones
}

TEST(OutputVerification, FindsOneChangedBitByItsChecksum) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    write_file(path, true);
    const ClassicHeader header = read_classic_header(path);
    flip_byte(path, header.find("energy")->begin + header.record_bytes + 1000);
    FileReport report = verify_file(path);
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0], "record 1: variable energy: its values do not match their checksum");
    EXPECT_EQ(report.records, 3);
    EXPECT_EQ(report.complete_records, 1);
    flip_byte(path, header.find("energy")->begin + header.record_bytes + 1000);
    EXPECT_TRUE(verify_file(path).ok());
    flip_byte(path, header.find("mesh_cell")->begin + 7);
    report = verify_file(path);
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0], "variable mesh_cell: its values do not match their checksum");
    EXPECT_EQ(report.complete_records, 3);
}

/// Every byte of the header: what readers see of it is as it was written, or the file is not sound.
TEST(OutputVerification, FindsEveryByteOfTheHeaderThatWasAltered) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc", sound = folder / "sound.nc";
    write_file(path, true);
    std::filesystem::copy_file(path, sound);
    const std::int64_t end = read_classic_header(path).find("mesh")->begin;
    int found = 0;
    for (std::int64_t byte = 0; byte < end; ++byte) {
        if (byte >= 4 && byte < 12) continue;  // a smaller number of records is what a kill leaves
        flip_byte(path, byte);
        const bool ok = verify_file(path).ok();
        found += !ok;
        if (ok) {
            const Comparison comparison = compare(Reader(path), Reader(sound), {});
            EXPECT_TRUE(comparison.identical)
                << "byte " << byte << ": " << fmt::format("{}", fmt::join(comparison.differences, "; "));
        }
        flip_byte(path, byte);
    }
    EXPECT_GT(found, static_cast<int>(end) / 2);
}

TEST(OutputVerification, ANewEndOfTheRunHasItsChecksum) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    Schema schema = dataset::schema();
    OutputOptions options;
    options.checksums = true;
    const dataset::Part part(MPI_COMM_SELF);
    for (const Format format : {Format::cdf5, Format::netcdf4}) {
        options.storage.format = format;
        schema.attributes.emplace_back("time_coverage_end", "2024-09-06T03:00:00Z");
        {
            Output output(MPI_COMM_SELF, options);
            Dataset file = output.create(path, schema, true);
            part.write_fixed(file);
            part.append(file, 0);
            output.finish();
        }
        EXPECT_TRUE(verify_file(path).ok());
        schema.attributes.pop_back();
        schema.attributes.emplace_back("time_coverage_end", "2024-09-06T04:00:00Z");
        {
            Output output(MPI_COMM_SELF, options);
            Dataset file = output.reopen(path, schema, dataset::time_of(0));
            part.append(file, 1);
            output.finish();
        }
        const FileReport report = verify_file(path);
        EXPECT_TRUE(report.ok()) << report.problems.front();
        EXPECT_EQ(Reader(path).text_attribute("time_coverage_end"), "2024-09-06T04:00:00Z");
        schema.attributes.pop_back();
    }
}

TEST(OutputVerification, FindsAFileThatWasCutOff) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    write_file(path, false);
    const ClassicHeader header = read_classic_header(path);
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(header.end_of_record(3) - 10));
    FileReport report = verify_file(path);
    EXPECT_EQ(report.complete_records, 2);
    ASSERT_GE(report.problems.size(), 1u);
    EXPECT_NE(report.problems[0].find("2 of its 3 records are whole, and 10 bytes are missing"),
              std::string::npos)
        << report.problems[0];
    std::filesystem::resize_file(path, 40);  // within the header
    EXPECT_FALSE(verify_file(path).ok());
    EXPECT_THROW(verify_file(folder / "none.nc"), base::Refusal);
}

TEST(OutputVerification, FindsThatAFileOfAnOlderFormatWasCutOff) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    for (const int format : {0, NC_64BIT_OFFSET}) {
        int file = 0, dimension = 0, variable = 0;
        ASSERT_EQ(nc_create(path.c_str(), NC_CLOBBER | format, &file), NC_NOERR);
        nc_def_dim(file, "time", NC_UNLIMITED, &dimension);
        nc_def_var(file, "time", NC_DOUBLE, 1, &dimension, &variable);
        nc_def_var(file, "hs", NC_FLOAT, 1, &dimension, &variable);
        nc_enddef(file);
        for (std::size_t record = 0; record < 3; ++record) {
            const auto value = static_cast<double>(record + 1);
            nc_put_var1_double(file, 0, &record, &value);
            nc_put_var1_double(file, 1, &record, &value);
        }
        ASSERT_EQ(nc_close(file), NC_NOERR);
        EXPECT_TRUE(verify_file(path).ok()) << format;
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 2);
        const FileReport report = verify_file(path);
        EXPECT_EQ(report.complete_records, 2) << format;
        ASSERT_EQ(report.problems.size(), 1u) << format;
        EXPECT_NE(report.problems[0].find("2 bytes are missing"), std::string::npos) << report.problems[0];
    }
}

TEST(OutputVerification, BytesAfterTheLastRecordAreNoFault) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    write_file(path, false);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) + 100000);
    EXPECT_TRUE(verify_file(path).ok());
}

/// Two records of 100000 values each, and 64 KiB of the second given back to the file system.
void write_file_with_hole(const std::string& path, float value, bool checksums) {
    constexpr std::int64_t rows = 100000;
    Schema schema;
    schema.dimensions = {{"time", 0, true}, {"cell", rows}};
    schema.variables = {{"time", Type::float64, {"time"}, {}},
                        {"height", Type::float32, {"time", "cell"}, {}}};
    OutputOptions options;
    options.mode = available_modes().front();
    options.checksums = checksums;
    Output output(MPI_COMM_SELF, options);
    Dataset file = output.create(path, schema);
    const std::vector<float> heights(static_cast<std::size_t>(rows), value);
    for (const double time : {0.0, 1.0}) {
        const Values values = replicated<float>("height", heights);
        file.append_record(time, std::span(&values, 1));
    }
    output.finish();
    const ClassicHeader header = read_classic_header(path);
    const std::int64_t begin = (header.find("height")->begin + header.record_bytes + 65536) / 65536 * 65536;
    const int handle = ::open(path.c_str(), O_RDWR);
    ASSERT_EQ(::fallocate(handle, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, 65536), 0);
    ::close(handle);
}

TEST(OutputVerification, FindsHolesUnlessAChecksumProvesThem) {
    const dataset::Folder folder;
    write_file_with_hole(folder / "plain.nc", 1.5f, false);
    const FileReport plain = verify_file(folder / "plain.nc");
    ASSERT_EQ(plain.problems.size(), 1u);
    EXPECT_NE(plain.problems[0].find("from variable height on, are a hole: never written"), std::string::npos)
        << plain.problems[0];
    EXPECT_EQ(plain.problems[0].find("record 1: bytes "), 0u);
    EXPECT_EQ(plain.complete_records, 1);
    write_file_with_hole(folder / "zeros.nc", 0.0f, true);
    EXPECT_TRUE(verify_file(folder / "zeros.nc").ok());
}

TEST(OutputFolderLock, KeepsASecondRunOut) {
    const dataset::Folder folder;
    std::string message;
    {
        const FolderLock first(folder.path(), "case yagi.toml");
        try {
            const FolderLock second(folder.path(), "case growth.toml");
        } catch (const base::Refusal& refusal) {
            message = refusal.what();
        }
        const std::string who = fmt::format("process {} on host ", ::getpid());
        EXPECT_NE(message.find(who), std::string::npos) << message;
        EXPECT_NE(message.find("does (case yagi.toml)"), std::string::npos) << message;
    }
    EXPECT_FALSE(std::filesystem::exists(folder / ".groundswell.lock"));
    EXPECT_NO_THROW(FolderLock(folder.path(), "case growth.toml"));
}

TEST(OutputFolderLock, OfAProcessThatIsGoneIsTakenOver) {
    const dataset::Folder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        new FolderLock(folder.path(), "case lost.toml");
        ::_exit(0);  // without removing it
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(std::filesystem::exists(folder / ".groundswell.lock"));
    base::set_message_level(base::MessageLevel::info);
    testing::internal::CaptureStderr();
    EXPECT_NO_THROW(FolderLock(folder.path(), "case next.toml"));
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find(fmt::format("process {} on host ", child)), std::string::npos) << said;
    EXPECT_NE(said.find("case lost.toml); its lock is taken over"), std::string::npos) << said;
}

TEST(OutputFolderLock, OfAnotherHostIsBelieved) {
    const dataset::Folder folder;
    std::ofstream(folder / ".groundswell.lock") << "elsewhere\n12\ncase far.toml\n";
    std::string message;
    try {
        const FolderLock lock(folder.path(), "case here.toml");
    } catch (const base::Refusal& refusal) {
        message = refusal.what();
    }
    EXPECT_NE(
        message.find("process 12 on host elsewhere does (case far.toml); if that run has ended, remove "),
        std::string::npos)
        << message;
}

}  // namespace
