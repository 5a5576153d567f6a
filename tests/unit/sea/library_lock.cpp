#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>
#include <pthread.h>

#include <atomic>

#include "groundswell/base/constants.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/dataset.hpp"
#include "support/wind_files.hpp"
#include "support/wind_forcing.hpp"

// netCDF must not be entered by two threads. A run reads wind file after wind file, opening and closing each
// when its time comes, while its writer thread makes files through the same library: whoever calls it holds the
// lock.
namespace {

std::atomic<pthread_mutex_t*> library_mutex = nullptr;  // the lock, while a test looks
thread_local int held = 0;                              // by this thread
std::atomic<int> calls, calls_without_lock, closed;

template <class Function>
Function* next_of(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

void note_call() {
    if (library_mutex == nullptr) return;
    ++calls;
    if (held == 0) ++calls_without_lock;
}

}  // namespace

// In the place of the system's and the library's own ones: each notes and passes on.
#define PASS_ON(name, parameters, ...)                            \
    extern "C" int name parameters {                              \
        static auto* const next = next_of<int parameters>(#name); \
        note_call();                                              \
        return next(__VA_ARGS__);                                 \
    }
PASS_ON(nc_open, (const char* path, int mode, int* id), path, mode, id)
PASS_ON(nc_create, (const char* path, int mode, int* id), path, mode, id)
PASS_ON(nc_inq, (int id, int* dimensions, int* variables, int* attributes, int* unlimited), id, dimensions,
        variables, attributes, unlimited)
PASS_ON(nc_inq_dim, (int id, int dimension, char* name, std::size_t* length), id, dimension, name, length)
PASS_ON(nc_inq_att, (int id, int variable, const char* name, nc_type* type, std::size_t* length), id,
        variable, name, type, length)
PASS_ON(nc_get_att_text, (int id, int variable, const char* name, char* text), id, variable, name, text)
PASS_ON(nc_get_att_double, (int id, int variable, const char* name, double* values), id, variable, name,
        values)
PASS_ON(nc_get_vara_double,
        (int id, int variable, const std::size_t* first, const std::size_t* count, double* values), id,
        variable, first, count, values)
PASS_ON(nc_def_dim, (int id, const char* name, std::size_t length, int* dimension), id, name, length,
        dimension)
PASS_ON(nc_def_var, (int id, const char* name, nc_type type, int count, const int* dimensions, int* variable),
        id, name, type, count, dimensions, variable)
PASS_ON(nc__enddef, (int id, std::size_t a, std::size_t b, std::size_t c, std::size_t d), id, a, b, c, d)
#undef PASS_ON

extern "C" int nc_close(int id) {
    static auto* const next = next_of<int(int)>("nc_close");
    note_call();
    if (library_mutex != nullptr) ++closed;
    return next(id);
}

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    static auto* const next = next_of<int(pthread_mutex_t*)>("pthread_mutex_lock");
    const int answer = next(mutex);
    if (mutex == library_mutex) ++held;
    return answer;
}

extern "C" int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    static auto* const next = next_of<int(pthread_mutex_t*)>("pthread_mutex_unlock");
    if (mutex == library_mutex) --held;
    return next(mutex);
}

namespace {

using namespace groundswell;

/// Looks at all calls of the library while it lives.
class Watch {
public:
    Watch() {
        calls = calls_without_lock = closed = 0;
        pthread_mutex_t* const mutex = netcdf::own_library().mutex()->native_handle();
        library_mutex = mutex;
    }
    ~Watch() { library_mutex = nullptr; }
};

TEST(LibraryLock, IsHeldAtEachCallWhileWindFilesChangeAndAThreadWrites) {
    const test::TemporaryFolder folder;
    const std::vector<double> longitude{103.0 * base::degree}, latitude{6.0 * base::degree};
    const base::Instant start = *base::parse_instant("2024-01-01T00:00:00Z");
    sea::FileOptions options;
    constexpr int files = 4;
    for (int i = 0; i < files; ++i) {
        test::WindFileMaker maker;
        maker.format = i % 2 == 0 ? NC_NETCDF4 : NC_64BIT_DATA;
        for (double& time : maker.time) time += 24.0 * i;
        options.files.push_back(maker.write(folder.file("wind" + std::to_string(i) + ".nc")));
    }

    output::OutputOptions how;
    how.mode = "thread";
    how.backend = "serial";  // through netCDF-C
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}, {"cell", 1}};
    schema.variables = {{"time", output::Type::float64, {"time"}, {}},
                        {"hs", output::Type::float64, {"time", "cell"}, {}}};
    {
        const Watch watch;
        const std::int64_t owned = 0;
        const output::Decomposition rows(MPI_COMM_SELF, 1, std::span(&owned, 1));
        output::Output output(MPI_COMM_SELF, how);
        test::WindForcing wind(MPI_COMM_SELF, "case.toml", {test::entry_of(options)}, longitude, latitude,
                               start, *base::parse_instant("2024-01-05T00:00:00Z"));
        sea::Real eastward = 0, northward = 0;
        for (const char* time : {"01T00", "01T15", "02T03", "02T21", "03T06", "03T18", "04T09", "05T00"}) {
            const base::Instant now = *base::parse_instant(std::string("2024-01-") + time + ":00:00Z");
            wind.wind_at(now, std::span(&eastward, 1), std::span(&northward, 1));
            const double value = eastward;
            output::Dataset file = output.create(folder.file(std::string(time) + ".nc"), schema);
            const output::Values values =
                output::distributed<double>("hs", rows, std::span<const double>(&value, 1));
            file.append_record(0.0, {&values, 1});
            file.close();
        }
        output.finish();
    }
    EXPECT_GT(calls, 100);
    EXPECT_GE(closed, 2 * 2 * files);  // looked at and read, for each component
    EXPECT_EQ(calls_without_lock, 0);
}

}  // namespace
