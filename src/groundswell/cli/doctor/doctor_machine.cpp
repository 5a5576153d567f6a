#include "groundswell/cli/doctor/doctor_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include "groundswell/base/measure.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::cli {

namespace {

// Finds other programs at work on the cores that these ranks may use.
std::vector<parallel::Finding> busy_cores(const parallel::LaunchCores& launch, const parallel::HostUse& use) {
    constexpr double worth_saying = 0.3;  // of a core
    if (use.wall <= 0.0 || use.of_others() < worth_saying * use.wall) return {};
    std::string names;
    for (const parallel::Program& program :
         std::span(use.others).first(std::min<std::size_t>(3, use.others.size())))
        names += fmt::format("{}{} (process {})", names.empty() ? ": " : ", ", program.name, program.process);
    return {{"busy-cores",
             fmt::format("other programs take {:.1f} of the {} core(s) {} of host {}{}",
                         use.of_others() / use.wall, use.cpus, parallel::to_text(launch.allowed),
                         launch.host.name, names),
             "end them, or wait until they are done, or choose another host or other cores"}};
}

nlohmann::json shape_json(const parallel::Machine& shape) {
    nlohmann::json domains = nlohmann::json::array(), caches = nlohmann::json::array();
    std::size_t hardware_threads = 0;
    for (const parallel::CpuSet& core : shape.cores) hardware_threads += core.size();
    for (const parallel::MemoryDomain& domain : shape.domains)
        domains.push_back({{"number", domain.number},
                           {"cpus", parallel::to_text(domain.cpus)},
                           {"memory_bytes", domain.bytes}});
    for (const parallel::CacheKind& cache : shape.caches)
        caches.push_back({{"level", cache.level},
                          {"bytes", cache.bytes},
                          {"count", cache.count},
                          {"cores_each", cache.cores}});
    return {{"sockets", shape.sockets},
            {"cores", shape.cores.size()},
            {"hardware_threads", hardware_threads},
            {"domains", domains},
            {"caches", caches}};
}

nlohmann::json limits_json(const parallel::Limits& limits) {
    const auto value = [](std::int64_t limit) {
        return limit == parallel::Limits::none ? nlohmann::json(nullptr) : nlohmann::json(limit);
    };
    return {{"shared_memory_bytes", value(limits.shared_memory_bytes)},
            {"free_shared_memory_bytes", value(limits.free_shared_memory_bytes)},
            {"memory_bytes", limits.memory_bytes},
            {"free_memory_bytes", limits.free_memory_bytes},
            {"open_files", value(limits.open_files)},
            {"locked_bytes", value(limits.locked_bytes)},
            {"stack_bytes", value(limits.stack_bytes)}};
}

nlohmann::json host_json(const parallel::LaunchCores& launch, const parallel::HostUse& use) {
    return {{"host", launch.host.name},
            {"machine", shape_json(launch.shape)},
            {"limits", limits_json(launch.limits)},
            {"owned_cores", parallel::to_text(launch.host.owned)},
            {"free_cores", parallel::to_text(launch.host.free)},
            {"quota_cores", launch.host.quota},
            {"load", use.load_end},
            {"busy_cores", use.of_others() / std::max(use.wall, 1e-9)}};
}

nlohmann::json rank_json(int rank, const std::string& host, bool serves,
                         const std::vector<parallel::CpuSet>& sets, const parallel::TouchedPages& pages) {
    nlohmann::json threads = nlohmann::json::array();
    for (const parallel::CpuSet& cpus : sets) threads.push_back(parallel::to_text(cpus));
    const parallel::CpuSet all = parallel::united(sets);
    return {{"rank", rank},
            {"host", host},
            {"cpus", all.size()},
            {"cores", parallel::to_text(all)},
            {"threads", threads},
            {"serves", serves},
            {"pages_near", pages.all - pages.elsewhere},
            {"pages_far", pages.elsewhere}};
}

std::vector<nlohmann::json> gather_json(MPI_Comm comm, const nlohmann::json& mine) {
    std::vector<nlohmann::json> all;
    for (const std::string& text : parallel::gather_texts(comm, mine.is_null() ? "" : mine.dump()))
        if (!text.empty()) all.push_back(nlohmann::json::parse(text));
    return all;
}

std::string describe_shape(const nlohmann::json& machine) {
    const auto number = [&](const char* key) { return machine[key].get<int>(); };
    const auto plural = [](int count, const char* word) {
        return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
    };
    const auto& domains = machine["domains"];
    std::string text =
        fmt::format("{}, {}, {}", plural(number("sockets"), "socket"),
                    plural(static_cast<int>(domains.size()), "NUMA domain"), plural(number("cores"), "core"));
    if (number("hardware_threads") > number("cores"))
        text += fmt::format(" with {}", plural(number("hardware_threads"), "hardware thread"));
    for (const auto& cache : machine["caches"]) {
        const int cores = cache["cores_each"];
        text += fmt::format(", L{} {} × {}", cache["level"].get<int>(), cache["count"].get<int>(),
                            base::size_text(cache["bytes"]));
        if (cores > 1) text += fmt::format(" for {} cores each", cores);
    }
    if (domains.size() > 1)
        for (const auto& domain : domains)
            text += fmt::format("\n             domain {}: cores {}, {}", domain["number"].get<int>(),
                                domain["cpus"].get<std::string>(), base::size_text(domain["memory_bytes"]));
    return text;
}

std::string describe_limits(const nlohmann::json& limits) {
    const auto bytes = [&](const char* key) {
        return limits[key].is_null() ? std::string("unlimited") : base::size_text(limits[key]);
    };
    const std::string files = limits["open_files"].is_null() ? "unlimited" : limits["open_files"].dump();
    return fmt::format(
        "memory {} ({} free), /dev/shm {} ({} free), open files {}, locked memory {}, stack {}",
        bytes("memory_bytes"), bytes("free_memory_bytes"), bytes("shared_memory_bytes"),
        bytes("free_shared_memory_bytes"), files, bytes("locked_bytes"), bytes("stack_bytes"));
}

}  // namespace

