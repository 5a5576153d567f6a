#pragma once

#include <mpi.h>

namespace groundswell::parallel {

/// The same moment on this host's clock, which all its ranks read (now()), and on that of rank 0's host.
struct Moment {
    double here = 0.0, there = 0.0;
};

/// All ranks meet, and compare clocks. Collective.
Moment common_moment(MPI_Comm comm);

}  // namespace groundswell::parallel
