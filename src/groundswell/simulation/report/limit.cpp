#include "groundswell/simulation/report/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/parallel/cores/use_judgement.hpp"

namespace groundswell::simulation {

namespace {

using nlohmann::json;

// Shares of the whole time from which on something is named, and seconds below which nothing is said.
constexpr double worth_output = 0.15, worth_balance = 0.15, worth_messages = 0.15, worth_start = 0.4;
constexpr double worth_late = 0.25;  // ranks that are late by turns: a busy machine does that too
constexpr double least_seconds = 1.0, least_start = 10.0;
constexpr double spinning = 0.5;           // share of its idle time that a server had a core
constexpr double slow_instructions = 1.0;  // a cycle: below, and with many misses, memory is waited for
constexpr double many_misses = 0.003;      // of the last cache, an instruction

double number(const json& at, std::string_view pointer, double otherwise = 0.0) {
    const json::json_pointer where{std::string(pointer)};
    return at.contains(where) && at[where].is_number() ? at[where].get<double>() : otherwise;
}

struct Times {
    double start = 0.0, wall = 0.0, all = 0.0;  // s
    double computing = 0.0, most_computing = 0.0;
    double waits = 0.0, late = 0.0,
           messages = 0.0;  // in exchanges; of them for late neighbours, for messages
    double agreement = 0.0;
    explicit Times(const json& result)
        : start(number(result, "/phases/setup/mean")),
          wall(number(result, "/wall_seconds")),
          all(start + wall),
          computing(number(result, "/computation_seconds/mean")),
          most_computing(number(result, "/computation_seconds/max")),
          waits(number(result, "/phases/exchange_wait/mean")),
          agreement(number(result, "/phases/agreement/mean")) {
        const double for_late = number(result, "/exchange/late_seconds/mean"),
                     for_message = number(result, "/exchange/message_seconds/mean");
        if (for_late + for_message > 0.0) late = waits * for_late / (for_late + for_message);
        messages = waits - late;
    }
};

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100.0 * share);
}

using Found = std::optional<Limit>;

// A server that sleeps wants a core now and then, and on a busy machine waits for it: it is told from one that spins by what
// it does while it does not wait.
Found spinning_server(const json& result, const Times& times) {
    const double idle = number(result, "/output/server_idle_seconds/max"),
                 queue = number(result, "/output/server_idle_queue_seconds/max"),
                 busy = number(result, "/output/server_idle_processor_seconds/max");
    if (idle < least_seconds || busy < spinning * (idle - queue) || busy + queue < spinning * idle) return {};
    return Limit{
        "spinning-server",
        fmt::format(
            "An output server wanted a core for {} of the {:.1f} s in which it only waited for values, and "
            "had one "
            "for {:.1f} s. Ranks that share its core, or its hardware thread, compute more slowly for it.",
            percent(std::min(1.0, (busy + queue) / idle)), idle, busy),
        "Let waiting processes give their core away (Open MPI: mpirun --mca mpi_yield_when_idle 1), bind the "
        "server to a core of its own, or write without servers (output.mode = \"thread\").",
        std::min(1.0, (busy + queue) / times.all)};
}

const json* first_finding(const json& result, const std::function<bool(const std::string&)>& counts) {
    const json& findings = result["cores"]["findings"];
    const auto found = std::ranges::find_if(
        findings, [&](const json& one) { return counts(one["code"].get<std::string>()); });
    return found != findings.end() ? &*found : nullptr;
}

