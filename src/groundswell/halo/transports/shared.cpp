#include "groundswell/halo/host/shared.hpp"
#include "groundswell/halo/transports/transport_kind.hpp"

namespace groundswell::halo::transports {

TransportKind posted();

namespace {

/// Posted where /dev/shm has no room.
std::unique_ptr<Transport> make_shared(std::shared_ptr<const Plan> plan, std::vector<Channel> channels) {
    std::unique_ptr<Transport> made = Shared::make(plan, channels);
    return made ? std::move(made) : posted().make(std::move(plan), std::move(channels));
}

}  // namespace

TransportKind shared() {
    return {"shared", &make_shared, false, true, 10};
}

}  // namespace groundswell::halo::transports
