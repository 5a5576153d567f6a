#include "groundswell/exec/instruction_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

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

}  // namespace groundswell::exec
