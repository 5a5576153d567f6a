#include "groundswell/cli/report/halo_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/cli/report/bytes_text.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

using nlohmann::json;

json phase_json(const halo::PhaseTime& time) {
    json times = simulation::statistic_json(time.ranks);
    times.update({{"p10", time.p10}, {"median", time.median}});
    return times;
}

// Seconds and traffic of one contestant.
json measured_json(const halo::MeasuredTransport& found, const halo::MeasuredTransport* baseline,
                   double memcpy_p10, std::int64_t off_host_bytes) {
    json speedup;
    if (baseline != nullptr)
        speedup = {{"mean", baseline->whole.ranks.mean / found.whole.ranks.mean},
                   {"max", baseline->whole.ranks.max / found.whole.ranks.max}};
    return {{"used", found.used},
            {"verified", found.verified},
            {"pack", phase_json(found.pack)},
            {"wait", phase_json(found.wait)},
            {"unpack", phase_json(found.unpack)},
            {"whole", phase_json(found.whole)},
            {"speedup", speedup},
            // One rank alone exchanges nothing, and copies nothing.
            {"ratio_to_memcpy", found.bytes > 0 ? json(found.whole.p10 / memcpy_p10) : json()},
            {"bytes_sent", found.bytes},
            {"off_host_bytes", off_host_bytes},
            {"messages", found.messages}};
}

std::string number_or_dash(const json& value, int digits) {
    return value.is_null() ? "-" : fmt::format("{:.{}f}", value.get<double>(), digits);
}

std::string counted(std::int64_t number, const char* thing) {
    return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

// One line of the table; the same widths for heads and numbers.
template <class... Cells>
std::string line(const std::string& first, const Cells&... cells) {
    return fmt::format("{:<34}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}{:>10}{:>10}{:>11}{:>7}", first, cells...);
}

std::string row(const std::string& name, const json& found) {
    const auto microseconds = [&](const char* phase, const char* which) {
        return fmt::format("{:.1f}", 1e6 * found[phase][which].get<double>());
    };
    const auto speedup = [&](const char* which) {
        return found["speedup"].is_null() ? "-" : number_or_dash(found["speedup"][which], 2);
    };
    return line(name, microseconds("pack", "p10"), microseconds("wait", "p10"), microseconds("unpack", "p10"),
                microseconds("whole", "p10"), microseconds("whole", "median"),
                number_or_dash(found["ratio_to_memcpy"], 2), speedup("mean"), speedup("max"),
                bytes_text(found["bytes_sent"].get<double>()),
                std::to_string(found["messages"].get<std::int64_t>())) +
           (found["verified"].get<bool>() ? "\n" : "   WRONG VALUES\n");
}

}  // namespace

json halo_transports(const std::vector<HaloEntry>& entries, double memcpy_p10, std::int64_t off_host_whole,
                     std::int64_t off_host_selected) {
    const halo::MeasuredTransport* baseline = nullptr;
    for (const HaloEntry& entry : entries)
        if (entry.name == halo_baseline && entry.reason.empty()) baseline = &entry.whole;
    json transports = json::array();
    for (const HaloEntry& entry : entries) {
        json one = {{"name", entry.name}, {"available", entry.reason.empty()}, {"reason", entry.reason}};
        if (entry.reason.empty()) {
            one.update(measured_json(entry.whole, baseline, memcpy_p10, off_host_whole));
            if (entry.has_selected)
                one["selected"] = measured_json(entry.selected, baseline, memcpy_p10, off_host_selected);
        }
        transports.push_back(std::move(one));
    }
    return transports;
}

std::string halo_table(const json& machine, const json& result) {
    const json& received = result["received_bytes"];
    const std::string each =
        result.contains("layers")
            ? fmt::format("{} of halo, {} a cell", counted(result["layers"].get<int>(), "ring"),
                          counted(result["bytes_per_cell"].get<std::int64_t>(), "byte"))
            : fmt::format("order {}, {}, {} a side of a face, all clusters at once",
                          result["order"].get<int>(), result["precision"].get<std::string>(),
                          counted(result["bytes_per_face"].get<std::int64_t>(), "byte"));
    std::string text = fmt::format(
        "{}, {}; {} on {}, {}\n"
        "received by a rank in one exchange: {} to {}, mean {}, from {:.0f} to {:.0f} neighbours; {:.1f} % "
        "of all bytes leave their host\n",
        counted(result["cells"].get<std::int64_t>(), "cell"), each,
        counted(machine["ranks"].get<int>(), "rank"), counted(machine["hosts"].get<int>(), "host"),
        machine["mpi"].get<std::string>(), bytes_text(received["min"].get<double>()),
        bytes_text(received["max"].get<double>()), bytes_text(received["mean"].get<double>()),
        result["neighbours"]["min"].get<double>(), result["neighbours"]["max"].get<double>(),
        100.0 * result["off_host_share"].get<double>());
    if (!result["selected_share"].is_null())
        text += fmt::format("needed directions: {:.1f} % of the bytes\n",
                            100.0 * result["selected_share"].get<double>());
    text +=
        fmt::format("{} exchanges of each transport; microseconds of the slowest rank, speed-up over {}\n\n",
                    result["repeats"].get<int>(), halo_baseline);
    text += line("", "pack", "wait", "unpack", "whole", "whole", "whole by", "speed-up", "speed-up", "sent",
                 "mes-") +
            "\n";
    text += line("transport", "p10", "p10", "p10", "p10", "median", "memcpy's", "by mean", "by max", "by all",
                 "sages") +
            "\n";
    const json& copy = result["memcpy_seconds"];
    text += line("memcpy of the bytes received", "", "", "",
                 fmt::format("{:.1f}", 1e6 * copy["p10"].get<double>()),
                 fmt::format("{:.1f}", 1e6 * copy["median"].get<double>()), "1.00", "", "", "", "") +
            "\n";
    for (const json& one : result["transports"]) {
        const std::string name = one["name"];
        if (!one["available"].get<bool>()) {
            text += fmt::format("{:<34}not available: {}\n", name, one["reason"].get<std::string>());
            continue;
        }
        const std::string used = one["used"];
        text += row(used == name ? name : fmt::format("{} ({})", name, used), one);
        if (one.contains("selected")) text += row(name + ", needed only", one["selected"]);
    }
    if (!result["auto_choice"].is_null())
        text += fmt::format(
            "\nauto takes {}{}, {:.2f} times the fastest above\n", result["auto_choice"].get<std::string>(),
            result["auto_selects"].get<bool>() ? ", needed only" : "", result["auto_to_best"].get<double>());
    return text;
}

}  // namespace groundswell::cli
