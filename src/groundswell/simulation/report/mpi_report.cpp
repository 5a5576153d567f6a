#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/profile_report.hpp"
#include "groundswell/simulation/report/short_words.hpp"

namespace groundswell::simulation {

namespace {

using Statistics = std::span<const parallel::Statistic>;

constexpr std::size_t numbers_of_call = 4;

/// Sums that statistics are made of.
void add_numbers(const parallel::MpiCall& call, std::vector<double>& numbers) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(call.count), call.seconds, static_cast<double>(call.bytes.sent),
                    static_cast<double>(call.bytes.received)});
}

parallel::MpiCall since(const parallel::MpiCall& before, const parallel::MpiCall& after) {
    return {after.name, after.count - before.count, after.seconds - before.seconds,
            parallel::MpiTraffic(after.bytes.sent - before.bytes.sent,
                                 after.bytes.received - before.bytes.received)};
}

/// `of`: over ranks, as add_numbers has them.
void set_numbers(nlohmann::json& row, const std::string& prefix, Statistics of, double ranks) {
    row[prefix + "count"] = std::llround(of[0].mean * ranks);
    row[prefix + "seconds"] = statistic_json(of[1]);
    row[prefix + "sent_bytes"] = statistic_json(of[2]);
    row[prefix + "received_bytes"] = statistic_json(of[3]);
}

nlohmann::json calls_json(MPI_Comm comm, const std::vector<parallel::MpiCall>& before,
                          const std::vector<parallel::MpiCall>& after) {
    std::vector<double> counts;
    for (const parallel::MpiCall& call : after) counts.push_back(static_cast<double>(call.count));
    const std::vector<double> most = parallel::max(comm, counts);
    std::vector<std::size_t> used;
    std::vector<double> mine;
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (most[i] == 0.0) continue;
        used.push_back(i);
        add_numbers(after[i], mine);
        add_numbers(before[i], mine);
    }
    const std::vector<parallel::Statistic> found = parallel::statistics(comm, mine);
    const double ranks = parallel::size_of(comm);
    std::vector<nlohmann::json> list;
    for (std::size_t u = 0; u < used.size(); ++u) {
        const Statistics of = Statistics(found).subspan(2 * numbers_of_call * u, 2 * numbers_of_call);
        nlohmann::json row{{"name", after[used[u]].name}};
        set_numbers(row, "", of, ranks);
        set_numbers(row, "setup_", of.subspan(numbers_of_call), ranks);
        list.push_back(row);
    }
    std::ranges::stable_sort(list, std::greater(), [](const auto& call) { return mean_of(call["seconds"]); });
    return list;
}

// From the first step to the last, by the phase in which the main thread was; other threads have none.
nlohmann::json places_json(MPI_Comm comm, const parallel::Profile& profile,
                           const std::vector<parallel::MpiCall>& before,
                           const std::vector<parallel::MpiCall>& after) {
    std::vector<double> mine;
    for (std::size_t i = 0; i < after.size(); ++i) add_numbers(since(before[i], after[i]), mine);
    const std::vector<parallel::Statistic> found = parallel::statistics(comm, mine);
    nlohmann::json places;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const Statistics of = Statistics(found).subspan(numbers_of_call * i, numbers_of_call);
        if (of[0].max == 0.0) continue;
        const std::string name = i == 0 ? "other_threads" : profile.name(static_cast<parallel::Phase>(i - 1));
        set_numbers(places[name], "", of, parallel::size_of(comm));
    }
    return places;
}

std::string bytes_words(const nlohmann::json& row) {
    std::string text;
    for (const auto& [key, word] : {std::pair("sent_bytes", "sent"), std::pair("received_bytes", "received")})
        if (const double bytes = mean_of(row[key]); bytes > 0.0)
            text += fmt::format(", {} {}", short_bytes(bytes), word);
    return text;
}

}  // namespace

nlohmann::json mpi_json(MPI_Comm comm, const parallel::Profile& profile, const RunMeasurement& measurement) {
    const auto& mpi = measurement.mpi;
    if (mpi.after.empty()) return nullptr;
    return {{"calls", calls_json(comm, mpi.before, mpi.after)},
            {"phases", places_json(comm, profile, mpi.places_before, mpi.places_after)}};
}

std::string mpi_summary(const nlohmann::json& mpi) {
    if (mpi.is_null()) return {};
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, mpi["calls"].size()); ++i) {
        const nlohmann::json& call = mpi["calls"][i];
        text += fmt::format(
            "{:<19}{:<27}{:>8} a rank, {} at most, {} before the first step; {} calls{}\n",
            i == 0 ? "MPI calls" : "", call["name"].get<std::string>(), short_time(mean_of(call["seconds"])),
            short_time(call["seconds"]["max"].get<double>()), short_time(mean_of(call["setup_seconds"])),
            call["count"].get<std::int64_t>(), bytes_words(call));
    }
    std::vector<std::pair<std::string, nlohmann::json>> places;
    for (const auto& [name, row] : mpi["phases"].items()) places.emplace_back(name, row);
    std::ranges::stable_sort(places, std::greater(),
                             [](const auto& place) { return mean_of(place.second["seconds"]); });
    for (std::size_t i = 0; i < std::min(shown, places.size()); ++i) {
        const auto& [name, row] = places[i];
        text += fmt::format("{:<19}{:<27}{:>8} a rank, {} at most; {} calls{}\n",
                            i == 0 ? "MPI by phase" : "", name, short_time(mean_of(row["seconds"])),
                            short_time(row["seconds"]["max"].get<double>()), row["count"].get<std::int64_t>(),
                            bytes_words(row));
    }
    return text;
}

}  // namespace groundswell::simulation
