#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "groundswell/output/check/verification.hpp"
#include "support/output_dataset.hpp"

// kill -9 at many moments of a record: the file opens, shows complete records only, and can be continued. The
// writer is this very program, started once more to run the one test that is disabled otherwise.
namespace {

using namespace groundswell::output;

constexpr const char* path_variable = "GROUNDSWELL_TEST_KILL_PATH";
constexpr const char* mode_variable = "GROUNDSWELL_TEST_KILL_MODE";
constexpr const char* format_variable = "GROUNDSWELL_TEST_KILL_FORMAT";
constexpr const char* together_variable = "GROUNDSWELL_TEST_KILL_TOGETHER";

struct Way {
    std::string mode;
    Format format;
    std::int64_t together = 1;  // records of a call
    std::string name() const {
        return mode + "_" + std::string(name_of(format)) + (together > 1 ? "_many" : "");
    }
    FileOptions options() const { return {mode, false, {}, {format, 0}}; }
    friend void PrintTo(const Way& way, std::ostream* stream) { *stream << way.name(); }
};

std::vector<Way> ways() {
    std::vector<Way> all;
    for (const Format format : {Format::cdf5, Format::netcdf4})
        for (const std::string& mode : available_modes(format))
            for (const std::int64_t together : {1, 40}) all.push_back({mode, format, together});
    return all;
}

TEST(OutputKillWriter, DISABLED_WritesUntilKilled) {
    ASSERT_NE(std::getenv(path_variable), nullptr) << "only for OutputKill";
    const Way way{std::getenv(mode_variable), parse_format(std::getenv(format_variable), "", ""),
                  std::stoll(std::getenv(together_variable))};
    const dataset::Part part(MPI_COMM_SELF);
    File file = File::create(MPI_COMM_SELF, std::getenv(path_variable), dataset::schema(), way.options());
    part.write_fixed(file);
    for (std::int64_t record = 0; record < 10000; record += way.together)
        part.append(file, record, way.together);
}

pid_t start_writer(const std::string& path, const Way& way) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    // A process of its own, not a child of this one's MPI job.
    for (char** variable = environ; *variable != nullptr;) {
        const std::string name(*variable, std::string(*variable).find('='));
        if (name.starts_with("PMIX_") || name.starts_with("OMPI_COMM_") || name.starts_with("PMI_")) {
            ::unsetenv(name.c_str());
            variable = environ;
        } else {
            ++variable;
        }
    }
    ::setenv(path_variable, path.c_str(), 1);
    ::setenv(mode_variable, way.mode.c_str(), 1);
    ::setenv(format_variable, std::string(name_of(way.format)).c_str(), 1);
    ::setenv(together_variable, std::to_string(way.together).c_str(), 1);
    // A record lasts about 10 ms, most of them between two writes. The header of a netCDF-4 file is new each
    // time.
    ::setenv("GROUNDSWELL_TEST_DISK",
             way.together > 1             ? "12MB/s"
             : way.format == Format::cdf5 ? "300kB/s"
                                          : "6MB/s",
             1);
    ::execl("/proc/self/exe", "writer", "--gtest_also_run_disabled_tests",
            "--gtest_filter=OutputKillWriter.*", "--gtest_brief=1", static_cast<char*>(nullptr));
    ::_exit(127);
}

std::int64_t records_of(const std::string& path) {
    try {
        return Reader(path).records();
    } catch (const std::exception&) {
        return -1;  // not there yet
    }
}

class OutputKill : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputKill, testing::ValuesIn(ways()),
                         [](const auto& each) { return each.param.name(); });

TEST_P(OutputKill, LeavesCompleteRecordsOnly) {
    using namespace std::chrono_literals;
    const dataset::Folder folder;
    for (int round = 0; round < 6; ++round) {
        const std::string path = folder / ("file" + std::to_string(round) + ".nc");
        const pid_t child = start_writer(path, GetParam());
        ASSERT_GT(child, 0);
        for (int waited = 0; waited < 3000 && records_of(path) < 2; ++waited)
            std::this_thread::sleep_for(10ms);
        std::this_thread::sleep_for(round * 3700us);
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << status;
        const std::int64_t records = records_of(path);
        ASSERT_GE(records, 2);
        EXPECT_EQ(dataset::wrong_values(path, records), 0);
        EXPECT_EQ(records % GetParam().together, 0);

        const dataset::Part part(MPI_COMM_SELF);
        EXPECT_TRUE(verify_file(path).ok());
        File file = File::reopen(MPI_COMM_SELF, path, dataset::schema(), 1e9, GetParam().options());
        part.append(file, records);
        file.close();
        EXPECT_EQ(dataset::wrong_values(path, records + 1), 0);
    }
}

}  // namespace
