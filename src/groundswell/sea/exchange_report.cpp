#include "groundswell/sea/exchange_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::sea {

void report_exchange(MPI_Comm comm, const HaloExchange& exchange, simulation::Report& report) {
    const Overlap overlap = exchange.overlap();
    const halo::Waits waits = exchange.waits();
    const halo::Traffic& traffic = exchange.traffic();
    // Bytes are those that all ranks send in one exchange.
    const std::int64_t exchanges = std::max<std::int64_t>(traffic.exchanges, 1);
    const auto per_exchange = [&](const char* key, std::int64_t all) {
        const std::int64_t value = parallel::sum(comm, all) / exchanges;
        report.set(key, value);
        return static_cast<double>(value);
    };
    const double bytes = per_exchange("exchange.bytes", traffic.bytes);
    const double whole = per_exchange("exchange.whole_bytes", traffic.whole_bytes);
    per_exchange("exchange.messages", traffic.messages);
    report.set("transport", exchange.transport());
    report.set("exchange.directions", exchange.selects() ? "needed" : "all");
    report.set("exchange.progress", name(exchange.progress()));
    const double waiting = report.set_over_ranks(comm, "exchange.waiting_seconds", overlap.waiting).mean;
    const double alone =
        report.set_over_ranks(comm, "exchange.waiting_alone_seconds", overlap.waiting_alone).mean;
    const double late = report.set_over_ranks(comm, "exchange.late_seconds", waits.late).mean;
    const double message = report.set_over_ranks(comm, "exchange.message_seconds", waits.message).mean;
    const double polling = report.set_over_ranks(comm, "exchange.polling_seconds", overlap.polling).mean;
    report.set_over_ranks(comm, "exchange.thread_seconds", overlap.thread);
    report.set("exchange.thread_cores", parallel::sum(comm, std::int64_t{exchange.thread_cpu() ? 1 : 0}));
    const double hidden = alone > 0.0 ? std::clamp(1.0 - waiting / alone, 0.0, 1.0) : 0.0;
    report.set("hidden_share", hidden);
    if (whole <= 0.0) return;

    std::string text =
        fmt::format("halo exchange      {}, {:.3f} MiB a step", exchange.transport(), bytes / 1048576.0);
    if (bytes < whole)
        text += fmt::format(" ({:.0f} % of the {:.3f} MiB of all directions)", 100.0 * bytes / whole,
                            whole / 1048576.0);
    text += fmt::format(", progress {}, hidden {:.0f} %", name(exchange.progress()), 100.0 * hidden);
    if (polling > 0.0) text += fmt::format(" by {:.3f} s of polling", polling);
    if (late + message > 0.0)
        text += fmt::format(
            "\n  waiting          {:.3g} ms an exchange: {:.0f} % for late neighbours, {:.0f} % for messages",
            1e3 * (late + message), 100.0 * late / (late + message), 100.0 * message / (late + message));
    report.add_line(text);
}

}  // namespace groundswell::sea
