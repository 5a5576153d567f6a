#include "groundswell/output/disk/mpi_io_memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/folder_probe.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/machine/mpi_settings.hpp"

namespace groundswell::output {

namespace {

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
