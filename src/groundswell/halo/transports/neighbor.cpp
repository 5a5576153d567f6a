#include <tuple>

#include "groundswell/halo/messages/neighbor_graph.hpp"
#include "groundswell/halo/transports/transport_kind.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo::transports {

using parallel::check;

namespace {

/// One blocking MPI_Neighbor_alltoallv on a distributed-graph communicator (Pang et al., Geosci. Model Dev. 18, 2025, section
/// 2.3). Packed at the start and exchanged at the finish, so nothing overlaps with a computation between the two; finish is
/// collective.
class Neighbor final : public Transport {
public:
    /// Throws base::Refusal on all ranks if an int cannot hold a displacement. Collective.
    Neighbor(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
        : Transport(std::move(plan), std::move(channels)),
          graph_(make_neighbor_graph(this->plan().comm(), ranks_of(this->plan().sources()),
                                     ranks_of(this->plan().destinations()))) {
        std::tie(sent_, received_) = parallel::agree(this->plan().comm(), [&] {
            std::vector<Stretch> sent, received;
            for (std::size_t k = 0; k < this->plan().destinations().size(); ++k)
                sent.push_back({send_displacement(k), send_bytes(k)});
            for (std::size_t k = 0; k < this->plan().sources().size(); ++k)
                received.push_back({receive_displacement(k), receive_bytes(k)});
            return std::pair(in_units(sent), in_units(received));
        });
    }
    std::string_view name() const override { return "neighbor"; }

private:
    void begin() override {
        for (std::size_t k = 0; k < plan().destinations().size(); ++k) pack(k);
    }
    // A blocking collective has nothing to push before it is called.
    bool progress() override { return true; }
    void end() override {
        const double before = parallel::now();
        check(MPI_Neighbor_alltoallv(send_base(), sent_.counts.data(), sent_.displacements.data(),
                                     sent_.unit.get(), receive_base(), received_.counts.data(),
                                     received_.displacements.data(), received_.unit.get(), graph_.get()),
              "exchange halos with neighbours");
        clock_.wait += parallel::now() - before;
        unpack();
    }

    parallel::Communicator graph_;
    NeighborMessages sent_, received_;  // displacements count from send_base() and receive_base()
};

}  // namespace

TransportKind neighbor() {
    return {"neighbor", &make<Neighbor>, true, true, 40};
}

}  // namespace groundswell::halo::transports
