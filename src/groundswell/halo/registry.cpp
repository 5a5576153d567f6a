#include "groundswell/halo/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/nearest_word.hpp"
#include "groundswell/halo/transports/datatypes.hpp"
#include "groundswell/halo/transports/neighbor.hpp"
#include "groundswell/halo/transports/neighbor_nonblocking.hpp"
#include "groundswell/halo/transports/neighbor_persistent.hpp"
#include "groundswell/halo/transports/persistent.hpp"
#include "groundswell/halo/transports/point_to_point.hpp"
#include "groundswell/halo/transports/posted.hpp"
#include "groundswell/halo/transports/shared.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

constexpr std::string_view automatic = "auto";

template <class T>
std::unique_ptr<Transport> make(std::shared_ptr<const Plan> plan, std::vector<Channel> channels) {
    return std::make_unique<T>(std::move(plan), std::move(channels));
}

Availability always(const Plan&) {
    return {};
}

/// One line for each transport. Where two are as fast, `auto` takes the one that stands first.
struct Known {
    std::string_view name;
    std::unique_ptr<Transport> (*make)(std::shared_ptr<const Plan>, std::vector<Channel>);
    Availability (*availability)(const Plan&) = &always;  // collective
};
constexpr Known known_transports[] = {
    {"shared", &Shared::make_or_posted},
    {"posted", &make<Posted>},
    {"persistent", &make<Persistent>},
    {"neighbor", &make<Neighbor>},
    {"neighbor-nonblocking", &make<NeighborNonblocking>},
    {"neighbor-persistent", &make<NeighborPersistent>, &NeighborPersistent::available},
    {"datatypes", &make<Datatypes>},
    {"point-to-point", &make<PointToPoint>},
};

const Known& known(std::string_view name) {
    return *std::find_if(std::begin(known_transports), std::end(known_transports),
                         [&](const Known& candidate) { return candidate.name == name; });
}

/// Memory as large as the fields of one exchange. Zeroed by the system on demand: pages that nobody writes
/// take no room, so that a trial costs memory for what is exchanged alone.
class Scratch {
public:
    Scratch(const Plan& plan, const std::vector<Channel>& channels) {
        const auto ids = static_cast<std::size_t>(plan.ids());
        for (const Channel& channel : channels) {
            memory_.emplace_back(std::calloc(std::max<std::size_t>(ids, 1), channel.stride));
            if (!memory_.back()) throw std::bad_alloc();
            bases_.push_back(memory_.back().get());
            // Pages never written are all one page of zeros, which is read faster than any real field.
            for (const std::int32_t i : plan.pack_index())
                std::memset(
                    static_cast<std::byte*>(bases_.back()) + static_cast<std::size_t>(i) * channel.stride, 1,
                    channel.bytes);
        }
    }
    std::span<void* const> bases() const { return bases_; }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::vector<std::unique_ptr<void, Free>> memory_;
    std::vector<void*> bases_;
};

/// Whether any rank needs only a part of any id.
bool any_selection(const Plan& plan, const std::vector<Channel>& channels) {
    bool any = false;
    for (const Channel& channel : channels)
        any = agree_on_selection(plan, channel.selection.get(), channel.bytes).has_value() || any;
    return any;
}

/// "shared of selected values (ms an exchange, whole/selected: shared 1.2/0.81, posted 2.3/2)"
std::string describe(const Choice& choice) {
    bool selects = false;
    std::string times;
    for (std::size_t i = 0; i < choice.trials.size(); ++i) {
        const Trial& trial = choice.trials[i];
        selects = selects || trial.selects;
        if (i == 0 || trial.name != choice.trials[i - 1].name)
            times += fmt::format("{}{} ", times.empty() ? "" : ", ", trial.name);
        else
            times += '/';
        times += fmt::format("{:.3g}", 1e3 * trial.seconds);
    }
    return fmt::format("{}{} ({}{}){}", choice.transport->name(),
                       choice.transport->selects() ? " of selected values" : "",
                       times.empty() ? "no neighbours" : "ms an exchange",
                       times.empty() ? "" : fmt::format("{}: {}", selects ? ", whole/selected" : "", times),
                       choice.doubt.empty() ? "" : ", in doubt: " + choice.doubt);
}

}  // namespace

std::vector<std::string_view> transport_names() {
    std::vector<std::string_view> names;
    for (const Known& each : known_transports) names.push_back(each.name);
    names.push_back(automatic);
    return names;
}

void require_transport_name(std::string_view name, std::string_view where, std::string_view key) {
    std::vector<std::string> names;
    std::string list;
    for (const std::string_view each : transport_names()) {
        if (each == name) return;
        names.emplace_back(each);
        list += (list.empty() ? "" : ", ") + names.back();
    }
    const std::string nearest = base::nearest_word(name, names);
    base::refuse(
        where, key, name,
        fmt::format("one of {}{}", list, nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)));
}

Availability availability(std::string_view name, const Plan& plan) {
    parallel::agree(plan.comm(), [&] { require_transport_name(name); });
    return name == automatic ? Availability{} : known(name).availability(plan);
}

Choice choose_transport(std::shared_ptr<const Plan> plan, const std::vector<Channel>& channels,
                        std::span<void* const> fields) {
    std::vector<Channel> whole = channels;
    for (Channel& channel : whole) channel.selection = nullptr;
    const bool selection = any_selection(*plan, channels);
    std::vector<Candidate> candidates;
    for (const Known& each : known_transports) {
        if (!each.availability(*plan).available) continue;
        candidates.push_back({each.name, false, [&] { return each.make(plan, whole); }});
        if (selection) candidates.push_back({each.name, true, [&] { return each.make(plan, channels); }});
    }
    // Without messages there is nothing to measure; then what needs nothing will do.
    const auto neighbours = static_cast<std::int64_t>(plan->sources().size());
    if (parallel::max(plan->comm(), neighbours) == 0) return {known("posted").make(plan, whole), {}, ""};
    if (!fields.empty()) return choose_fastest(plan->comm(), candidates, fields);
    const Scratch scratch = parallel::agree(plan->comm(), [&] { return Scratch(*plan, channels); });
    return choose_fastest(plan->comm(), candidates, scratch.bases());
}

std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          std::vector<Channel> channels, std::span<void* const> fields) {
    parallel::agree(plan->comm(), [&] {
        require_transport_name(name);
        GS_ASSERT(fields.empty() || fields.size() == channels.size());
    });
    if (name == automatic) {
        Choice choice = choose_transport(plan, channels, fields);
        if (parallel::rank_of(plan->comm()) == 0) base::log_info("halo transport {}", describe(choice));
        return std::move(choice.transport);
    }
    const Availability found = availability(name, *plan);
    parallel::agree(plan->comm(), [&] {
        base::require(found.available, "halo", "transport", name, "another: " + found.reason);
    });
    return known(name).make(std::move(plan), std::move(channels));
}

std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel) {
    return make_transport(name, std::move(plan), std::vector<Channel>{std::move(channel)});
}

std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel, void* field) {
    return make_transport(name, std::move(plan), std::vector<Channel>{std::move(channel)},
                          std::span<void* const>(&field, 1));
}

}  // namespace groundswell::halo
