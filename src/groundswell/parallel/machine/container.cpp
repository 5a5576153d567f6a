#include "groundswell/parallel/machine/container.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
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

double value_of(const std::string& folder, const std::string& key) {
    std::istringstream stream(text_of(folder + "/cpu.stat"));
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

bool controls_cpu(const std::string& controllers) {
    std::istringstream stream(controllers);
    for (std::string word; std::getline(stream, word, ',');)
        if (word == "cpu") return true;
    return false;
}

}  // namespace

CpuQuota read_quota(const std::string& membership, const std::string& root) {
    CpuQuota quota;
    std::istringstream lines(membership);
    for (std::string line; std::getline(lines, line);) {
        // "0::/group" of version 2, "4:cpu,cpuacct:/group" of version 1.
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty())
            each_folder(root, group, [&](const std::string& folder) {
                tighten(quota, folder, cores_of(text_of(folder + "/cpu.max")),
                        1e-6 * value_of(folder, "throttled_usec"));
            });
        else if (controls_cpu(controllers))
            for (const std::string& name : {std::string("cpu"), controllers})
                each_folder(fmt::format("{}/{}", root, name), group, [&](const std::string& folder) {
                    tighten(quota, folder,
                            cores_of(text_of(folder + "/cpu.cfs_quota_us") +
                                     text_of(folder + "/cpu.cfs_period_us")),
                            1e-9 * value_of(folder, "throttled_time"));
                });
    }
    return quota;
}

CpuQuota read_quota() {
    return read_quota(text_of("/proc/self/cgroup"), "/sys/fs/cgroup");
}

}  // namespace groundswell::parallel
