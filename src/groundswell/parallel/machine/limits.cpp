#include "groundswell/parallel/machine/limits.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "groundswell/base/errors.hpp"
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

// cgroup v2 or v1; "max", an absent file and what is more than any machine has are no limit.
std::int64_t container_bytes(std::int64_t machine) {
    std::int64_t least = machine;
    for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
        if (std::int64_t bytes = 0; std::ifstream(path) >> bytes && bytes > 0) least = std::min(least, bytes);
    return least;
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
    const std::string_view text = value;
    double number = 0.0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    for (const auto& [name, factor] : {std::pair{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}) {
        if (error == std::errc() && number >= 0.0 && number < 1e9 && unit == name)
            return static_cast<std::int64_t>(number * factor);
    }
    base::refuse("environment", room_variable, text, "a size such as 64MB");
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
    limits.memory_bytes = container_bytes(machine_bytes());
    limits.free_memory_bytes = std::min(available_memory_bytes(), limits.memory_bytes);
    limits.open_files = limit(RLIMIT_NOFILE);
    limits.locked_bytes = limit(RLIMIT_MEMLOCK);
    limits.stack_bytes = limit(RLIMIT_STACK);
    return limits;
}

}  // namespace groundswell::parallel
