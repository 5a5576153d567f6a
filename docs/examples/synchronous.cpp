#include "groundswell/halo/transports/transport_kind.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo::transports {

namespace {

using parallel::check;

/// Receives are posted first, and each message is sent synchronously (MPI_Issend): a send is done when its receiver has begun to
/// take it, so that no library can buffer it on the way.
class Synchronous final : public Transport {
public:
    /// Collective.
    Synchronous(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
        : Transport(std::move(plan), std::move(channels)),
          comm_(parallel::Communicator::duplicate(this->plan().comm())),
          requests_(this->plan().sources().size() + this->plan().destinations().size(), MPI_REQUEST_NULL) {}
    std::string_view name() const override { return "synchronous"; }

private:
    void begin() override {
        const auto sources = plan().sources(), destinations = plan().destinations();
        MPI_Request* request = requests_.data();
        for (std::size_t k = 0; k < sources.size(); ++k)
            check(MPI_Irecv(received_message(k), receive_bytes(k), MPI_BYTE, sources[k].rank, 0, comm_.get(),
                            request++),
                  "post a receive of a halo");
        for (std::size_t k = 0; k < destinations.size(); ++k) {
            pack(k);
            check(MPI_Issend(sent_message(k), send_bytes(k), MPI_BYTE, destinations[k].rank, 0, comm_.get(),
                             request++),
                  "send a halo");
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

TransportKind synchronous() {
    return {.name = "synchronous", .make = &make<Synchronous>};
}

}  // namespace groundswell::halo::transports
