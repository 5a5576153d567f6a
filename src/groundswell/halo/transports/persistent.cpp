#include <array>
#include <cstddef>

#include "groundswell/halo/transports/transport_kind.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo::transports {

using parallel::check;

namespace {

/// Point to point as `posted`, but with requests made once (MPI_Send_init, MPI_Recv_init) and started in
/// every exchange. Where messages land in the field, a request is bound to the field's address; a model that
/// alternates between a few fields finds the requests of each again.
class Persistent final : public Transport {
public:
    /// Collective.
    Persistent(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
        : Transport(std::move(plan), std::move(channels)),
          comm_(parallel::Communicator::duplicate(this->plan().comm())) {
        for (Requests& requests : made_)
            requests.all.resize(this->plan().sources().size() + this->plan().destinations().size(),
                                MPI_REQUEST_NULL);
    }

    ~Persistent() override {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized) return;
        for (Requests& requests : made_) free(requests);
    }

    std::string_view name() const override { return "persistent"; }

private:
    void begin() override {
        const double before = parallel::now();
        current_ = &requests_of(receive_base());
        const auto sources = static_cast<int>(plan().sources().size());
        MPI_Request* const sends = current_->all.data() + sources;
        // Open MPI 4 refuses to start none.
        if (sources > 0) check(MPI_Startall(sources, current_->all.data()), "start the receives of a halo");
        clock_.wait += parallel::now() - before;
        for (std::size_t k = 0; k < plan().destinations().size(); ++k) {
            pack(k);
            const double packed = parallel::now();
            check(MPI_Start(&sends[k]), "send a halo");
            clock_.wait += parallel::now() - packed;
        }
    }

    bool progress() override {
        int done = 0;
        check(MPI_Testall(static_cast<int>(current_->all.size()), current_->all.data(), &done,
                          MPI_STATUSES_IGNORE),
              "test the messages of a halo");
        return done != 0;
    }

    void end() override {
        const double before = parallel::now();
        check(MPI_Waitall(static_cast<int>(current_->all.size()), current_->all.data(), MPI_STATUSES_IGNORE),
              "wait for a halo");
        clock_.wait += parallel::now() - before;
        unpack();
    }

    /// The requests of the exchanges that receive at one address: of receives, then of sends.
    struct Requests {
        const std::byte* receive_base = nullptr;
        std::vector<MPI_Request> all;
        bool made = false;
    };

    Requests& requests_of(std::byte* base) {
        for (Requests& requests : made_)
            if (requests.made && requests.receive_base == base) return requests;
        Requests& requests = made_[next_];
        next_ = (next_ + 1) % made_.size();
        make(requests, base);
        return requests;
    }

    void make(Requests& requests, std::byte* base) {
        free(requests);
        const auto sources = plan().sources();
        const auto destinations = plan().destinations();
        for (std::size_t k = 0; k < sources.size(); ++k) {
            check(MPI_Recv_init(base + receive_displacement(k), receive_bytes(k), MPI_BYTE, sources[k].rank,
                                0, comm_.get(), &requests.all[k]),
                  "prepare the receives of a halo");
        }
        for (std::size_t k = 0; k < destinations.size(); ++k) {
            check(MPI_Send_init(sent_message(k), send_bytes(k), MPI_BYTE, destinations[k].rank, 0,
                                comm_.get(), &requests.all[sources.size() + k]),
                  "prepare the sends of a halo");
        }
        requests.receive_base = base;
        requests.made = true;
    }

    static void free(Requests& requests) {
        for (MPI_Request& request : requests.all)
            if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
        requests.made = false;
    }

    parallel::Communicator comm_;
    std::array<Requests, 4> made_;  // a fifth address takes the place of the one that was made first
    std::size_t next_ = 0;
    Requests* current_ = nullptr;
};

}  // namespace

TransportKind persistent() {
    return {"persistent", &make<Persistent>, false, true, 30};
}

}  // namespace groundswell::halo::transports
