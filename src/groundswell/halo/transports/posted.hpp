#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// Point to point: receives are posted first, so that no message arrives unexpected; then each neighbour's
/// message is packed and sent on its own, so that the first is on its way while the next is packed.
class Posted final : public Transport {
public:
    /// Collective.
    Posted(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    std::string_view name() const override { return "posted"; }

private:
    void begin() override;
    bool progress() override;
    void end() override;

    parallel::Communicator comm_;
    std::vector<MPI_Request> requests_;  // of receives, then of sends
};

}  // namespace groundswell::halo
