#include "groundswell/cli/halo/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/report/halo_report.hpp"
#include "groundswell/halo/host/host_neighbours.hpp"
#include "groundswell/halo/measure/measurement.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/progress_line.hpp"

namespace groundswell::cli {

namespace {

constexpr const char* command_line = "command line";
constexpr double wished_seconds = 5.0;  // of a measurement whose repeats nobody gave
constexpr int fewest_repeats = 20, most_repeats = 5000;
constexpr int largest_matrix = 1024;  // ranks; a larger rank × rank matrix is left out

// Bytes that come to this rank from other hosts.
std::int64_t from_other_hosts(const halo::HostNeighbours& neighbours,
                              const std::vector<std::int64_t>& received) {
    std::int64_t bytes = 0;
    for (std::size_t k = 0; k < received.size(); ++k)
        if (!neighbours.sources[k].on_host) bytes += received[k];
    return bytes;
}

nlohmann::json statistic_json(MPI_Comm comm, double mine) {
    return simulation::statistic_json(parallel::statistic(comm, mine));
}

// What is exchanged, whatever carries it.
struct Volume {
    std::int64_t all = 0, off_host = 0;                       // bytes of one exchange, all ranks
    std::optional<std::int64_t> selected, selected_off_host;  // of the selected values
    nlohmann::json json;
};

Volume measure_volume(const halo::Plan& plan, std::size_t bytes, const halo::Selection* selection) {
    const MPI_Comm comm = plan.comm();
    const parallel::Placement placement = parallel::find_placement(comm);
    const halo::HostNeighbours neighbours = halo::find_host_neighbours(plan);
    const std::vector<std::int64_t> received = halo::received_bytes(plan, bytes);
    const auto mine = std::accumulate(received.begin(), received.end(), std::int64_t{0});
    Volume volume;
    volume.all = parallel::sum(comm, mine);
    volume.off_host = parallel::sum(comm, from_other_hosts(neighbours, received));
    volume.json["received_bytes"] = statistic_json(comm, static_cast<double>(mine));
    volume.json["neighbours"] = statistic_json(comm, static_cast<double>(plan.sources().size()));
    const auto share = [&](std::int64_t part) {
        return volume.all > 0 ? static_cast<double>(part) / static_cast<double>(volume.all) : 0.0;
    };
    volume.json["off_host_share"] = share(volume.off_host);
    volume.json["selected_share"] = nullptr;
    if (selection != nullptr) {
        const std::vector<std::int64_t> wanted = halo::received_bytes(plan, bytes, selection);
        volume.selected = parallel::sum(comm, std::accumulate(wanted.begin(), wanted.end(), std::int64_t{0}));
        volume.selected_off_host = parallel::sum(comm, from_other_hosts(neighbours, wanted));
        volume.json["selected_share"] = share(*volume.selected);
    }
    volume.json["matrix_bytes"] = nullptr;
    volume.json["host_of_rank"] = nullptr;
    if (parallel::size_of(comm) <= largest_matrix) {
        volume.json["matrix_bytes"] = halo::byte_matrix(plan, received);
        volume.json["host_of_rank"] = parallel::hosts_of_all_ranks(comm, placement);
    }
    return volume;
}

// The transports to measure: those asked for, which must be there, or all that there are.
std::vector<HaloEntry> find_entries(const halo::Plan& plan, const HaloMeasure& options) {
    std::vector<HaloEntry> entries;
    if (options.transports.empty()) {
        for (const std::string_view name : halo::transport_names()) {
            if (name == "auto") continue;
            HaloEntry entry;
            entry.name = name;
            const halo::Availability found = halo::availability(name, plan);
            if (!found.available) entry.reason = found.reason;
            entries.push_back(std::move(entry));
        }
        // What the others are compared with stands first.
        std::stable_partition(entries.begin(), entries.end(),
                              [](const HaloEntry& entry) { return entry.name == halo_baseline; });
        return entries;
    }
    for (const std::string& name : options.transports) {
        const halo::Availability found = halo::availability(name, plan);
        parallel::agree(plan.comm(), [&] {
            base::require(found.available, command_line, "--transport", name, "another: " + found.reason);
        });
        const bool known = std::any_of(entries.begin(), entries.end(),
                                       [&](const HaloEntry& entry) { return entry.name == name; });
        if (!known) entries.emplace_back().name = name;
    }
    return entries;
}

// Time of what `auto` took, over that of the fastest; 10th percentiles.
double ratio_to_best(const std::vector<HaloEntry>& entries, const halo::Measurement::Automatic& chosen) {
    double best = std::numeric_limits<double>::infinity(), mine = best;
    for (const HaloEntry& entry : entries) {
        if (!entry.reason.empty()) continue;
        best = std::min(best, entry.whole.whole.p10);
        if (entry.has_selected) best = std::min(best, entry.selected.whole.p10);
        if (entry.name == chosen.name) mine = (chosen.selects ? entry.selected : entry.whole).whole.p10;
    }
    return mine / best;
}

int choose_repeats(double seconds_of_round) {
    return std::clamp(static_cast<int>(wished_seconds / std::max(seconds_of_round, 1e-6)), fewest_repeats,
                      most_repeats);
}

}  // namespace

void check_transports(const HaloMeasure& options) {
    for (const std::string& name : options.transports)
        halo::require_transport_name(name, command_line, "--transport");
}

int measure_halo(const HaloSubject& subject, const HaloMeasure& options) {
    const MPI_Comm comm = subject.comm.get();
    const bool speaks = subject.comm.rank() == 0;
    const halo::Plan& plan = *subject.plan;
    const auto& selection = subject.selection;

    std::vector<HaloEntry> entries = find_entries(plan, options);
    halo::Measurement measurement(subject.plan, subject.ids, subject.bytes, halo::Memory::shared);
    for (const HaloEntry& entry : entries) {
        if (!entry.reason.empty()) continue;
        measurement.add(entry.name);
        if (selection) measurement.add(entry.name, selection);
    }
    const double round = measurement.warm_up();
    const int repeats = options.repeats > 0 ? options.repeats : choose_repeats(round);
    {
        simulation::ProgressLine progress(options.quiet || !speaks);
        measurement.run(repeats, [&](int done) {
            if (progress.is_due())
                progress.show(fmt::format("halo: {} of {} exchanges, about {} left", done, repeats,
                                          simulation::format_seconds(round * (repeats - done))));
        });
    }
    std::vector<halo::MeasuredTransport> found = measurement.results();
    std::size_t next = 0;
    for (HaloEntry& entry : entries) {
        if (!entry.reason.empty()) continue;
        entry.whole = std::move(found[next++]);
        if (!selection) continue;
        entry.selected = std::move(found[next++]);
        entry.has_selected = entry.selected.selects;
    }
    const halo::PhaseTime copy = measurement.memcpy_time();
    const Volume volume = measure_volume(plan, subject.bytes, selection.get());
    nlohmann::json result = volume.json;
    result.update(subject.about);
    result["repeats"] = repeats;
    result["baseline"] = halo_baseline;
    result["shared_field"] = measurement.shared_field();
    result["memcpy_bytes"] = measurement.largest_received_bytes();
    result["memcpy_seconds"] = {{"p10", copy.p10}, {"median", copy.median}};
    result["transports"] =
        halo_transports(entries, copy.p10, volume.off_host, volume.selected_off_host.value_or(0));
    result["auto_choice"] = result["auto_selects"] = result["auto_to_best"] = nullptr;
    if (options.transports.empty()) {
        const halo::Measurement::Automatic chosen = measurement.automatic(selection);
        result["auto_choice"] = chosen.name;
        result["auto_selects"] = chosen.selects;
        result["auto_to_best"] = ratio_to_best(entries, chosen);
    }
    const nlohmann::json report = simulation::json_report("halo", comm, 1, result);
    if (speaks) {
        // On standard output a report stands alone.
        if (!options.quiet && options.json != "-") std::cout << halo_table(report["machine"], result);
        if (!options.json.empty()) simulation::write_json(options.json, report);
    }
    const bool all_right = std::all_of(entries.begin(), entries.end(), [](const HaloEntry& entry) {
        return !entry.reason.empty() ||
               (entry.whole.verified && (!entry.has_selected || entry.selected.verified));
    });
    parallel::agree(comm, [&] { GS_ASSERT(all_right); });
    return 0;
}

}  // namespace groundswell::cli
