#include "groundswell/halo/transports/neighbor.hpp"

#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

void Neighbor::end() {
    const double before = parallel::now();
    parallel::check(
        MPI_Neighbor_alltoallv(send_base(), sent_.counts.data(), sent_.displacements.data(), sent_.unit.get(),
                               receive_base(), received_.counts.data(), received_.displacements.data(),
                               received_.unit.get(), graph_.get()),
        "exchange halos with neighbours");
    clock_.wait += parallel::now() - before;
    unpack();
}

}  // namespace groundswell::halo
