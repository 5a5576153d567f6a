#include "groundswell/halo/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/words.hpp"
#include "groundswell/halo/transports/list.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

constexpr std::string_view automatic = "auto";

using transports::TransportKind;

/// All that there are, by their places.
const std::vector<TransportKind>& known_transports() {
    static const std::vector<TransportKind> sorted = [] {
        std::vector<TransportKind> kinds = transports::list();
        std::ranges::stable_sort(kinds, {}, &TransportKind::place);
        return kinds;
    }();
    return sorted;
}

/// "shared, posted or persistent"
template <class Has>
std::string names_of(const Has& has) {
    std::vector<std::string_view> names;
    for (const TransportKind& each : known_transports())
        if (has(each)) names.push_back(each.name);
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

const TransportKind& known(std::string_view name) {
    return *std::ranges::find(known_transports(), name, &TransportKind::name);
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
    const std::vector<void*>& bases() const { return bases_; }

private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::vector<std::unique_ptr<void, Free>> memory_;
    std::vector<void*> bases_;
};

/// Whether any rank needs only a part of any id.
bool any_selection(std::span<const Wanted> wanted) {
    bool any = false;
    for (const auto& [plan, channels, fields, _] : wanted)
        for (const Channel& channel : channels)
            any = agree_on_selection(*plan, channel.selection.get(), channel.bytes).has_value() || any;
    return any;
}

bool adds(const Wanted& one) {
    return std::ranges::any_of(one.channels,
                               [](const Channel& channel) { return channel.addition != nullptr; });
}

/// Same on all ranks, or the caller's defect.
MPI_Comm require_usable(std::span<const Wanted> wanted) {
    GS_ASSERT(!wanted.empty());
    const MPI_Comm comm = wanted.front().plan->comm();
    parallel::agree(comm, [&] {
        for (const auto& [plan, channels, fields, _] : wanted) {
            GS_ASSERT(plan->comm() == comm && !plan->is_reversed() && !channels.empty());
            GS_ASSERT(fields.empty() || fields.size() == channels.size());
            for (const Channel& channel : channels) {
                GS_ASSERT((channel.addition == nullptr) == (channels.front().addition == nullptr));
                GS_ASSERT(channel.addition == nullptr || channel.selection == nullptr);
            }
        }
    });
    return comm;
}

/// Each with the plan of its direction.
std::vector<Wanted> directed(std::span<const Wanted> wanted) {
    std::vector<Wanted> all(wanted.begin(), wanted.end());
    for (Wanted& one : all)
        if (adds(one)) one.plan = std::make_shared<const Plan>(one.plan->reversed());
    return all;
}

Transports make_all(const TransportKind& kind, std::span<const Wanted> directed, bool selects) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::connections);
    Transports transports;
    for (const auto& [plan, channels, fields, _] : directed) {
        std::vector<Channel> used = channels;
        if (!selects)
            for (Channel& channel : used) channel.selection = nullptr;
        transports.push_back(kind.make(plan, std::move(used)));
    }
    return transports;
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
    const Transport& chosen = *choice.transports.front();
    return fmt::format("{}{} ({}{}){}", chosen.name(), chosen.selects() ? " of selected values" : "",
                       times.empty() ? "no neighbours" : "ms an exchange",
                       times.empty() ? "" : fmt::format("{}: {}", selects ? ", whole/selected" : "", times),
                       choice.doubt.empty() ? "" : ", in doubt: " + choice.doubt);
}

}  // namespace

std::vector<std::string_view> transport_names() {
    std::vector<std::string_view> names;
    for (const TransportKind& each : known_transports()) names.push_back(each.name);
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

Availability availability(std::string_view name, const Plan& plan, Ranks ranks, bool adds) {
    parallel::agree(plan.comm(), [&] { require_transport_name(name); });
    if (name == automatic) return {};
    const TransportKind& kind = known(name);
    if (kind.lockstep && ranks == Ranks::out_of_step)
        return {false, fmt::format("{} is in lockstep, and ranks here are out of step: use {}", name,
                                   names_of([](const TransportKind& each) { return !each.lockstep; }))};
    if (!kind.adds && adds)
        return {
            false,
            fmt::format("with {} the MPI library itself writes into the fields, so nothing is added: use {}",
                        name, names_of([](const TransportKind& each) { return each.adds; }))};
    return {};
}

Choice choose_transports(std::span<const Wanted> wanted, Ranks ranks) {
    const MPI_Comm comm = require_usable(wanted);
    const bool selection = any_selection(wanted);
    const std::vector<Wanted> all = directed(wanted);
    const bool any_adds = std::ranges::any_of(wanted, &adds);
    std::vector<Candidate> candidates;
    for (const TransportKind& each : known_transports()) {
        if (!availability(each.name, *wanted.front().plan, ranks, any_adds).available) continue;
        candidates.push_back({each.name, false, [&] { return make_all(each, all, false); }});
        if (selection) candidates.push_back({each.name, true, [&] { return make_all(each, all, true); }});
    }
    // Without messages there is nothing to measure; then what needs nothing will do.
    std::int64_t neighbours = 0;
    for (const Wanted& one : wanted) neighbours += std::ssize(one.plan->sources());
    if (parallel::max(comm, neighbours) == 0) return {make_all(known("posted"), all, false), {}, ""};
    std::vector<std::vector<void*>> fields;
    std::vector<Scratch> scratch;
    for (const Wanted& one : wanted) {
        if (one.fields.empty())
            scratch.push_back(parallel::agree(comm, [&] { return Scratch(*one.plan, one.channels); }));
        fields.push_back(one.fields.empty() ? scratch.back().bases() : one.fields);
    }
    return choose_fastest(comm, candidates, fields);
}

Transports make_transports(std::string_view name, std::span<const Wanted> wanted, Ranks ranks) {
    const parallel::MemoryHolder holder(parallel::MemoryPart::halo);
    const MPI_Comm comm = require_usable(wanted);
    parallel::agree(comm, [&] { require_transport_name(name); });
    if (name == automatic) {
        Choice choice = choose_transports(wanted, ranks);
        if (parallel::rank_of(comm) == 0) base::log_info("halo transport {}", describe(choice));
        return std::move(choice.transports);
    }
    const Availability found =
        availability(name, *wanted.front().plan, ranks, std::ranges::any_of(wanted, &adds));
    parallel::agree(
        comm, [&] { base::require(found.available, "halo", "transport", name, "another: " + found.reason); });
    return make_all(known(name), directed(wanted), true);
}

std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          std::vector<Channel> channels, std::span<void* const> fields) {
    const Wanted wanted{std::move(plan), std::move(channels), {fields.begin(), fields.end()}};
    return std::move(make_transports(name, std::span(&wanted, 1)).front());
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
