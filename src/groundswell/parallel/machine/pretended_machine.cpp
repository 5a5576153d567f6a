#include "groundswell/parallel/machine/pretended_machine.hpp"

#include <algorithm>
#include <cstdlib>

#include "groundswell/base/errors.hpp"

namespace groundswell::parallel {

namespace {
constexpr const char* machine_variable = "GROUNDSWELL_TEST_MACHINE";
}

std::optional<PretendedMachine> pretended_machine() {
    const char* const value = std::getenv(machine_variable);
    if (value == nullptr || *value == '\0') return {};
    const std::string text = value;
    const std::size_t semicolon = text.find(';');
    PretendedMachine pretended;
    pretended.machine = machine_of_shape(text.substr(0, semicolon), "environment", machine_variable);
    if (semicolon != std::string::npos) pretended.binding = text.substr(semicolon + 1);
    const auto known = {"none", "core", "domain", "threads"};
    base::require(std::ranges::find(known, pretended.binding) != known.end(), "environment", machine_variable,
                  text, "a shape, alone or followed by ';none', ';core', ';domain' or ';threads'");
    return pretended;
}

std::vector<CpuSet> pretended_cpus(const PretendedMachine& pretended, int rank_on_host, int threads) {
    const Machine& machine = pretended.machine;
    const auto cores = static_cast<int>(machine.cores.size());
    const auto domains = static_cast<int>(machine.domains.size());
    std::vector<CpuSet> cpus;
    for (int thread = 0; thread < threads; ++thread) {
        if (pretended.binding == "core")
            cpus.push_back(machine.cores[static_cast<std::size_t>(rank_on_host % cores)]);
        else if (pretended.binding == "domain")
            cpus.push_back(machine.domains[static_cast<std::size_t>(rank_on_host % domains)].cpus);
        else if (pretended.binding == "threads")
            cpus.push_back(
                machine.cores[static_cast<std::size_t>((rank_on_host * threads + thread) % cores)]);
        else
            cpus.push_back(united(machine.cores));
    }
    return cpus;
}

}  // namespace groundswell::parallel
