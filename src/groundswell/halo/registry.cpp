#include "groundswell/halo/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/nearest_word.hpp"
#include "groundswell/halo/datatypes.hpp"
#include "groundswell/halo/neighbor.hpp"
#include "groundswell/halo/neighbor_nonblocking.hpp"
#include "groundswell/halo/neighbor_persistent.hpp"
#include "groundswell/halo/persistent.hpp"
#include "groundswell/halo/point_to_point.hpp"
#include "groundswell/halo/posted.hpp"
#include "groundswell/halo/shared.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile.hpp"
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
    {"posted", &make<Posted>},
    {"persistent", &make<Persistent>},
    {"neighbor", &make<Neighbor>},
    {"neighbor-nonblocking", &make<NeighborNonblocking>},
    {"neighbor-persistent", &make<NeighborPersistent>, &NeighborPersistent::available},
    {"datatypes", &make<Datatypes>},
    {"point-to-point", &make<PointToPoint>},
    {"shared", &Shared::make_or_posted},
};

const Known& known(std::string_view name) {
    return *std::find_if(std::begin(known_transports), std::end(known_transports),
                         [&](const Known& candidate) { return candidate.name == name; });
}

/// Memory as large as the fields of one exchange. Zeroed by the system on demand: pages that are only read
/// take no room, so that a trial costs memory for the halo alone.
class Scratch {
public:
    Scratch(const Plan& plan, const std::vector<Channel>& channels) {
        const auto ids = static_cast<std::size_t>(plan.owned()) + static_cast<std::size_t>(plan.needed());
        for (const Channel& channel : channels) {
            memory_.emplace_back(std::calloc(std::max<std::size_t>(ids, 1), channel.stride));
            if (!memory_.back()) throw std::bad_alloc();
            bases_.push_back(memory_.back().get());
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

constexpr int trial_exchanges = 5;

/// Seconds of the best exchange, on the slowest rank. The first exchange sets up connections and is not
/// counted.
double trial_seconds(Transport& transport, std::span<void* const> bases) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= trial_exchanges; ++i) {
        parallel::check(MPI_Barrier(transport.plan().comm()), "start a trial of a transport");
        const double before = parallel::now();
        transport.start(bases);
        transport.finish();
        const double slowest = parallel::max(transport.plan().comm(), parallel::now() - before);
        if (i > 0) best = std::min(best, slowest);
    }
    return best;
}

std::string_view fastest(const std::vector<Trial>& trials, MPI_Comm comm) {
    const auto best = std::min_element(trials.begin(), trials.end(),
                                       [](const Trial& a, const Trial& b) { return a.seconds < b.seconds; });
    int rank = 0;
    parallel::check(MPI_Comm_rank(comm, &rank), "tell the rank");
    if (rank == 0) {
        std::string times;
        for (const Trial& trial : trials) {
            times +=
                fmt::format("{}{} {:.3g} ms", times.empty() ? "" : ", ", trial.name, 1e3 * trial.seconds);
        }
        base::log_info("halo transport {} (one exchange: {})", best->name, times);
    }
    return best->name;
}

}  // namespace

std::vector<std::string_view> transport_names() {
    std::vector<std::string_view> names;
    for (const Known& each : known_transports) names.push_back(each.name);
    names.push_back(automatic);
    return names;
}

void require_transport_name(std::string_view name, std::string_view where) {
    std::vector<std::string> names;
    std::string list;
    for (const std::string_view each : transport_names()) {
        if (each == name) return;
        names.emplace_back(each);
        list += (list.empty() ? "" : ", ") + names.back();
    }
    const std::string nearest = base::nearest_word(name, names);
    base::refuse(
        where, "transport", name,
        fmt::format("one of {}{}", list, nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)));
}

Availability availability(std::string_view name, const Plan& plan) {
    parallel::agree(plan.comm(), [&] { require_transport_name(name); });
    return name == automatic ? Availability{} : known(name).availability(plan);
}

std::vector<Trial> try_transports(std::shared_ptr<const Plan> plan, const std::vector<Channel>& channels) {
    const Scratch scratch = parallel::agree(plan->comm(), [&] { return Scratch(*plan, channels); });
    std::vector<Trial> trials;
    for (const Known& candidate : known_transports) {
        if (!candidate.availability(*plan).available) continue;
        const std::unique_ptr<Transport> transport = candidate.make(plan, channels);
        trials.push_back({candidate.name, trial_seconds(*transport, scratch.bases())});
    }
    return trials;
}

std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          std::vector<Channel> channels) {
    parallel::agree(plan->comm(), [&] { require_transport_name(name); });
    if (name == automatic) name = fastest(try_transports(plan, channels), plan->comm());
    const Availability available = known(name).availability(*plan);
    parallel::agree(plan->comm(),
                    [&] { base::require(available.available, "halo", "transport", name, available.reason); });
    return known(name).make(std::move(plan), std::move(channels));
}

std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel) {
    return make_transport(name, std::move(plan), std::vector<Channel>{channel});
}

}  // namespace groundswell::halo
