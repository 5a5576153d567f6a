#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"
#include "groundswell/halo/transports/datatype.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// One blocking MPI_Neighbor_alltoallw whose datatypes say where the values of each neighbour lie in the
/// fields: nothing is packed or unpacked here, the library does it as it can. Everything happens in finish,
/// which is collective.
class Datatypes final : public Transport {
public:
    /// Collective.
    Datatypes(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    std::string_view name() const override { return "datatypes"; }

private:
    void begin() override {}  // the values are read where they lie, in finish
    bool progress() override {
        return true;
    }  // a blocking collective has nothing to push before it is called
    void end() override;

    /// One direction's types, one for each neighbour, and how many of each (0 where nothing travels, or 1).
    struct MessageTypes {
        std::vector<Datatype> owned;
        std::vector<MPI_Datatype> types;
        std::vector<int> counts;
        void add(Datatype type);
    };
    /// The messages of all channels together, counted from the first one's base: they hold for fields that
    /// lie at these distances from the first.
    struct Layout {
        std::vector<MPI_Aint> distances;
        MessageTypes sent, received;
    };
    const Layout& layout();  // of the exchange that is under way
    static MessageTypes combine(const std::vector<MessageTypes>& channels,
                                std::span<const MPI_Aint> distances);

    parallel::Communicator graph_;
    std::vector<MessageTypes> sent_, received_;  // [channel], counted from the channel's own base
    std::vector<Layout> layouts_;
    std::size_t oldest_ = 0;
    std::vector<MPI_Aint> zeros_;  // displacements
};

}  // namespace groundswell::halo