Limit limit_of(const json& finding, double share) {
    std::string text = finding["message"].get<std::string>(), help = finding["fix"].get<std::string>();
    for (std::string* const sentence : {&text, &help})
        if (!sentence->empty()) (*sentence)[0] = static_cast<char>(std::toupper((*sentence)[0]));
    return {finding["code"].get<std::string>(), text + ".", help + ".", share};
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
            "curve "
            "(mesh.partition = \"curve\"), which all ranks do together.";
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
        return Limit{
            "imbalance",
            fmt::format(
                "The rank with most work computed {:.1f} s, the mean was {:.1f} s: the others waited {} of "
                "the run for it.",
                times.most_computing, times.computing, percent(lost / times.all)),
            "Look at `ranks` in run.json for who has most; use fewer ranks with more threads each, which "
            "share "
            "their work out anew in every step, or another partition (mesh.partition).",
            lost / times.all};
    if (waited < least_seconds || waited < worth_late * times.all) return {};
    return Limit{
        "late-ranks",
        fmt::format(
            "Ranks waited {:.1f} s, {} of the run, for others that were late by turns: all have the same "
            "to do over the whole run, but not at the same moment.",
            waited, percent(waited / times.all)),
        "Bind ranks to cores of their own (mpirun --bind-to core), leave a core to the system, and look for "
        "what "
        "interrupts them.",
        waited / times.all};
}

Found network(const json& result, const Times& times) {
    const double lost = times.messages + number(result, "/phases/exchange_pack/mean") +
                        number(result, "/phases/exchange_unpack/mean");
    if (lost < least_seconds || lost < worth_messages * times.all) return {};
    const std::string progress = result.value(json::json_pointer("/exchange/progress"), std::string("none"));
    return Limit{
        "network",
        fmt::format(
            "Exchanging halos took {:.1f} s, {} of the run, with neighbours that were there in time: {:.3g} "
            "MiB an exchange.",
            lost, percent(lost / times.all), number(result, "/exchange/bytes") / 1048576.0),
        progress == "none" ? "Let messages travel while cells are computed (halo.progress = \"polling\", or "
                             "\"thread\" with a core "
                             "for it); fewer ranks with more threads each send less; see `groundswell halo "
                             "MESH` for transports."
                           : "Use fewer ranks with more threads each, which send less; see `groundswell halo "
                             "MESH` for transports.",
        lost / times.all};
}

// Where nothing was in the way: what the time went into.
Limit healthy(const json& result, const Times& times) {
    std::string most;
    double seconds = 0.0;
    for (const auto& [name, phase] : result["phases"].items()) {
        const bool runtime = name == "setup" || name == "agreement" || name == "output" || name == "other" ||
                             name.starts_with("exchange_");
        if (const double mean = phase["mean"].get<double>(); !runtime && mean > seconds) {
            most = name;
            seconds = mean;
        }
    }
    Limit limit{"computing", "", "", times.computing / times.all};
    limit.text =
        fmt::format("Nothing was in its way: {} of the run went into computing", percent(limit.share));
    if (!most.empty()) limit.text += fmt::format(", {} into {}", percent(seconds / times.all), most);
    limit.text += fmt::format("; start-up {}, output {}, waiting for others and for messages {}.",
                              percent(times.start / times.all),
                              percent(number(result, "/phases/output/mean") / times.all),
                              percent((times.waits + times.agreement) / times.all));
    limit.help =
        "More cores make it faster (`groundswell scale CASE` says how far); `groundswell proxy` compares its "
        "kernels "
        "with what this machine can do.";
    const double instructions = number(result, "/hardware_counters/instructions/mean"),
                 cycles = number(result, "/hardware_counters/cycles/mean"),
                 misses = number(result, "/hardware_counters/cache_misses/mean");
    if (cycles > 0.0 && instructions < slow_instructions * cycles && misses > many_misses * instructions) {
        limit.code = "memory";
        limit.text += fmt::format(
            " Its cores did {:.2f} instructions a cycle and missed their caches {:.1f} times in a "
            "thousand: they waited for memory.",
            instructions / cycles, 1e3 * misses / instructions);
        limit.help =
            "Ranks on more hosts have more memory bandwidth between them; cores beyond those that saturate a "
            "host's "
            "memory gain nothing (`groundswell proxy` finds how many).";
    }
    return limit;
}

}  // namespace

Limit judge_limit(const json& result) {
    const Times times(result);
    if (const Found found = spinning_server(result, times)) return *found;
    const Found of_cores = cores(result, times);
    std::vector<Found> all{of_cores, slow_output(result, times), start_up(result, times)};
    // Ranks without their cores are late, and so are their messages.
    if (!of_cores) {
        all.push_back(balance(times));
        all.push_back(network(result, times));
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
