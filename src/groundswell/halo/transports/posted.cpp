#include "groundswell/halo/transports/transport_kind.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo::transports {

using parallel::check;

namespace {

/// Point to point: receives are posted first, so that no message arrives unexpected; then each neighbour's
/// message is packed and sent on its own, so that the first is on its way while the next is packed.
class Posted final : public Transport {
public:
    /// Collective.
    Posted(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
        : Transport(std::move(plan), std::move(channels)),
          comm_(parallel::Communicator::duplicate(this->plan().comm())),
          requests_(this->plan().sources().size() + this->plan().destinations().size(), MPI_REQUEST_NULL) {}

    std::string_view name() const override { return "posted"; }

private:
    void begin() override {
        const double before = parallel::now();
        const auto sources = plan().sources();
        for (std::size_t k = 0; k < sources.size(); ++k) {
            check(MPI_Irecv(received_message(k), receive_bytes(k), MPI_BYTE, sources[k].rank, 0, comm_.get(),
                            &requests_[k]),
                  "post a receive of a halo");
        }
        clock_.wait += parallel::now() - before;

        const auto destinations = plan().destinations();
        for (std::size_t k = 0; k < destinations.size(); ++k) {
            pack(k);
            const double packed = parallel::now();
            check(MPI_Isend(sent_message(k), send_bytes(k), MPI_BYTE, destinations[k].rank, 0, comm_.get(),
                            &requests_[sources.size() + k]),
                  "send a halo");
            clock_.wait += parallel::now() - packed;
        }
    }

    bool progress() override {
        int done = 0;
        check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
              "test the messages of a halo");
        return done != 0;
    }

    void end() override {
        const double before = parallel::now();
        check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
              "wait for a halo");
        clock_.wait += parallel::now() - before;
        unpack();
    }

    parallel::Communicator comm_;
    std::vector<MPI_Request> requests_;  // of receives, then of sends
};

}  // namespace

TransportKind posted() {
    return {"posted", &make<Posted>, false, true, 20};
}

}  // namespace groundswell::halo::transports