MachineReport look_at_machines(MPI_Comm comm, const PlannedRun& plan) {
    const int servers = plan.servers.empty() ? 0 : parallel::agree(comm, [&] {
        return output::server_count(plan.servers, parallel::size_of(comm), "command line", "--servers");
    });
    output::Roles roles;
    if (servers > 0) roles = output::split_roles(comm, servers);
    // So many threads as show where they would be bound; more are not started for a question.
    exec::set_threads(std::min(plan.threads, 2 * static_cast<int>(parallel::machine_cpus().size())));
    const parallel::KeptCores kept(comm, plan.free_cores, roles.serves ? 0 : exec::threads(), "command line",
                                   "--free-cores");
    const std::string host = parallel::find_placement(comm).host_name;
    const int rank = parallel::rank_of(comm);
    std::vector<parallel::Finding> mine;
    nlohmann::json machine, rank_here;
    if (roles.serves) {
        rank_here = rank_json(rank, host, true, {parallel::allowed_cpus()}, {});
    } else {
        const MPI_Comm computing = servers > 0 ? roles.compute.get() : comm;
        const parallel::LaunchCores launch = parallel::find_launch(
            computing, {.threads = plan.threads, .servers = kept.servers(), .free = kept.of_machine()});
        const parallel::CoreWatch watch(computing, launch);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        const parallel::CoreReport report = watch.look({}, 0.0);
        mine = launch.findings;
        rank_here = rank_json(rank, host, false, launch.mine.threads, launch.mine.pages);
        if (report.host) {
            for (const parallel::Finding& one : busy_cores(launch, *report.host)) mine.push_back(one);
            machine = host_json(launch, *report.host);
        }
    }
    return {gather_json(comm, machine), gather_json(comm, rank_here), parallel::gather_findings(comm, mine)};
}

std::string describe_machines(const MachineReport& report) {
    std::string text;
    for (const nlohmann::json& host : report.hosts) {
        const std::string free = host["free_cores"];
        text += fmt::format(
            "host         {}: {}\n             {}\n             cores {} of this job{}, load {:.1f}, "
            "{:.1f} cores busy with other programs\n",
            host["host"].get<std::string>(), describe_shape(host["machine"]), describe_limits(host["limits"]),
            host["owned_cores"].get<std::string>(), free.empty() ? "" : fmt::format(" ({} kept free)", free),
            host["load"].get<double>(), host["busy_cores"].get<double>());
    }
    for (const nlohmann::json& rank : report.ranks) {
        const std::vector<std::string> threads = rank["threads"];
        const bool alike = std::ranges::count(threads, threads.front()) == std::ssize(threads);
        std::string where =
            threads.size() > 1 ? fmt::format("{} threads on cores ", threads.size()) : "on cores ";
        where += alike ? threads.front() : fmt::format("{}", fmt::join(threads, " | "));
        text += fmt::format("rank {:<7} host {}, {}{}\n", rank["rank"].get<int>(),
                            rank["host"].get<std::string>(), rank["serves"] ? "output server, " : "", where);
    }
    return text;
}

}  // namespace groundswell::cli
