#pragma once

#include "groundswell/gridded/space_grid.hpp"
#include "groundswell/quake/rock/options.hpp"

namespace groundswell::quake {

/// Rock on a grid: variables density (or rho), and vp and vs, lambda and mu, or c11 to c66; and qp and qs, if both are there and wanted.
class RockGrid {
public:
    /// Reads what the region needs, by this rank alone; nothing but axes and units for an empty one. base::Refusal for what is
    /// not of that form.
    RockGrid(const RockGridOptions& options, const gridded::Region& region);

    /// The rock at a place in the region. base::Refusal where the grid does not reach it, or has a hole or what is no rock
    /// beside it.
    StatedRock at(const tetra::Point& place) const;

    /// Whether the file has a quality that was not wanted.
    bool ignores_quality() const { return ignores_quality_; }

private:
    gridded::SpaceGrid read(const netcdf::Reader& file, const gridded::Region& region);
    StatedRock point(const gridded::SpaceGrid::Index& index, const tetra::Point& place) const;

    RockGridOptions options_;
    bool moduli_ = false, anisotropic_ = false, attenuating_ = false, ignores_quality_ = false;
    gridded::SpaceGrid grid_;
};

}  // namespace groundswell::quake
