#include "groundswell/parallel/machine/machine.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "groundswell/base/errors.hpp"

namespace groundswell::parallel {

namespace {

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

// Without the part of hwloc that moves the thread from core to core to ask each: the system's files tell enough.
Topology load(const char* shape) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) return {nullptr, &hwloc_topology_destroy};
    Topology topology(raw, &hwloc_topology_destroy);
    hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    if (shape != nullptr && hwloc_topology_set_synthetic(raw, shape) != 0)
        return {nullptr, &hwloc_topology_destroy};
    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (hwloc_topology_load(raw) != 0) return {nullptr, &hwloc_topology_destroy};
    return topology;
}

CpuSet cpus_of(hwloc_const_bitmap_t set) {
    CpuSet cpus;
    for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) cpus.push_back(cpu);
    return cpus;
}

template <class Look>
void each_object(hwloc_topology_t topology, hwloc_obj_type_t type, const Look& look) {
    for (hwloc_obj_t object = nullptr;
         (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;)
        look(*object);
}

Machine read(hwloc_topology_t topology) {
    Machine machine;
    machine.sockets = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE));
    each_object(topology, HWLOC_OBJ_CORE,
                [&](const hwloc_obj& core) { machine.cores.push_back(cpus_of(core.cpuset)); });
    if (machine.cores.empty())
        each_object(topology, HWLOC_OBJ_PU,
                    [&](const hwloc_obj& cpu) { machine.cores.push_back(cpus_of(cpu.cpuset)); });
    each_object(topology, HWLOC_OBJ_NUMANODE, [&](const hwloc_obj& node) {
        const CpuSet cpus = cpus_of(node.cpuset);
        if (!cpus.empty())
            machine.domains.push_back({static_cast<int>(node.os_index), cpus,
                                       static_cast<std::int64_t>(node.attr->numanode.local_memory)});
    });
    for (const hwloc_obj_type_t type :
         {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE})
        each_object(topology, type, [&](const hwloc_obj& cache) {
            const auto bytes = static_cast<std::int64_t>(cache.attr->cache.size);
            const int cores =
                std::max(1, hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache.cpuset, HWLOC_OBJ_CORE));
            const int level = static_cast<int>(cache.attr->cache.depth);
            const auto known = std::ranges::find_if(machine.caches, [&](const CacheKind& kind) {
                return kind.level == level && kind.bytes == bytes && kind.cores == cores;
            });
            if (known == machine.caches.end())
                machine.caches.push_back({level, bytes, 1, cores});
            else
                ++known->count;
        });
    return machine;
}

}  // namespace

Machine this_machine() {
    const Topology topology = load(nullptr);
    Machine machine;
    if (topology) machine = read(topology.get());
    if (machine.cores.empty())
        for (const int cpu : machine_cpus()) machine.cores.push_back({cpu});
    if (machine.domains.empty()) machine.domains.push_back({0, machine_cpus(), 0});
    return machine;
}

Machine machine_of_shape(const std::string& shape, const std::string& where, const std::string& key) {
    const Topology topology = load(shape.c_str());
    base::require(topology != nullptr, where, key, shape,
                  "the shape of a machine in hwloc's words, such as \"pack:2 numa:4 core:16 pu:1\"");
    return read(topology.get());
}

std::vector<CpuSet> cores_of(const Machine& machine, const CpuSet& cpus) {
    std::vector<CpuSet> cores;
    CpuSet known;
    for (const CpuSet& core : machine.cores) {
        CpuSet part;
        std::ranges::set_intersection(core, cpus, std::back_inserter(part));
        if (part.empty()) continue;
        known.insert(known.end(), part.begin(), part.end());
        cores.push_back(part);
    }
    std::ranges::sort(known);
    for (const int cpu : difference(cpus, known)) cores.push_back({cpu});
    return cores;
}

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
