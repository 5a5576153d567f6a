#include "groundswell/parallel/profile/common_moment.hpp"

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::parallel {

Moment common_moment(MPI_Comm comm) {
    const Communicator host = machine_communicator(comm);
    // The first rank of a host to leave a barrier does so when the last of all has come, and a little later.
    check(MPI_Barrier(comm), "compare clocks");
    Moment moment;
    const double left = now();
    check(MPI_Allreduce(&left, &moment.here, 1, MPI_DOUBLE, MPI_MIN, host.get()), "compare clocks");
    moment.there = moment.here;
    check(MPI_Bcast(&moment.there, 1, MPI_DOUBLE, 0, comm), "compare clocks");
    return moment;
}

}  // namespace groundswell::parallel
