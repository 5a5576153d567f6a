#include "groundswell/halo/transports/neighbor_persistent.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "groundswell/halo/transports/neighbor_init.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

using parallel::check;

namespace {

/// Whether a test pretends that the library is of MPI 3.1.
bool is_pretended_away() {
    const char* standard = std::getenv("GROUNDSWELL_TEST_MPI");
    return standard != nullptr && std::string_view(standard) == "3.1";
}

}  // namespace

Availability NeighborPersistent::available(const Plan&) {
    if (neighbor_init::available && !is_pretended_away()) return {};
    const parallel::Library mpi = parallel::library();
    return {false, fmt::format("{} {} lacks MPI_Neighbor_alltoallv_init (MPI-4): use neighbor or persistent",
                               mpi.name, mpi.version)};
}

NeighborPersistent::NeighborPersistent(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
    : NeighborCollective(std::move(plan), std::move(channels), Messages::buffered) {
    const void* const send = send_base();
    void* const receive = receive_base();
    check(neighbor_init::call(send, sent_.counts.data(), sent_.displacements.data(), sent_.unit.get(),
                              receive, received_.counts.data(), received_.displacements.data(),
                              received_.unit.get(), graph_.get(), MPI_INFO_NULL, &request_),
          "prepare an exchange of halos");
}

NeighborPersistent::~NeighborPersistent() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized && request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
}

void NeighborPersistent::begin() {
    pack_all();
    const double packed = parallel::now();
    check(MPI_Start(&request_), "begin to exchange halos with neighbours");
    clock_.wait += parallel::now() - packed;
}

bool NeighborPersistent::progress() {
    int done = 0;
    check(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "test an exchange of halos");
    return done != 0;
}

void NeighborPersistent::end() {
    const double before = parallel::now();
    check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "wait for an exchange of halos");
    clock_.wait += parallel::now() - before;
    unpack();
}

}  // namespace groundswell::halo
