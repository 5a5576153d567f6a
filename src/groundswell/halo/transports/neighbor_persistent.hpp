#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "groundswell/halo/transports/neighbor_collective.hpp"

namespace groundswell::halo {

/// MPI_Neighbor_alltoallv_init once, started in every exchange. MPI binds such a request to the addresses of
/// its buffers, and only all ranks together can make another: so messages are received in a buffer and
/// unpacked, never in the field, which may be another one in each exchange. Making one is collective, and so
/// are start and finish.
class NeighborPersistent final : public NeighborCollective {
public:
    /// Whether this MPI library can do it. GROUNDSWELL_TEST_MPI=3.1 pretends that it is of that standard.
    static Availability available(const Plan& plan);

    /// Collective.
    NeighborPersistent(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    ~NeighborPersistent() override;
    std::string_view name() const override { return "neighbor-persistent"; }

private:
    void begin() override;
    bool progress() override;
    void end() override;

    MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace groundswell::halo
