#include "groundswell/parallel/machine/container.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace groundswell::parallel {

namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// "200000 100000" or "max 100000": cores, 0 without a limit.
double cores_of(const std::string& quota_and_period) {
    std::istringstream stream(quota_and_period);
    double quota = 0.0, period = 0.0;
    return stream >> quota >> period && quota > 0.0 && period > 0.0 ? quota / period : 0.0;
}

double value_of(const std::string& file, const std::string& key) {
    std::istringstream stream(text_of(file));
    std::string name;
    for (double value = 0.0; stream >> name >> value;)
        if (name == key) return value;
    return 0.0;
}

void tighten(CpuQuota& quota, const std::string& folder, double cores, double throttled) {
    if (cores > 0.0 && (quota.group == 0 || cores < quota.cores)) {
        // Processes of one group see the same folder, whatever each of them calls it.
        struct stat status {};
        ::stat(folder.c_str(), &status);
        quota.cores = cores;
        quota.group = status.st_ino;
    }
    quota.throttled_seconds = std::max(quota.throttled_seconds, throttled);
}

// The group and those around it; in a container the root of the mount may be the group itself.
template <class Look>
void each_folder(const std::string& mount, std::string group, const Look& look) {
    while (!group.empty() && group != "/") {
        look(mount + group);
        group.resize(std::max<std::size_t>(group.rfind('/'), 0));
    }
    look(mount);
}

bool has_word(const std::string& controllers, const std::string& wanted) {
    std::istringstream stream(controllers);
    for (std::string word; std::getline(stream, word, ',');)
        if (word == wanted) return true;
    return false;
}

// Calls look(folder, version) for the folders of the groups that may limit this: "0::/group" of version 2,
// "4:cpu,cpuacct:/group" of version 1.
template <class Look>
void each_group(const std::string& membership, const std::string& root, const std::string& controller,
                const Look& look) {
    std::istringstream lines(membership);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty())
            each_folder(root, group, [&](const std::string& folder) { look(folder, 2); });
        else if (has_word(controllers, controller))
            for (const std::string& name : {controller, controllers})
                each_folder(fmt::format("{}/{}", root, name), group,
                            [&](const std::string& folder) { look(folder, 1); });
    }
}

// A number that stands alone in a file; nothing where there is none, "max", or more than any machine has.
std::optional<std::int64_t> bytes_in(const std::string& file) {
    std::int64_t bytes = 0;
    constexpr std::int64_t most = std::int64_t{1} << 60;
    if (std::ifstream(file) >> bytes && bytes >= 0 && bytes < most) return bytes;
    return std::nullopt;
}

constexpr auto membership_file = "/proc/self/cgroup", groups_folder = "/sys/fs/cgroup";

}  // namespace

CpuQuota read_quota(const std::string& membership, const std::string& root) {
    CpuQuota quota;
    each_group(membership, root, "cpu", [&](const std::string& folder, int version) {
        if (version == 2)
            tighten(quota, folder, cores_of(text_of(folder + "/cpu.max")),
                    1e-6 * value_of(folder + "/cpu.stat", "throttled_usec"));
        else
            tighten(quota, folder,
                    cores_of(text_of(folder + "/cpu.cfs_quota_us") + text_of(folder + "/cpu.cfs_period_us")),
                    1e-9 * value_of(folder + "/cpu.stat", "throttled_time"));
    });
    return quota;
}

CpuQuota read_quota() {
    return read_quota(text_of(membership_file), groups_folder);
}

MemoryQuota read_memory_quota(const std::string& membership, const std::string& root) {
    MemoryQuota quota;
    each_group(membership, root, "memory", [&](const std::string& folder, int version) {
        const auto limit = bytes_in(folder + (version == 2 ? "/memory.max" : "/memory.limit_in_bytes"));
        if (!limit) return;
        const std::int64_t used =
            bytes_in(folder + (version == 2 ? "/memory.current" : "/memory.usage_in_bytes")).value_or(0);
        const auto files = static_cast<std::int64_t>(
            value_of(folder + "/memory.stat", version == 2 ? "inactive_file" : "total_inactive_file"));
        quota.bytes = std::min(quota.bytes, *limit);
        quota.free =
            std::min(quota.free, std::max<std::int64_t>(*limit - std::max<std::int64_t>(used - files, 0), 0));
    });
    return quota;
}

MemoryQuota read_memory_quota() {
    return read_memory_quota(text_of(membership_file), groups_folder);
}

}  // namespace groundswell::parallel
