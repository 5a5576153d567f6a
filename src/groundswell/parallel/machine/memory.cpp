#include "groundswell/parallel/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/machine/container.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::parallel {

std::int64_t available_memory_bytes() {
    if (const char* pretended = std::getenv("GROUNDSWELL_TEST_MEMORY"); pretended != nullptr)
        return std::atoll(pretended);
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    const std::int64_t allowed = read_memory_quota().free;
    for (std::int64_t value = 0; file >> name >> value && std::getline(file, unit);)
        if (name == "MemAvailable:") return std::min(value * 1024, allowed);
    return allowed;
}

bool fits_in_memory(MPI_Comm comm, std::int64_t bytes) {
    const Communicator host = host_communicator(comm, find_placement(comm));
    const bool fits = sum(host.get(), bytes) <= min(host.get(), available_memory_bytes());
    return min(comm, std::int64_t{fits ? 1 : 0}) == 1;
}

void require_memory(MPI_Comm comm, std::int64_t bytes, const std::string& where, const std::string& key,
                    const std::string& value) {
    const Placement placement = find_placement(comm);
    const Communicator host = host_communicator(comm, placement);
    const std::int64_t all = sum(host.get(), bytes), available = min(host.get(), available_memory_bytes());
    agree(comm, [&] {
        base::require(all <= available, where, key, value,
                      fmt::format("what fits into the {} that host {} has free: {} are needed there",
                                  base::size_text(available), placement.host_name, base::size_text(all)));
    });
}

}  // namespace groundswell::parallel
