#include "groundswell/exec/processor.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace groundswell::exec {

namespace {

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// CPUs of a list like 0-3,8-11.
int count_of_list(const std::string& list) {
    std::istringstream parts(list);
    int count = 0;
    for (std::string part; std::getline(parts, part, ',');) {
        int first = 0, last = 0;
        char dash = 0;
        std::istringstream numbers(part);
        if (!(numbers >> first)) continue;
        count += numbers >> dash >> last ? last - first + 1 : 1;
    }
    return count;
}

}  // namespace

LastCache last_cache() {
    LastCache found;
    int deepest = 0;
    for (int index = 0;; ++index) {
        const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
        std::istringstream size(first_line(folder + "size")), level(first_line(folder + "level"));
        std::int64_t kilobytes = 0;
        int depth = 0;
        if (!(size >> kilobytes) || !(level >> depth)) return found;
        if (depth <= deepest || kilobytes <= 0) continue;
        deepest = depth;
        const int cpus = count_of_list(first_line(folder + "shared_cpu_list"));
        found = {kilobytes << 10, cpus > 0 ? cpus : 1};
    }
}

std::string processor_identity(const std::string& cpuinfo) {
    // The first processor in the list stands for all: the others are like it, or there is no one answer.
    static constexpr std::string_view keys[] = {"model name",      "cpu family",  "model",    "stepping",
                                                "CPU implementer", "CPU variant", "CPU part", "CPU revision"};
    std::string identity;
    for (const std::string_view key : keys) {
        std::istringstream lines(cpuinfo);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t colon = line.find(':');
            if (colon == std::string::npos) continue;
            const std::size_t end = line.find_last_not_of(" \t", colon - 1);
            if (end == std::string::npos || std::string_view(line).substr(0, end + 1) != key) continue;
            const std::size_t value = line.find_first_not_of(' ', colon + 1);
            if (value == std::string::npos) break;
            if (!identity.empty()) identity += ", ";
            if (key != "model name") identity += std::string(key) + " ";
            identity += line.substr(value);
            break;
        }
    }
    return identity;
}

std::string processor_identity() {
    std::ifstream file("/proc/cpuinfo");
    return processor_identity(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace groundswell::exec
