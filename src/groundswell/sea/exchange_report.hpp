#pragma once

#include <mpi.h>

#include "groundswell/sea/halo_exchange.hpp"
#include "groundswell/simulation/report.hpp"

namespace groundswell::sea {

/// What hid the exchange, and what it carried, in run.json and for people. Collective over `comm`.
void report_exchange(MPI_Comm comm, const HaloExchange& exchange, simulation::Report& report);

}  // namespace groundswell::sea
