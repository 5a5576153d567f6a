#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/parallel/reduce.hpp"

/// Request to the measured model, and its own figures.
namespace bench {

using namespace groundswell;

struct Settings {
    std::string mode = "none", format = "cdf5", file, json;
    double calibrate = 0.0;            // s; > 0: find out how much work a second is
    int servers = 0;                   // ranks of the program that write
    int intervals = 10;                // of computing
    int steps = 5;                     // of an interval
    std::int64_t work = 0;             // passes of an interval, all ranks together
    std::int64_t record = 16'000'000;  // bytes
    bool idle = false;                 // the file is made and nothing is written
};

/// Figures of one rank at the end.
struct Figures {
    double serves = 0.0;
    double total = 0.0, computing = 0.0;  // s, of a rank that computes
    double blocked = 0.0, waited = 0.0, waits = 0.0, finish = 0.0, writing = 0.0, setup = 0.0;
    double records = 0.0, bytes = 0.0, buffer = 0.0, most = 0.0;
    double idle = 0.0, idle_processor = 0.0;  // s, of a server
    double processor = 0.0;                   // s, of all threads, while `total` ran or the server served
    double memory = 0.0;                      // bytes, peak
};

inline double processor_seconds_of_process() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// {min, mean, max} of a figure over the ranks that compute, or over the servers.
inline nlohmann::json statistic(const std::vector<Figures>& all, bool serves, double Figures::*figure) {
    parallel::Statistic found;
    int count = 0;
    for (const Figures& each : all) {
        if ((each.serves != 0.0) != serves) continue;
        const double value = each.*figure;
        found.min = count == 0 ? value : std::min(found.min, value);
        found.max = count == 0 ? value : std::max(found.max, value);
        found.mean += value;
        ++count;
    }
    if (count == 0) return nullptr;
    return {{"min", found.min}, {"mean", found.mean / count}, {"max", found.max}};
}

inline nlohmann::json result_of(const Settings& settings, const std::vector<Figures>& all) {
    const auto of_clients = [&](double Figures::*figure) { return statistic(all, false, figure); };
    const auto of_servers = [&](double Figures::*figure) { return statistic(all, true, figure); };
    const Figures& first = all.front();
    return {{"mode", settings.mode},
            {"servers", settings.servers},
            {"clients", static_cast<int>(all.size()) - settings.servers},
            {"intervals", settings.intervals},
            {"steps", settings.steps},
            {"record_bytes", settings.record},
            {"records", first.records},
            {"bytes", first.bytes},
            {"total_seconds", of_clients(&Figures::total)},
            {"computing_seconds", of_clients(&Figures::computing)},
            {"blocked_seconds", of_clients(&Figures::blocked)},
            {"waited_seconds", of_clients(&Figures::waited)},
            {"finish_seconds", of_clients(&Figures::finish)},
            {"writing_seconds", of_clients(&Figures::writing)},
            {"setup_seconds", of_clients(&Figures::setup)},
            {"buffer_bytes", of_clients(&Figures::buffer)},
            {"most_buffered_bytes", of_clients(&Figures::most)},
            {"processor_seconds", of_clients(&Figures::processor)},
            {"peak_memory_bytes", of_clients(&Figures::memory)},
            {"server_seconds", of_servers(&Figures::total)},
            {"server_processor_seconds", of_servers(&Figures::processor)},
            {"server_idle_seconds", of_servers(&Figures::idle)},
            {"server_idle_processor_seconds", of_servers(&Figures::idle_processor)},
            {"server_peak_memory_bytes", of_servers(&Figures::memory)}};
}

}  // namespace bench
