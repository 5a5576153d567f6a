#include "groundswell/parallel/machine/limits.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/parallel/machine/container.hpp"
#include "groundswell/parallel/memory.hpp"

namespace groundswell::parallel {

namespace {

constexpr const char* room_variable = "GROUNDSWELL_TEST_SHM";

std::int64_t limit(int resource) {
    rlimit found{};
    if (::getrlimit(static_cast<__rlimit_resource>(resource), &found) != 0 || found.rlim_cur == RLIM_INFINITY)
        return Limits::none;
    return static_cast<std::int64_t>(found.rlim_cur);
}

std::int64_t machine_bytes() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::int64_t kilobytes = 0;
    return file >> name >> kilobytes && name == "MemTotal:" ? kilobytes * 1024 : 0;
}

}  // namespace

std::optional<std::int64_t> pretended_shared_memory() {
    const char* value = std::getenv(room_variable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    const auto bytes = base::parse_measure(value, {{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}});
    if (bytes && *bytes >= 0.0 && *bytes < 1e18) return static_cast<std::int64_t>(*bytes);
    base::refuse("environment", room_variable, value, "a size such as 64MB");
}

Limits this_process_limits() {
    Limits limits;
    struct statvfs room {};
    if (::statvfs("/dev/shm", &room) == 0) {
        const auto block = static_cast<std::int64_t>(room.f_frsize);
        limits.shared_memory_bytes = static_cast<std::int64_t>(room.f_blocks) * block;
        limits.free_shared_memory_bytes = static_cast<std::int64_t>(room.f_bavail) * block;
    }
    if (const auto pretended = pretended_shared_memory()) {
        limits.shared_memory_bytes = *pretended;
        limits.free_shared_memory_bytes = *pretended;
    }
    limits.memory_bytes = std::min(machine_bytes(), read_memory_quota().bytes);
    limits.free_memory_bytes = std::min(available_memory_bytes(), limits.memory_bytes);
    limits.open_files = limit(RLIMIT_NOFILE);
    limits.locked_bytes = limit(RLIMIT_MEMLOCK);
    limits.stack_bytes = limit(RLIMIT_STACK);
    return limits;
}

}  // namespace groundswell::parallel
