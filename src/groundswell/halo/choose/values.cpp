#include "groundswell/halo/choose/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

namespace {

bool selects(const Transports& transports) {
    return std::ranges::any_of(transports, [](const auto& transport) { return transport->selects(); });
}

/// The fastest that sends selected values.
Transports fastest_of_selected(std::span<const Wanted> selected, Ranks ranks) {
    Choice choice = choose_transports(selected, ranks);
    if (selects(choice.transports)) return std::move(choice.transports);
    std::erase_if(choice.trials, [](const Trial& trial) { return !trial.selects; });
    if (choice.trials.empty()) return make_transports(choice.transports.front()->name(), selected, ranks);
    const auto best = std::ranges::min_element(choice.trials, {}, &Trial::seconds);
    return make_transports(best->name, selected, ranks);
}

/// The transports of this name, with selections or without, whichever is faster.
Transports faster_of_both(const ExchangeOptions& options, std::span<const Wanted> whole,
                          std::span<const Wanted> selected) {
    const MPI_Comm comm = whole.front().plan->comm();
    // Where one transport is given in place of another, it is this one that is tried.
    const std::string name(make_transports(options.transport, whole, options.ranks).front()->name());
    const auto maker = [&](std::span<const Wanted> wanted) {
        return [&, wanted] { return make_transports(name, wanted, options.ranks); };
    };
    std::vector<std::vector<void*>> fields;
    for (const Wanted& one : whole) fields.push_back(one.fields);
    Choice choice =
        choose_fastest(comm, {{name, false, maker(whole)}, {name, true, maker(selected)}}, fields);
    const std::string times = choice.trials.size() == 2
                                  ? fmt::format("all {:.3g}, needed {:.3g}", 1e3 * choice.trials[0].seconds,
                                                1e3 * choice.trials[1].seconds)
                                  : "only one was tried";
    if (parallel::rank_of(comm) == 0)
        base::log_info("halo of {} {} (ms an exchange: {}){}", selects(choice.transports) ? "needed" : "all",
                       options.names.values, times,
                       choice.doubt.empty() ? "" : ", in doubt: " + choice.doubt);
    return std::move(choice.transports);
}

}  // namespace

Transports make_transports(const ExchangeOptions& options, std::span<const Wanted> whole,
                           std::span<const Wanted> selected) {
    if (selected.empty() || options.values == Values::all)
        return make_transports(options.transport, whole, options.ranks);
    if (options.values == Values::selected)
        return options.transport == "auto" ? fastest_of_selected(selected, options.ranks)
                                           : make_transports(options.transport, selected, options.ranks);
    return options.transport == "auto" ? make_transports("auto", selected, options.ranks)
                                       : faster_of_both(options, whole, selected);
}

}  // namespace groundswell::halo
