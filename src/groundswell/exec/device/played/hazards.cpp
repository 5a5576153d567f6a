#include "groundswell/exec/device/played/hazards.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace groundswell::exec {

void HazardChecker::merge(Clock& into, const Clock& from) {
    into.resize(std::max(into.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void HazardChecker::add_stream() {
    streams_.emplace_back(streams_.size() + 1);
}

void HazardChecker::record(Stream stream, Event event) {
    events_[event] = streams_.at(static_cast<std::size_t>(stream));
}

void HazardChecker::wait(Stream stream, Event event) {
    merge(streams_.at(static_cast<std::size_t>(stream)), events_.at(event));
}

void HazardChecker::synchronise(Stream stream) {
    merge(host_, streams_.at(static_cast<std::size_t>(stream)));
}

void HazardChecker::operation(Stream stream, const std::string& name, const std::vector<Use>& uses) {
    const auto own = static_cast<std::size_t>(stream);
    Clock& clock = streams_.at(own);
    merge(clock, host_);
    const long number = ++clock[own];
    for (const Use& use : uses) {
        History& history = arrays_[use.array];
        const auto check = [&](const std::vector<Access>& accesses) {
            for (const Access& other : accesses) {
                const auto of = static_cast<std::size_t>(other.stream);
                if (of != own && (of >= clock.size() || clock[of] < other.number))
                    throw base::Defect(
                        fmt::format("'{}' on stream {} and '{}' on stream {} use the array '{}' with no "
                                    "event between them",
                                    other.name, of, name, own, use.name));
            }
        };
        check(history.writes);
        if (use.writes) check(history.reads);
        std::vector<Access>& accesses = use.writes ? history.writes : history.reads;
        std::erase_if(accesses, [&](const Access& access) { return access.stream == static_cast<int>(own); });
        accesses.push_back({static_cast<int>(own), number, name});
    }
}

}  // namespace groundswell::exec
