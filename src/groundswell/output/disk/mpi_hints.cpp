#include "groundswell/output/disk/mpi_hints.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/folder_probe.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/machine/launcher.hpp"

namespace groundswell::output {

namespace {

struct Bounds {
    std::string_view key;
    std::int64_t least, most;
};

// MPI-IO divides by the first three. Alignments are kept in 32 bits, and are bytes that every file loses.
constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
constexpr Bounds bounds[] = {
    {"cb_nodes", 1, 1 << 30},           {"cb_buffer_size", 1, INT64_MAX},
    {"striping_unit", 0, INT64_MAX},    {"nc_header_align_size", 0, gibibyte},
    {"nc_var_align_size", 0, gibibyte}, {"nc_record_align_size", 0, gibibyte},
};

constexpr const char* semaphore_folder =
    "/dev/shm";                    // where Linux keeps semaphores with names: sem_overview(7)
constexpr int files_at_once = 16;  // more than a run has open

bool keeps_semaphores() {
    if (parallel::library().name != "Open MPI") return false;
    if (mpi_io_layer(parallel::library(), parallel::mpi_variable("io"), "") != "ompio") return false;
    const std::string setting = parallel::mpi_variable("sharedfp");
    const bool excludes = setting.starts_with('^'), names_it = setting.find("sm") != std::string::npos;
    return setting.empty() || excludes != names_it;
}

}  // namespace

void check_hints(const std::map<std::string, std::string>& hints, const std::string& where,
                 const std::string& table) {
    for (const auto& [key, value] : hints) {
        base::require(
            !key.empty() && key.size() < MPI_MAX_INFO_KEY, where, table, key,
            fmt::format("names of 1 to {} bytes: the MPI library takes no others", MPI_MAX_INFO_KEY - 1));
        const std::string name = fmt::format("{}.{}", table, key);
        base::require(!value.empty() && value.size() < MPI_MAX_INFO_VAL, where, name, value,
                      fmt::format("a value of 1 to {} bytes", MPI_MAX_INFO_VAL - 1));
        for (const Bounds& known : bounds) {
            if (known.key != key) continue;
            const auto number = base::parse_number<std::int64_t>(value);
            base::require(number && *number >= known.least && *number <= known.most, where, name, value,
                          known.most == INT64_MAX
                              ? fmt::format("a whole number, at least {}", known.least)
                              : fmt::format("a whole number from {} to {}", known.least, known.most));
        }
    }
}

std::string missing_shared_memory(int ranks) {
    const std::int64_t wanted = (ranks + files_at_once) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
    const std::int64_t free = free_bytes(semaphore_folder);
    if (free >= wanted || !keeps_semaphores()) return "";
    return fmt::format(
        "{} has {} kB free where MPI-IO wants {} kB: enlarge it (a container's --shm-size), or do without by "
        "the environment variable OMPI_MCA_sharedfp=^sm",
        semaphore_folder, free / 1000, wanted / 1000 + 1);
}

}  // namespace groundswell::output
