#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/formats/classic_header.hpp"
#include "support/output_launch.hpp"

// Hints reach the libraries below: PnetCDF, as its alignment shows in the file, and MPI-IO, as what
// MPI_File_open is given shows. For that this program puts a function of its own before the library's, by the
// profiling interface of MPI (MPI 3.1, section 14.2).
namespace {

std::mutex guard;                                                  // a writer thread opens files too
std::map<std::string, std::map<std::string, std::string>> opened;  // the last hints of each path

std::map<std::string, std::string> table_of(MPI_Info info) {
    std::map<std::string, std::string> table;
    int count = 0;
    if (info != MPI_INFO_NULL) MPI_Info_get_nkeys(info, &count);
    for (int i = 0; i < count; ++i) {
        std::array<char, MPI_MAX_INFO_KEY + 1> key{};
        std::array<char, MPI_MAX_INFO_VAL + 1> value{};
        int there = 0;
        MPI_Info_get_nthkey(info, i, key.data());
        MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &there);
        if (there != 0) table[key.data()] = value.data();
    }
    return table;
}

}  // namespace

extern "C" int MPI_File_open(MPI_Comm comm, const char* path, int mode, MPI_Info info, MPI_File* file) {
    {
        const std::lock_guard<std::mutex> lock(guard);
        opened[path] = table_of(info);
    }
    return PMPI_File_open(comm, path, mode, info, file);
}

namespace {

using namespace groundswell::output;
using dataset::Folder;

constexpr std::int64_t block = 65536;
constexpr auto being_made = ".part";  // what a name ends in until the file has a header

class OutputHints : public testing::TestWithParam<launch::Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, OutputHints, testing::ValuesIn(launch::ways()),
                         [](const auto& each) { return each.param.name(); });

bool has_pnetcdf() {
    const std::vector<std::string> modes = available_modes();
    return std::find(modes.begin(), modes.end(), "direct") != modes.end();
}

TEST_P(OutputHints, ReachPnetcdfAndMpiIo) {
    if (!has_pnetcdf()) GTEST_SKIP() << "a build without PnetCDF has no use for hints";
    const Folder folder;
    const std::string path = folder / "file.nc";
    OutputOptions options;
    options.hints = {{"striping_factor", "8"},
                     {"striping_unit", "4194304"},
                     {"nc_var_align_size", std::to_string(block)},
                     {"nc_record_align_size", std::to_string(block)}};
    opened.clear();
    launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        const dataset::Part part(comm);
        Dataset file = output.create(path, dataset::schema());
        part.write_fixed(file);
        part.append(file, 0);
        file.close();
    });
    MPI_Barrier(MPI_COMM_WORLD);
    const bool parallel = GetParam().mode != "serial";
    if (const auto found = opened.find(path + being_made); found != opened.end()) {
        EXPECT_EQ(found->second["striping_factor"], "8");
        EXPECT_EQ(found->second["striping_unit"], "4194304");
    }
    int openers = static_cast<int>(opened.count(path + being_made));
    MPI_Allreduce(MPI_IN_PLACE, &openers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(openers > 0, parallel);

    const ClassicHeader header = read_classic_header(path);
    EXPECT_EQ(header.record_begin % block == 0, parallel) << header.record_begin;
    EXPECT_EQ(dataset::wrong_values(path, 1), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Found before any file is made: MPI-IO divides by some, and leaves others out without a word.
TEST(OutputHintValues, ThatLibrariesDoNotSurviveAreRefusedByName) {
    const std::pair<const char*, std::string> wrong[] = {
        {"cb_nodes", "0"},
        {"cb_nodes", "-1"},
        {"cb_nodes", "two"},
        {"cb_buffer_size", "-1"},
        {"striping_unit", "-1"},
        {"nc_header_align_size", "1000000000000"},
        {"nc_var_align_size", "1e12"},
        {"", "1"},
        {"a_name_of_a_hint_that_is_longer_than_any_library_takes_to_be_one_and_of_those_that_take_long_names_"
         "too__a_name_of_a_hint_that_is_longer_than_any_library_takes_to_be_one_and_of_those_that_take_long_"
         "names_too__a_name_of_a_hint_that_is_longer_than_any_library_takes_to_be_one",
         "1"},
        {"romio_cb_write", std::string(100'000, 'x')},
    };
    for (const auto& [key, value] : wrong) {
        OutputOptions options;
        options.where = "case.toml";
        options.names.hints = "run.hints";
        options.hints[key] = value;
        try {
            const Output output(MPI_COMM_WORLD, options);
            ADD_FAILURE() << key << " = " << value.substr(0, 20);
        } catch (const groundswell::base::Refusal& refusal) {
            const std::string message = refusal.what();
            EXPECT_TRUE(message.starts_with("case.toml: run.hints")) << message;
            EXPECT_NE(message.find(std::string(key).substr(0, 35)), std::string::npos) << message;
        }
    }
}

// A file of the other format is made by MPI-IO too where there are hints, for it is then that a file system
// lays it out; nobody needs to open it so again.
TEST_P(OutputHints, ReachMpiIoWhenAnHdf5FileIsMade) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    OutputOptions options;
    options.storage.format = Format::netcdf4;
    options.hints = {{"striping_factor", "8"}, {"striping_unit", "4194304"}};
    opened.clear();
    launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        const dataset::Part part(comm);
        Dataset file = output.create(path, dataset::schema());
        part.write_fixed(file);
        part.append(file, 0);
        file.close();
    });
    MPI_Barrier(MPI_COMM_WORLD);
    if (const auto found = opened.find(path + being_made); found != opened.end()) {
        EXPECT_EQ(found->second["striping_factor"], "8");
        EXPECT_EQ(found->second["striping_unit"], "4194304");
    }
    int openers = static_cast<int>(opened.count(path + being_made));
    MPI_Allreduce(MPI_IN_PLACE, &openers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_GT(openers, 0);
    EXPECT_EQ(dataset::wrong_values(path, 1), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
