#include "groundswell/halo/transports/neighbor_nonblocking.hpp"

#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

using parallel::check;

void NeighborNonblocking::begin() {
    pack_all();
    const double packed = parallel::now();
    check(MPI_Ineighbor_alltoallv(send_base(), sent_.counts.data(), sent_.displacements.data(),
                                  sent_.unit.get(), receive_base(), received_.counts.data(),
                                  received_.displacements.data(), received_.unit.get(), graph_.get(),
                                  &request_),
          "begin to exchange halos with neighbours");
    clock_.wait += parallel::now() - packed;
}

bool NeighborNonblocking::progress() {
    int done = 0;
    check(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "test an exchange of halos");
    return done != 0;
}

void NeighborNonblocking::end() {
    const double before = parallel::now();
    check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "wait for an exchange of halos");
    clock_.wait += parallel::now() - before;
    unpack();
}

}  // namespace groundswell::halo
