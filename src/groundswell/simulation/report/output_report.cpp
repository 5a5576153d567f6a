#include "groundswell/simulation/report/output_report.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "groundswell/output/options.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::simulation {

namespace {

nlohmann::json to_json(const Schedule& schedule, const std::map<std::string, RecordGap>& gaps) {
    const auto text = [&](const std::optional<base::Instant>& instant) {
        return instant ? nlohmann::json(schedule.text(*instant)) : nlohmann::json();
    };
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [file, gap] : gaps)
        list.push_back({{"file", file}, {"last", text(gap.last)}, {"first", text(gap.first)}});
    return list;
}

// Front end and back end of each file; the same files on all ranks.
nlohmann::json files_json(MPI_Comm comm, const output::OutputReport& report, const std::string& folder) {
    nlohmann::json list = nlohmann::json::array();
    for (const output::FileCost& file : report.files) {
        const bool here = file.path.starts_with(folder + "/");
        list.push_back(
            {{"file", file.path.empty() ? "restarts"
                      : here            ? file.path.substr(folder.size() + 1)
                                        : file.path},
             {"records", file.records},
             {"bytes", file.bytes},
             {"blocked_seconds", statistic_json(parallel::statistic(comm, file.blocked_seconds))},
             {"writing_seconds", statistic_json(parallel::statistic(comm, file.writing_seconds))}});
    }
    return list;
}

/// Where a rank and its server are.
struct Served {
    int server = -1;
    char host[64] = {}, server_host[64] = {};
};

// Servers and their clients by host; null where there are none.
nlohmann::json servers_json(MPI_Comm comm, const output::OutputReport& report) {
    if (report.mode != "servers") return nullptr;
    Served mine;
    mine.server = report.server;
    report.host.copy(mine.host, sizeof mine.host - 1);
    report.server_host.copy(mine.server_host, sizeof mine.server_host - 1);
    const std::vector<Served> all = parallel::gather(comm, mine);
    struct Host {
        std::map<int, int> clients;  // of each server here
        int computing = 0, away = 0;
    };
    std::map<std::string, Host> hosts;
    for (const Served& each : all) {
        ++hosts[each.server_host].clients[each.server];
        Host& host = hosts[each.host];
        ++host.computing;
        if (std::string(each.host) != each.server_host) ++host.away;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [name, host] : hosts) {
        nlohmann::json servers = nlohmann::json::array();
        for (const auto& [rank, clients] : host.clients)
            servers.push_back({{"rank", rank}, {"clients", clients}});
        list.push_back({{"host", name},
                        {"servers", servers},
                        {"computing_ranks", host.computing},
                        {"served_elsewhere", host.away}});
    }
    return list;
}

}  // namespace

nlohmann::json output_json(MPI_Comm comm, const Schedule& schedule, const OutputStreams& outputs,
                           const OutputContext& about) {
    const output::OutputReport report = outputs.report();
    const double blocked = report.blocked_seconds - about.blocked_before;
    const auto over_ranks = [&](double seconds) {
        return statistic_json(parallel::statistic(comm, seconds));
    };
    return {
        {"mode", report.mode},
        {"records", report.records},
        {"bytes", report.bytes},
        {"blocked_seconds", over_ranks(blocked)},
        {"preparing_seconds",
         over_ranks(std::max(0.0, about.phase_seconds - blocked - report.finish_seconds))},
        {"waited_seconds", over_ranks(report.waited_seconds)},
        {"waits", parallel::max(comm, report.waits)},
        {"finish_seconds", over_ranks(report.finish_seconds)},
        {"writing_seconds", over_ranks(report.writing_seconds)},
        {"setup_seconds", over_ranks(report.setup_seconds)},
        {"server_idle_seconds", over_ranks(report.idle_seconds)},
        {"server_idle_queue_seconds", over_ranks(report.idle_queue_seconds)},
        {"server_idle_processor_seconds", over_ranks(report.idle_processor_seconds)},
        {"buffer_bytes", parallel::max(comm, report.buffer_bytes)},
        {"most_buffered_bytes", parallel::max(comm, report.most_bytes)},
        {"files", files_json(comm, report, about.folder)},
        {"servers", servers_json(comm, report)},
        {"given_up", report.given_up},
        {"gaps", to_json(schedule, outputs.gaps())},
    };
}

}  // namespace groundswell::simulation
