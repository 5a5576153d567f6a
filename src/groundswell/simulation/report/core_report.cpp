#include "groundswell/simulation/report/core_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::simulation {

namespace {

void warn_of(std::span<const parallel::Finding> findings) {
    for (const parallel::Finding& one : findings) base::log_warning("{}; fix: {}", one.message, one.fix);
}

nlohmann::json host_json(const parallel::LaunchCores& launch, const parallel::HostUse& use) {
    nlohmann::json others = nlohmann::json::array();
    for (const parallel::Program& program : use.others)
        others.push_back(
            {{"name", program.name}, {"process", program.process}, {"processor_seconds", program.processor}});
    std::size_t threads = 0;
    for (const parallel::RankThreads& rank : launch.ranks) threads += rank.threads.size();
    const double wall = std::max(use.wall, 1e-9);
    return {{"host", launch.host.name},
            {"ranks", launch.ranks.size()},
            {"threads", threads},
            {"cores", parallel::to_text(launch.allowed)},
            {"owned_cores", parallel::to_text(launch.host.owned)},
            {"free_cores", parallel::to_text(launch.host.free)},
            {"quota_cores", launch.host.quota},
            {"idle_cores", use.idle / wall},
            {"busy_cores", use.busy / wall},
            {"own_cores", use.ours / wall},
            {"other_programs_cores", use.of_others() / wall},
            {"stolen_cores", use.stolen / wall},
            {"throttled_seconds", use.throttled},
            {"load", {{"start", use.load_begin}, {"end", use.load_end}}},
            {"other_programs", others}};
}

// Least, mean and largest of what the ranks have.
template <class Value>
nlohmann::json over_ranks(const std::vector<parallel::RankUse>& ranks, const Value& value) {
    parallel::Statistic found;
    for (const parallel::RankUse& rank : ranks) {
        const double mine = value(rank);
        found.min = &rank == ranks.data() ? mine : std::min(found.min, mine);
        found.max = &rank == ranks.data() ? mine : std::max(found.max, mine);
        found.mean += mine;
    }
    if (!ranks.empty()) found.mean /= static_cast<double>(ranks.size());
    return statistic_json(found);
}

}  // namespace

nlohmann::json findings_json(std::span<const parallel::Finding> findings) {
    nlohmann::json list = nlohmann::json::array();
    for (const parallel::Finding& one : findings)
        list.push_back({{"code", one.code}, {"message", one.message}, {"fix", one.fix}});
    return list;
}

parallel::LaunchCores look_at_launch(MPI_Comm comm, int threads, const parallel::KeptCores& kept) {
    parallel::LaunchCores launch = parallel::find_launch(
        comm, {.threads = threads, .servers = kept.servers(), .free = kept.of_machine()});
    warn_of(parallel::gather_findings(comm, launch.findings));
    if (parallel::rank_of(comm) == 0 && !launch.host.free.empty())
        base::log_info("cores {} of host {} are kept free, and ranks compute on {}",
                       parallel::to_text(launch.host.free), launch.host.name,
                       parallel::to_text(launch.allowed));
    return launch;
}

parallel::CoreReport look_at_cores(const parallel::CoreWatch& watch, const parallel::Profile& profile,
                                   double cell_steps, bool& said) {
    parallel::CoreReport report = watch.look(profile, cell_steps);
    if (report.findings.size() > report.of_launch && !said) {
        warn_of(std::span(report.findings).subspan(report.of_launch, 1));
        said = true;
    }
    return report;
}

nlohmann::json cores_json(MPI_Comm comm, const parallel::CoreWatch& watch,
                          const parallel::CoreReport& report) {
    const std::string mine = report.host ? host_json(watch.launch(), *report.host).dump() : "";
    nlohmann::json hosts = nlohmann::json::array();
    for (const std::string& text : parallel::gather_texts(comm, mine))
        if (!text.empty()) hosts.push_back(nlohmann::json::parse(text));
    using parallel::RankUse;
    return {
        {"findings", findings_json(report.findings)},
        {"processor_seconds", over_ranks(report.ranks, [](const RankUse& rank) { return rank.processor; })},
        {"core_share",
         over_ranks(report.ranks,
                    [](const RankUse& rank) { return 1.0 - parallel::share_without_core(rank); })},
        {"queue_seconds",
         over_ranks(report.ranks,
                    [](const RankUse& rank) { return std::max(rank.main_queue, rank.worker_queue); })},
        {"involuntary_switches",
         over_ranks(report.ranks, [](const RankUse& rank) { return static_cast<double>(rank.involuntary); })},
        {"hosts", hosts}};
}

