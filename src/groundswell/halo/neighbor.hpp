#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// One blocking MPI_Neighbor_alltoallv on a distributed-graph communicator. Packed at the start and exchanged
/// at the finish, so nothing overlaps with a computation between the two; finish is collective.
class Neighbor final : public Transport {
public:
    /// Collective. The graph keeps the numbering of ranks (reorder = 0).
    Neighbor(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    ~Neighbor() override;
    std::string_view name() const override { return "neighbor"; }

private:
    void begin() override;
    void progress() override;
    void end() override;

    parallel::Communicator graph_;
    // Counts and displacements in ids, which an int can hold, of this type: the bytes of one id.
    MPI_Datatype id_bytes_ = MPI_DATATYPE_NULL;
    std::vector<int> send_counts_, send_displacements_, receive_counts_, receive_displacements_;
};

}  // namespace groundswell::halo
