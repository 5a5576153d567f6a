#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/halo/transports/neighbor_collective.hpp"

namespace groundswell::halo {

/// One blocking MPI_Neighbor_alltoallv on a distributed-graph communicator. Packed at the start and exchanged
/// at the finish, so nothing overlaps with a computation between the two; finish is collective.
class Neighbor final : public NeighborCollective {
public:
    /// Collective.
    Neighbor(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
        : NeighborCollective(std::move(plan), std::move(channels), Messages::in_place) {}
    std::string_view name() const override { return "neighbor"; }

private:
    void begin() override { pack_all(); }
    bool progress() override {
        return true;
    }  // a blocking collective has nothing to push before it is called
    void end() override;
};

}  // namespace groundswell::halo
