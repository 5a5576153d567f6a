#include <gtest/gtest.h>
#include <malloc.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "support/output_launch.hpp"

// Behind a disk that is slower than the model the memory of a rank stays flat: at most the bound of the
// buffer and one record, whatever the number of records.
namespace {

using namespace groundswell;
using namespace dataset;

constexpr std::int64_t width = 64;                      // values of a row
constexpr std::int64_t rows_each = 8192;                // of a rank that computes
constexpr std::int64_t record = 4 * width * rows_each;  // bytes on a rank: 2 MiB

std::int64_t status_bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::int64_t kibibytes = 0;
        if (word == key + ":" && status >> kibibytes) return 1024 * kibibytes;
    }
    return -1;
}

/// Lets the system count the largest resident memory from now on.
bool forget_peak() {
    std::ofstream refs("/proc/self/clear_refs");
    refs << "5" << std::flush;
    return refs.good();
}

Schema large_schema(std::int64_t rows) {
    Schema schema;
    schema.dimensions = {{"time", 0, true}, {"nFace", rows}, {"bin", width}};
    schema.variables = {{"time", Type::float64, {"time"}, {}},
                        {"energy", Type::float32, {"time", "nFace", "bin"}, {}}};
    return schema;
}

class OutputMemory : public launch::OutputWays {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputMemory, testing::ValuesIn([] {
                             std::vector<launch::Way> ways = launch::server_ways();
                             ways.push_back({"thread", 0});
                             return ways;
                         }()),
                         launch::name_of);

TEST_P(OutputMemory, StaysFlatBehindASlowDisk) {
    // Freed memory goes back to the system at once: what counts here is what is held.
    ::mallopt(M_MMAP_THRESHOLD, 64 * 1024);
    const Folder folder;
    const Environment slow("GROUNDSWELL_TEST_DISK", "40MB/s");  // a record of all ranks: 0.05 s a rank
    OutputOptions options;
    options.buffer_bytes = 2 * record;
    std::int64_t grown = -1, waits = 0;
    const bool computes = launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        int rank = 0, ranks = 1;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        std::vector<std::int64_t> owned;
        for (std::int64_t row = rank; row < rows_each * ranks; row += ranks) owned.push_back(row);
        const Decomposition decomposition(comm, rows_each * ranks, owned);
        Dataset file = output.create(folder / "file.nc", large_schema(rows_each * ranks));
        const std::vector<float> energies(static_cast<std::size_t>(rows_each * width), 1.5f);
        const std::vector<Values> values{distributed<float>("energy", decomposition, energies)};
        const auto append = [&](std::int64_t number) { file.append_record(time_of(number), values); };
        append(0);
        output.settle();   // what the libraries keep for themselves is there now
        ::malloc_trim(0);  // what the tests before have left is no room for this one
        if (!forget_peak()) return;
        const std::int64_t before = status_bytes("VmRSS");
        for (std::int64_t number = 1; number < 16; ++number) append(number);
        grown = status_bytes("VmHWM") - before;
        waits = output.report().waits;
    });
    if (!computes) return;
    if (grown < 0) GTEST_SKIP() << "this system does not count a peak of memory anew";
    EXPECT_GT(waits, 0);
    // Some libraries keep what they were given once: later ways then need nothing new.
    static std::int64_t most = 0;
    most = std::max(most, grown);
    EXPECT_GT(most, record / 2);
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the address sanitizer keeps memory of its own for what is freed";
#endif
    // Besides the values: lists, descriptions, pages that are not full.
    EXPECT_LE(grown, options.buffer_bytes + record + record / 8) << "bytes; a record has " << record;
    RecordProperty("grown", std::to_string(grown));
}

}  // namespace
