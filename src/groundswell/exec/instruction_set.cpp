#include "groundswell/exec/instruction_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/build_features.hpp"
#include "groundswell/exec/kernel_levels.hpp"

namespace groundswell::exec {
namespace {

struct Level {
    InstructionSet set;
    std::string_view name;
    int register_bytes;
};
constexpr std::array<Level, 4> levels{{{InstructionSet::generic, "generic", 16},
                                       {InstructionSet::v2, "v2", 16},
                                       {InstructionSet::v3, "v3", 32},
                                       {InstructionSet::v4, "v4", 64}}};

const Level& level_of(InstructionSet set) {
    return *std::find_if(levels.begin(), levels.end(), [&](const Level& x) { return x.set == set; });
}

// What a kernel file is told when it is compiled; `native` stands for what the compiler found.
InstructionSet set_named(std::string_view name) {
    for (const Level& level : levels)
        if (level.name == name) return level.set;
    throw base::Defect(fmt::format("no instruction set is named {}", name));
}

std::string names(const std::vector<InstructionSet>& sets) {
    std::string list;
    for (const InstructionSet set : sets) {
        if (!list.empty()) list += set == sets.back() ? " or " : ", ";
        list += name_of(set);
    }
    return list;
}

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

std::string_view name_of(InstructionSet set) {
    return level_of(set).name;
}

int register_bytes(InstructionSet set) {
    return level_of(set).register_bytes;
}

const std::vector<InstructionSet>& compiled_instruction_sets() {
    static const std::vector<InstructionSet> sets = [] {
        std::vector<InstructionSet> all;
#define GROUNDSWELL_LEVEL(level) all.push_back(set_named(#level));
        GROUNDSWELL_KERNEL_LEVELS(GROUNDSWELL_LEVEL)
#undef GROUNDSWELL_LEVEL
        return all;
    }();
    return sets;
}

InstructionSet processor_instruction_set() {
#if defined(__x86_64__)
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (v4) return InstructionSet::v4;
    return v3 ? InstructionSet::v3 : InstructionSet::v2;
#else
    return InstructionSet::generic;
#endif
}

InstructionSet choose_instruction_set(const std::vector<InstructionSet>& compiled, InstructionSet has,
                                      std::string_view limit) {
    std::vector<InstructionSet> possible;
    for (const InstructionSet set : compiled)
        if (set <= has) possible.push_back(set);
    if (limit.empty()) {
        base::require(!possible.empty(), "", "this program", build_architecture(),
                      fmt::format("a processor with the instructions of {}; this one has {}",
                                  name_of(compiled.front()), name_of(has)));
        return possible.back();
    }
    const auto named =
        std::find_if(levels.begin(), levels.end(), [&](const Level& x) { return x.name == limit; });
    const bool known = named != levels.end() && named->set <= has;
    std::erase_if(possible, [&](InstructionSet set) { return known && set > named->set; });
    base::require(known && !possible.empty(), "environment", "GROUNDSWELL_ISA", limit,
                  fmt::format("{}, which this processor and this program ({}) have",
                              names(possible.empty() ? compiled : possible), build_architecture()));
    return possible.back();
}

InstructionSet instruction_set() {
    static const InstructionSet chosen = [] {
        const char* limit = std::getenv("GROUNDSWELL_ISA");
        return choose_instruction_set(compiled_instruction_sets(), processor_instruction_set(),
                                      limit != nullptr ? limit : "");
    }();
    return chosen;
}

// Also draws in the file that refuses other processors.
std::string_view build_architecture() {
    static_cast<void>(build_features());
    return GROUNDSWELL_BUILD_ARCHITECTURE;
}

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
