#include "groundswell/parallel/sparse_exchange.hpp"

#include <fmt/format.h>

#include <limits>
#include <thread>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::parallel {

namespace {

constexpr int tag = 1;

/// Its reduction also keeps rounds apart: nobody sends in this round before all have left the last one.
void require_sendable(const Communicator& comm, std::span<const Parcel> outgoing) {
    agree(comm.get(), [&] {
        for (const Parcel& parcel : outgoing) {
            GS_ASSERT(parcel.rank >= 0 && parcel.rank < comm.size());
            base::require(parcel.bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
                          fmt::format("rank {}", comm.rank()), fmt::format("bytes for rank {}", parcel.rank),
                          std::to_string(parcel.bytes.size()),
                          "less than 2 GiB in one message; use more ranks");
        }
    });
}

}  // namespace

SparseExchange::SparseExchange(MPI_Comm comm) : comm_(Communicator::duplicate(comm)) {}

std::vector<Parcel> SparseExchange::operator()(std::span<const Parcel> outgoing) {
    require_sendable(comm_, outgoing);
    const MPI_Comm comm = comm_.get();

    std::vector<MPI_Request> sends(outgoing.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < outgoing.size(); ++i) {
        const Parcel& parcel = outgoing[i];
        check(MPI_Issend(parcel.bytes.data(), static_cast<int>(parcel.bytes.size()), MPI_BYTE, parcel.rank,
                         tag, comm, &sends[i]),
              "send a parcel");
        ++messages_;
        bytes_ += static_cast<std::int64_t>(parcel.bytes.size());
    }

    // A synchronous send is complete when its receiver has it. Who has all sends complete enters the barrier;
    // when the barrier is complete, so is every send of every rank.
    std::vector<Parcel> incoming;
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool in_barrier = false;
    for (int finished = 0; !finished;) {
        int arrived = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        check(MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &arrived, &message, &status), "look for a parcel");
        if (arrived) {
            int bytes = 0;
            check(MPI_Get_count(&status, MPI_BYTE, &bytes), "tell the size of a parcel");
            Parcel& parcel = incoming.emplace_back();
            parcel.rank = status.MPI_SOURCE;
            parcel.bytes.resize(bytes);
            check(MPI_Mrecv(parcel.bytes.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE),
                  "receive a parcel");
            continue;
        }
        if (in_barrier) {
            check(MPI_Test(&barrier, &finished, MPI_STATUS_IGNORE), "test the end of a sparse exchange");
        } else {
            int sent = 0;
            check(MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE),
                  "test whether parcels have arrived");
            if (sent) {
                check(MPI_Ibarrier(comm, &barrier), "enter the end of a sparse exchange");
                in_barrier = true;
            }
        }
        if (!finished) std::this_thread::yield();  // ranks may share a core
    }
    std::stable_sort(incoming.begin(), incoming.end(),
                     [](const Parcel& a, const Parcel& b) { return a.rank < b.rank; });
    return incoming;
}

}  // namespace groundswell::parallel
