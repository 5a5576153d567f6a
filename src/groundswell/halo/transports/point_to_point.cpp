#include "groundswell/halo/transports/transport_kind.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo::transports {

using parallel::check;

namespace {

/// The baseline of the literature (Pang et al., Geosci. Model Dev. 18, 2025, section 2.3): MPI_Isend to all
/// neighbours, then a blocking MPI_Recv from each in a fixed order. Here the sends are completed too, without
/// which their buffer could not be used again. What arrives before its receive is called waits in the
/// library's own buffers or at the sender, so this is the slowest way; it is here to be compared with.
class PointToPoint final : public Transport {
public:
    /// Collective.
    PointToPoint(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
        : Transport(std::move(plan), std::move(channels)),
          comm_(parallel::Communicator::duplicate(this->plan().comm())),
          sends_(this->plan().destinations().size(), MPI_REQUEST_NULL) {}

    std::string_view name() const override { return "point-to-point"; }

private:
    void begin() override {
        const auto destinations = plan().destinations();
        for (std::size_t k = 0; k < destinations.size(); ++k) pack(k);
        const double packed = parallel::now();
        for (std::size_t k = 0; k < destinations.size(); ++k) {
            check(MPI_Isend(sent_message(k), send_bytes(k), MPI_BYTE, destinations[k].rank, 0, comm_.get(),
                            &sends_[k]),
                  "send a halo");
        }
        clock_.wait += parallel::now() - packed;
    }

    // Receives are done in end(), so nothing is known of them.
    bool progress() override {
        int done = 0;
        check(MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &done, MPI_STATUSES_IGNORE),
              "test the messages of a halo");
        return true;
    }

    void end() override {
        const double before = parallel::now();
        const auto sources = plan().sources();
        for (std::size_t k = 0; k < sources.size(); ++k) {
            check(MPI_Recv(received_message(k), receive_bytes(k), MPI_BYTE, sources[k].rank, 0, comm_.get(),
                           MPI_STATUS_IGNORE),
                  "receive a halo");
        }
        check(MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE),
              "wait for the sends of a halo");
        clock_.wait += parallel::now() - before;
        unpack();
    }

    parallel::Communicator comm_;
    std::vector<MPI_Request> sends_;
};

}  // namespace

TransportKind point_to_point() {
    return {"point-to-point", &make<PointToPoint>, true, true, 60};
}

}  // namespace groundswell::halo::transports
