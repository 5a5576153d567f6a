#include "groundswell/halo/choose/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/halo/device/device_messages.hpp"
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

namespace {

// Selected values of fields on devices travel unless all are wanted: a kernel picks them at no cost. Those of hosts among
// them have a transport as if they were alone.
Transports make_some_on_device(const ExchangeOptions& options, std::span<const Wanted> whole,
                               std::span<const Wanted> selected) {
    std::vector<Wanted> of_hosts, selected_of_hosts;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (whole[i].device) continue;
        of_hosts.push_back(whole[i]);
        if (!selected.empty()) selected_of_hosts.push_back(selected[i]);
    }
    Transports on_hosts;
    if (!of_hosts.empty()) on_hosts = make_transports(options, of_hosts, selected_of_hosts);
    Transports all;
    const bool selects = !selected.empty() && options.values != Values::all;
    for (std::size_t i = 0, host = 0; i < whole.size(); ++i) {
        if (whole[i].device)
            all.push_back(std::make_unique<DeviceMessages>(selects ? selected[i] : whole[i], options));
        else
            all.push_back(std::move(on_hosts[host++]));
    }
    return all;
}

}  // namespace

Transports make_transports(const ExchangeOptions& options, std::span<const Wanted> whole,
                           std::span<const Wanted> selected) {
    if (std::ranges::any_of(whole, [](const Wanted& one) { return one.device.has_value(); }))
        return make_some_on_device(options, whole, selected);
    if (selected.empty() || options.values == Values::all)
        return make_transports(options.transport, whole, options.ranks);
    if (options.values == Values::selected)
        return options.transport == "auto" ? fastest_of_selected(selected, options.ranks)
                                           : make_transports(options.transport, selected, options.ranks);
    return options.transport == "auto" ? make_transports("auto", selected, options.ranks)
                                       : faster_of_both(options, whole, selected);
}

}  // namespace groundswell::halo
