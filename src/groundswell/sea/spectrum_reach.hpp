#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// The wind (m s⁻¹) below which a grid ends too low: waves that it raises within half a day have their energy
/// near or beyond the last frequency. In one cell of deep water significant heights after 12 hours and later
/// are within 10 % of those of a finer grid where f_last is at least 2.5 times the peak frequency of the
/// fully developed sea, 0.13 g/U (Pierson & Moskowitz 1964); at two thirds of that they are 20 % lower.
double lightest_wind(const SpectralGrid& grid);

/// Warns in one line from rank 0 if the grid cannot carry the waves of 5 m/s and a tenth or more of the cells
/// have a wind that raises waves, 3 m/s or more, but is lighter than the grid wants; says how many
/// frequencies would do. Collective. `cells`: [owned].
void warn_of_light_wind(MPI_Comm comm, const Case& run, const SpectralGrid& grid,
                        std::span<const CellForcing> cells);

/// Warns in one line from rank 0 if the case has triads and the water is deep, k d > π, for every wave of the grid in every cell, so
/// that they have nothing to do. Collective.
void warn_of_idle_triads(MPI_Comm comm, const Case& run, const SpectralGrid& grid,
                         const Propagator& propagator, std::int32_t owned);

/// A third of the time, s, that the longest waves of deep water take through the region, from corner to corner of the box around its cells:
/// the age T for which bins spread best that crossed it (spectrum/spreading.hpp). Collective.
double oldest_swell(MPI_Comm comm, const voronoi::LocalMesh& mesh, const SpectralGrid& grid);

}  // namespace groundswell::sea
