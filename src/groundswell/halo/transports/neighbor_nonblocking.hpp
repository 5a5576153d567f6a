#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/halo/transports/neighbor_collective.hpp"

namespace groundswell::halo {

/// MPI_Ineighbor_alltoallv: packed and begun at the start, pushed by poll(), completed at the finish. Start
/// is collective.
class NeighborNonblocking final : public NeighborCollective {
public:
    /// Collective.
    NeighborNonblocking(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
        : NeighborCollective(std::move(plan), std::move(channels), Messages::in_place) {}
    std::string_view name() const override { return "neighbor-nonblocking"; }

private:
    void begin() override;
    bool progress() override;
    void end() override;

    MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace groundswell::halo
