#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/halo/transport.hpp"

/// Transports, each in a file of this folder: NAME.cpp defines a function `TransportKind NAME()` in this namespace, and the
/// build lists all of them (groundswell_list in cmake/GroundswellModules.cmake).
namespace groundswell::halo::transports {

struct TransportKind {
    std::string_view name;  ///< in case files, reports and on command lines
    /// A transport for these fields. Collective.
    std::unique_ptr<Transport> (*make)(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    /// Start or finish is collective, or waits until neighbours finish too: none for ranks that are out of step.
    bool lockstep = false;
    bool adds = true;  ///< whether it can add to the owners' values
    int place = 100;   ///< in lists; where two are as fast, `auto` takes the one of the lower place
};

template <class T>
std::unique_ptr<Transport> make(std::shared_ptr<const Plan> plan, std::vector<Channel> channels) {
    return std::make_unique<T>(std::move(plan), std::move(channels));
}

}  // namespace groundswell::halo::transports