nlohmann::json ranks_json(MPI_Comm comm, const parallel::CoreWatch& watch, const parallel::CoreReport& report,
                          const parallel::Profile& profile, std::int64_t cells) {
    // A row of numbers for each rank: its cells, and the seconds of its phases.
    const std::size_t width = static_cast<std::size_t>(profile.phases()) + 1;
    std::vector<double> mine{static_cast<double>(cells)};
    for (int phase = 0; phase < profile.phases(); ++phase)
        mine.push_back(profile.seconds(static_cast<parallel::Phase>(phase)));
    const std::vector<double> all = parallel::gather_rows<double>(comm, mine).values;
    nlohmann::json list = nlohmann::json::array();
    if (report.ranks.size() > most_ranks_listed) return list;
    for (std::size_t r = 0; r < report.ranks.size(); ++r) {
        nlohmann::json phases;
        for (int phase = 0; phase < profile.phases(); ++phase)
            phases[profile.name(static_cast<parallel::Phase>(phase))] =
                all[r * width + 1 + static_cast<std::size_t>(phase)];
        const parallel::RankUse& use = report.ranks[r];
        list.push_back({{"rank", r},
                        {"host", watch.hosts()[r]},
                        {"cores", watch.cpus()[r]},
                        {"cells", static_cast<std::int64_t>(all[r * width])},
                        {"phases", phases},
                        {"processor_seconds", use.processor},
                        {"core_share", 1.0 - parallel::share_without_core(use)},
                        {"queue_seconds", std::max(use.main_queue, use.worker_queue)},
                        {"involuntary_switches", use.involuntary}});
    }
    return list;
}

std::string findings_summary(const nlohmann::json& cores) {
    std::string text;
    for (const auto& one : cores["findings"])
        text += fmt::format("{:<18} {}\n{:<18} fix: {}\n", text.empty() ? "what slowed it" : "",
                            one["message"].get<std::string>(), "", one["fix"].get<std::string>());
    return text;
}

std::string cores_summary(const nlohmann::json& cores) {
    int threads = 0;
    double idle = 0.0, others = 0.0, wall_load = 0.0, start_load = 0.0;
    for (const auto& host : cores["hosts"]) {
        threads += host["threads"].get<int>();
        idle += host["idle_cores"].get<double>();
        others += host["other_programs_cores"].get<double>();
        start_load = std::max(start_load, host["load"]["start"].get<double>());
        wall_load = std::max(wall_load, host["load"]["end"].get<double>());
    }
    const auto& first = cores["hosts"].front();
    std::string text = fmt::format("cores              {} thread{} on ", threads, threads == 1 ? "" : "s");
    if (cores["hosts"].size() == 1)
        text += fmt::format("cores {} of host {}", first["cores"].get<std::string>(),
                            first["host"].get<std::string>());
    else
        text += fmt::format("{} hosts", cores["hosts"].size());
    text += fmt::format(
        ", with a core for {:.0f} % of the computing time ({:.0f} % on the rank with least)\n",
        100.0 * cores["core_share"]["mean"].get<double>(), 100.0 * cores["core_share"]["min"].get<double>());
    return text + fmt::format(
                      "                   processor time {:.1f} s a rank, {:.0f} involuntary switches at "
                      "most; {:.1f} cores idle, {:.1f} with other programs; load {:.1f}, at the end {:.1f}\n",
                      cores["processor_seconds"]["mean"].get<double>(),
                      cores["involuntary_switches"]["max"].get<double>(), idle, others, start_load,
                      wall_load);
}

}  // namespace groundswell::simulation
