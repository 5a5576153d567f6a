#include "groundswell/simulation/report/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>
#include <vector>

#include "groundswell/parallel/cores/use_judgement.hpp"
#include "groundswell/simulation/report/limit_parts.hpp"

namespace groundswell::simulation {

namespace {

using namespace limits_of_run;

// Shares of the whole time from which on something is named, and seconds below which nothing is said.
constexpr double worth_output = 0.15, worth_balance = 0.15, worth_messages = 0.15, worth_start = 0.4;
constexpr double worth_late = 0.25;  // ranks that are late by turns: a busy machine does that too
constexpr double least_start = 10.0;
constexpr double spinning = 0.5;  // share of its idle time that a server had a core

// A server that sleeps wants a core now and then, and on a busy machine waits for it: it is told from one that spins by what
// it does while it does not wait.
Found spinning_server(const json& result, const Times& times) {
    const double idle = number(result, "/output/server_idle_seconds/max"),
                 queue = number(result, "/output/server_idle_queue_seconds/max"),
                 busy = number(result, "/output/server_idle_processor_seconds/max");
    if (idle < least_seconds || busy < spinning * (idle - queue) || busy + queue < spinning * idle) return {};
    return Limit{"spinning-server",
                 fmt::format("An output server wanted a core for {} of the {:.1f} s in which it only waited "
                             "for values, and had one for {:.1f} s. Ranks that share its core, or its "
                             "hardware thread, compute more slowly for it.",
                             percent(std::min(1.0, (busy + queue) / idle)), idle, busy),
                 "Let waiting processes give their core away (Open MPI: mpirun --mca mpi_yield_when_idle 1), "
                 "bind the server to a core of its own, or write without servers (output.mode = \"thread\").",
                 std::min(1.0, (busy + queue) / times.all)};
}

const json* first_finding(const json& result, const std::function<bool(const std::string&)>& counts) {
    const json& findings = result["cores"]["findings"];
    const auto found = std::ranges::find_if(
        findings, [&](const json& one) { return counts(one["code"].get<std::string>()); });
    return found != findings.end() ? &*found : nullptr;
}

Found cores(const json& result, const Times& times) {
    const json* const found =
        first_finding(result, [](const std::string& code) { return parallel::explains_losses(code); });
    if (found == nullptr) return {};
    const json& first = *found;
    double lost = (1.0 - number(result, "/cores/core_share/min", 1.0)) * times.most_computing;
    if (first["code"] == "slow-rank") lost = times.most_computing - times.computing;
    return limit_of(first, lost / times.all);
}

Found slow_output(const json& result, const Times& times) {
    const double lost =
        number(result, "/output/blocked_seconds/max") + number(result, "/output/finish_seconds/max");
    if (lost < least_seconds || lost < worth_output * times.all) return {};
    const std::string mode = result["output"]["mode"].get<std::string>();
    const double writing =
        number(result, "/output/writing_seconds/max") - number(result, "/output/setup_seconds/max");
    std::string text =
        fmt::format("The model waited {:.1f} s, {} of the run, for its output: {:.1f} MiB", lost,
                    percent(lost / times.all), number(result, "/output/bytes") / 1048576.0);
    if (writing > 0.0)
        text += fmt::format(" at {:.3g} MiB/s", number(result, "/output/bytes") / 1048576.0 / writing);
    text += fmt::format(", written in mode {}.", mode);
    const bool hides = mode == "thread" || mode == "servers";
    return Limit{
        "slow-output", text,
        hides
            ? "The disk is slower than the model, so a buffer cannot help for long: write less, less often "
              "or to a faster disk (--output DIR), or from more servers where the disk takes more at a time."
            : "Let others write while the model computes (output.mode = \"thread\", or \"servers\" with one "
              "more rank), write less or less often, or to a faster disk (--output DIR).",
        lost / times.all};
}

// While all others wait.
bool is_cut_by_one_rank(const nlohmann::json& result) {
    const std::string method = result.value("partition", "curve");
    return method != "curve" && method != "file";
}

Found start_up(const json& result, const Times& times) {
    if (times.start < least_start || times.start < worth_start * times.all) return {};
    std::string part;
    double most = 0.0;
    for (const auto& [name, seconds] : result["startup"].items())
        if (const double mean = seconds["mean"].get<double>(); mean > most) {
            most = mean;
            part = name;
        }
    std::string help = "Simulate longer in one run; the start-up is paid once.";
    if (part == "connections" || part == "first_exchange")
        help =
            "Try another transport (halo.transport), and let the MPI library connect only to neighbours: "
            "`groundswell halo MESH` compares them.";
    if (part == "partition" && is_cut_by_one_rank(result))
        help =
            "Cut the mesh once and for all (`groundswell partition MESH --parts N --keep`), or along the "
            "curve (mesh.partition = \"curve\"), which all ranks do together.";
    if (part == "reading") help = "Put mesh and forcing on a faster disk, or read less of it.";
    if (part == "output") help = "Put the output on a faster disk (--output DIR).";
    std::ranges::replace(part, '_', ' ');
    return Limit{
        "start-up",
        fmt::format("{:.1f} s, {} of the run, went by before the first step, most of it ({:.1f} s) for: {}.",
                    times.start, percent(times.start / times.all), most, part),
        help, times.start / times.all};
}

Found balance(const Times& times) {
    const double lost = times.most_computing - times.computing;
    const double waited = times.late + times.agreement;
    if (lost > least_seconds && lost > worth_balance * times.all)
        return Limit{"imbalance",
                     fmt::format("The rank with most work computed {:.1f} s, the mean was {:.1f} s: the "
                                 "others waited {} of the run for it.",
                                 times.most_computing, times.computing, percent(lost / times.all)),
                     "Look at `ranks` in run.json for who has most; use fewer ranks with more threads each, "
                     "which share their work out anew in every step, or another partition (mesh.partition).",
                     lost / times.all};
    if (waited < least_seconds || waited < worth_late * times.all) return {};
    return Limit{"late-ranks",
                 fmt::format("Ranks waited {:.1f} s, {} of the run, for others that were late by turns: all "
                             "have the same to do over the whole run, but not at the same moment.",
                             waited, percent(waited / times.all)),
                 "Bind ranks to cores of their own (mpirun --bind-to core), leave a core to the system, and "
                 "look for what interrupts them.",
                 waited / times.all};
}

Found network(const json& result, const Times& times) {
    const double lost = times.messages + number(result, "/phases/exchange_pack/mean") +
                        number(result, "/phases/exchange_unpack/mean");
    if (lost < least_seconds || lost < worth_messages * times.all) return {};
    const std::string progress = result.value(json::json_pointer("/exchange/progress"), std::string("none"));
    return Limit{"network",
                 fmt::format("Exchanging halos took {:.1f} s, {} of the run, with neighbours that were there "
                             "in time: {:.3g} MiB an exchange.",
                             lost, percent(lost / times.all), number(result, "/exchange/bytes") / 1048576.0),
                 progress == "none" ? "Let messages travel while cells are computed (halo.progress = "
                                      "\"polling\", or \"thread\" with a core for it); fewer ranks with more "
                                      "threads each send less; see `groundswell halo MESH` for transports."
                                    : "Use fewer ranks with more threads each, which send less; see "
                                      "`groundswell halo MESH` for transports.",
                 lost / times.all};
}

}  // namespace

Limit judge_limit(const nlohmann::json& result) {
    const Times times(result);
    if (const Found found = spinning_server(result, times)) return *found;
    const Found of_cores = cores(result, times);
    std::vector<Found> all{of_cores, slow_output(result, times), start_up(result, times)};
    // Ranks without their cores are late, and so are their messages.
    if (!of_cores) {
        all.push_back(balance(times));
        all.push_back(network(result, times));
        all.push_back(find_slow_computing(result, times));
    }
    std::optional<Limit> worst;
    for (const Found& one : all)
        if (one && (!worst || one->share > worst->share)) worst = one;
    // Ranks far from their neighbours are why messages take long, and idle cores why all does; nothing shows what they cost.
    if (!worst || worst->code == "network") {
        const json* const placed = first_finding(result, [](const std::string& code) {
            return code == "scattered-ranks" || code == "idle-cores";
        });
        if (placed != nullptr) return limit_of(*placed, worst ? worst->share : 0.0);
    }
    return worst ? *worst : healthy(result, times);
}

std::string limit_paragraph(const Limit& limit) {
    constexpr std::size_t width = 100;
    std::istringstream words("What limited this run: " + limit.text + " What would help most: " + limit.help);
    std::string text, line;
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            text += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return text + line;
}

}  // namespace groundswell::simulation
