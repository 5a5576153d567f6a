#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// The baseline of the literature (Pang et al., Geosci. Model Dev. 18, 2025, section 2.3): MPI_Isend to all
/// neighbours, then a blocking MPI_Recv from each in a fixed order. Here the sends are completed too, without
/// which their buffer could not be used again. What arrives before its receive is called waits in the
/// library's own buffers or at the sender, so this is the slowest way; it is here to be compared with.
class PointToPoint final : public Transport {
public:
    /// Collective.
    PointToPoint(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    std::string_view name() const override { return "point-to-point"; }

private:
    void begin() override;
    bool progress() override;
    void end() override;

    parallel::Communicator comm_;
    std::vector<MPI_Request> sends_;
};

}  // namespace groundswell::halo
